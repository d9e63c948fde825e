package solver_test

import (
	"sync"
	"testing"

	"tengen/internal/solver"
)

// The worker that was put back last is taken first, so one goroutine gets the
// same experience every time.
func TestIdleIsAStack(t *testing.T) {
	var idle solver.Idle[int]
	if _, ok := idle.Take(); ok {
		t.Error("an empty pool has a worker")
	}
	idle.Put(1)
	idle.Put(2)
	for _, want := range []int{2, 1} {
		if got, ok := idle.Take(); !ok || got != want {
			t.Errorf("took %d (%v), want %d", got, ok, want)
		}
	}
	if _, ok := idle.Take(); ok {
		t.Error("a worker was taken twice")
	}
}

// Two goroutines never have the same worker at the same time.
func TestIdleSharesNoWorker(t *testing.T) {
	var idle solver.Idle[*int] // the race detector watches the counters
	var takers sync.WaitGroup
	for range 4 {
		takers.Go(func() {
			for range 500 {
				w, ok := idle.Take()
				if !ok {
					w = new(int)
				}
				*w++
				idle.Put(w)
			}
		})
	}
	takers.Wait()
	total := 0
	for w, ok := idle.Take(); ok; w, ok = idle.Take() {
		total += *w
	}
	if total != 2000 {
		t.Errorf("%d uses are counted, not 2000", total)
	}
}
