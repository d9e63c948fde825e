package analyse

import (
	"testing"
	"time"

	"tengen/engine/job"

	"tengen/board"
	"tengen/game"
)

// One question alone has all threads and half of the memory. Desks never have more than
// all of it together, and nobody is left without.
func TestDesksShare(t *testing.T) {
	const memory, threads = 90 << 20, 6
	a, err := New(Options{Table: job.Cache, Limits: job.Limits{Memory: memory, Threads: threads}, Parallel: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	sit := func(cols int) *workspace {
		d, err := a.acquire(t.Context(), workspaceKey{game.NoGo{}, board.Size{Rows: 2, Cols: cols}})
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, d := range a.all {
			sum += d.memory
		}
		if sum > memory || d.memory < memory/6 {
			t.Errorf("a workspace has %d of the %d bytes that are given out, of %d", d.memory, sum, memory)
		}
		return d
	}
	first := sit(1)
	if first.memory != memory/2 || a.threads() != threads {
		t.Errorf("a question alone has %d bytes and %d threads", first.memory, a.threads())
	}
	second, third := sit(2), sit(3)
	if a.threads() != threads/3 {
		t.Errorf("one of three questions has %d threads", a.threads())
	}
	for _, d := range []*workspace{first, second, third} {
		a.release(d)
	}
	if again := sit(1); again != first || again.memory != memory/2 {
		t.Errorf("the workspace of a board that is asked about again has %d bytes", again.memory)
	}
	if other := sit(4); other.memory < memory/3 {
		t.Errorf("idle workspaces keep their memory: %d bytes are left", other.memory)
	}
}

// Turns grow, and the position gets as much time as all moves together from its second on.
func TestTurnsGrow(t *testing.T) {
	turns := inTurn(3, time.Second)
	want := []time.Duration{1, 1, 1, 1, 10, 4, 4, 4, 10, 10, 10, 10}
	for i, seconds := range want {
		if got := turns[0].time; got != seconds*time.Second || turns[0].n != i%4-1 {
			t.Fatalf("turn %d is for %d and takes %s", i, turns[0].n, got)
		}
		turns = append(turns[1:], turns[0].again())
	}
	if turns := inTurn(2, untilDecided); turns[0].again().time != untilDecided {
		t.Error("turns without an end grow")
	}
}
