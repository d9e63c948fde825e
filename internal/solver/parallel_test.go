package solver_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"tengen/internal/solver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The first worker that finds the outcome stops the others. They would wait
// forever otherwise.
func TestRaceStopsTheOthers(t *testing.T) {
	for winner := range 4 {
		var stop atomic.Bool
		outcome := solver.Race(t.Context(), &stop, 4, func(worker int) int {
			if worker == winner {
				return 7
			}
			for !stop.Load() {
			}
			return 0
		})
		if outcome != 7 || stop.Load() {
			t.Errorf("worker %d knew: outcome %d, the flag is left at %v", winner, outcome, stop.Load())
		}
	}
}

func TestRaceThatNobodyWins(t *testing.T) {
	var stop atomic.Bool
	var ran atomic.Int64
	outcome := solver.Race(t.Context(), &stop, 3, func(int) int { ran.Add(1); return 0 })
	if outcome != 0 || ran.Load() != 3 || stop.Load() {
		t.Errorf("outcome %d of %d workers, the flag is %v", outcome, ran.Load(), stop.Load())
	}
}

// A search that is stopped from outside stays stopped.
func TestRaceKeepsTheUsersStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var stop atomic.Bool
	defer solver.Watch(ctx, &stop)()
	outcome := solver.Race(ctx, &stop, 2, func(worker int) int {
		if worker == 0 {
			cancel()
		}
		for !stop.Load() {
		}
		return 0
	})
	if outcome != 0 || !stop.Load() {
		t.Errorf("outcome %d, the flag is %v", outcome, stop.Load())
	}
}

// After end has returned, a context that ends later does not change the flag.
func TestWatchEnds(t *testing.T) {
	for range 200 {
		ctx, cancel := context.WithCancel(t.Context())
		var flag atomic.Bool
		end := solver.Watch(ctx, &flag)
		done := make(chan struct{})
		go func() { cancel(); close(done) }()
		end()
		seen := flag.Load()
		<-done
		if flag.Load() != seen {
			t.Fatal("the flag changed after the end of the watch")
		}
	}
}

func TestInterrupted(t *testing.T) {
	cause, cancel := context.WithCancel(t.Context())
	if err := solver.Interrupted(cause); !errors.Is(err, context.Canceled) {
		t.Errorf("a search that was stopped by its own flag says %v", err)
	}
	cancel()
	late, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	<-late.Done()
	if err := solver.Interrupted(late); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a search out of time says %v", err)
	}
}

// Two positions share a slot: the later mark is there, and neither position
// is taken for the other.
func TestMarks(t *testing.T) {
	var none *solver.Marks
	a, b := [2]uint64{1, 5 << 50}, [2]uint64{2, 5<<50 | 9}
	if none.Has(a) {
		t.Error("no marks hold one")
	}
	m := new(solver.Marks)
	m.Set(a)
	if !m.Has(a) || m.Has(b) {
		t.Error("the mark of a is not that of a alone")
	}
	m.Set(b)
	if m.Has(a) || !m.Has(b) {
		t.Error("b did not take the place of a")
	}
	m.Clear(b)
	if m.Has(a) || m.Has(b) {
		t.Error("a mark outlived its removal")
	}
}

// Others read only published counts, at any time.
func TestTally(t *testing.T) {
	var tally solver.Tally
	tally.BeginRoot(9)
	tally.Nodes, tally.Probes = 5, 3
	var s solver.Stats
	if probes := tally.AddTo(&s); probes != 0 || s.Nodes != 0 || s.RootMoves != 9 {
		t.Errorf("before anything is published: %d probes, %+v", probes, s)
	}
	var readers sync.WaitGroup
	readers.Go(func() {
		for last := uint64(0); last < 1000; {
			var s solver.Stats
			tally.AddTo(&s)
			if s.Nodes < last {
				t.Errorf("%d nodes after %d", s.Nodes, last)
				return
			}
			last = s.Nodes
		}
	})
	for range 1000 {
		tally.Nodes++
		tally.Publish()
	}
	tally.DoneRoot()
	readers.Wait()
	s = solver.Stats{Nodes: 10, RootDone: 4, RootMoves: 4}
	tally.AddTo(&s)
	if s.Nodes != 1015 || s.RootDone != 4 || s.RootMoves != 9 {
		t.Errorf("added to what another worker did: %+v", s)
	}
}
