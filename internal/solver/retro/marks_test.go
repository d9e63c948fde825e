package retro

import (
	"sync"
	"testing"
)

// A mark that is set while the other mark of the board is taken is not lost.
func TestMarksAreNotLost(t *testing.T) {
	const boards, rounds = 1 << 10, 200
	m, err := newMarks(nil, 2*boards, "test of marks")
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	for round := range rounds {
		var taken [boards]uint8
		var wait sync.WaitGroup
		wait.Go(func() {
			for r := range uint64(boards) {
				m.mark(2*r + 1)
			}
		})
		wait.Go(func() {
			for r := range uint64(boards) {
				m.mark(2 * r)
				taken[r] |= m.take(r)
			}
		})
		wait.Wait()
		for r := range uint64(boards) {
			if taken[r] |= m.take(r); taken[r] != 3 {
				t.Fatalf("round %d: of board %d only the marks %b were taken", round, r, taken[r])
			}
		}
	}
	if m.any(0, boards) {
		t.Error("marks are left")
	}
}

// any reads the marks of the given boards and no others.
func TestMarksOfAnInterval(t *testing.T) {
	const boards = 100
	for marked := range uint64(2 * boards) {
		m, err := newMarks(nil, 2*boards, "test of marks")
		if err != nil {
			t.Fatal(err)
		}
		m.mark(marked)
		for from := range uint64(boards) {
			for to := from; to <= boards; to += 7 {
				if got, want := m.any(from, to), from <= marked/2 && marked/2 < to; got != want {
					t.Fatalf("mark %d is in boards %d to %d: %v", marked, from, to, got)
				}
			}
		}
		m.free()
	}
	m, err := newMarks(nil, 2*boards, "test of marks")
	if err != nil {
		t.Fatal(err)
	}
	defer m.free()
	m.fill(boards)
	for r := range uint64(boards) {
		if m.take(r) != 3 {
			t.Errorf("board %d is not marked", r)
		}
	}
	if m.any(0, boards+10) {
		t.Error("more is marked than was asked for")
	}
}
