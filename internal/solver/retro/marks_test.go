package retro

import (
	"sync"
	"testing"

	"tengen/internal/longtest"
)

// A need that is set while others of the board are taken is not lost.
func TestMarksAreNotLost(t *testing.T) {
	const boards, rounds = 1 << 10, 200
	m, err := newMarks(nil, boards, "test of marks")
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	for round := range rounds {
		var taken [boards]needs
		var wait sync.WaitGroup
		wait.Go(func() {
			for r := range uint64(boards) {
				m.mark(r, 1, unsure)
				m.mark(r, 0, rises)
			}
		})
		wait.Go(func() {
			for r := range uint64(boards) {
				m.mark(r, 0, falls)
				taken[r] |= m.take(r)
			}
		})
		wait.Wait()
		for r := range uint64(boards) {
			taken[r] |= m.take(r)
			for side := range uint8(2) {
				if got := taken[r].of(side); got != unsure {
					t.Fatalf("round %d: of side %d of board %d only the need %b was taken", round, side, r, got)
				}
			}
		}
	}
	if m.any(0, boards) {
		t.Error("marks are left")
	}
}

// A need to look at every move is taken whole, even if a part of it was there before: each
// part alone looks at fewer moves.
func TestMarksAreTakenWhole(t *testing.T) {
	const boards = 2
	rounds := uint64(20_000_000)
	if longtest.Raced {
		rounds /= 20
	}
	m, err := newMarks(nil, boards, "test of marks")
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	var wait sync.WaitGroup
	done := make(chan struct{})
	wait.Go(func() {
		defer close(done)
		for round := range rounds {
			m.mark(round%boards, 0, falls)
			m.mark(round%boards, 1, rises)
			m.mark(round%boards, 0, unsure)
			m.mark(round%boards, 1, unsure)
		}
	})
	wait.Go(func() {
		for round := uint64(0); ; round++ {
			select {
			case <-done:
				return
			default:
			}
			if got := m.take(round % boards); got.of(0) == rises || got.of(1) == falls {
				t.Errorf("round %d: a part of a need was taken: %04b", round, got)
				return
			}
		}
	})
	wait.Wait()
}

// any reads the marks of the given boards and no others.
func TestMarksOfAnInterval(t *testing.T) {
	const boards = 100
	for marked := range uint64(2 * boards) {
		m, err := newMarks(nil, boards, "test of marks")
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []need{falls, rises} {
			m.mark(marked/2, uint8(marked%2), n)
			for from := range uint64(boards) {
				for to := from; to <= boards; to += 7 {
					if got, want := m.any(from, to), from <= marked/2 && marked/2 < to; got != want {
						t.Fatalf("mark %d is in boards %d to %d: %v", marked, from, to, got)
					}
				}
			}
			if got := m.take(marked / 2).of(uint8(marked % 2)); got != n {
				t.Fatalf("mark %d has the need %b, not %b", marked, got, n)
			}
		}
		m.free()
	}
	m, err := newMarks(nil, boards, "test of marks")
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	m.fill(boards)
	for r := range uint64(boards) {
		if n := m.take(r); n.of(0) != unsure || n.of(1) != unsure {
			t.Errorf("board %d has the needs %b", r, n)
		}
	}
	if m.any(0, boards+10) {
		t.Error("more is marked than was asked for")
	}
}
