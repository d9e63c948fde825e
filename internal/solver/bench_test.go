package solver_test

import (
	"sync"
	"testing"

	"tengen/internal/solver"
)

// The worker that was put back last is taken first: one goroutine meets the same
// experience every time.
func TestBenchIsAStack(t *testing.T) {
	var bench solver.Bench[int]
	if _, ok := bench.Take(); ok {
		t.Error("an empty bench has a worker")
	}
	bench.Put(1)
	bench.Put(2)
	for _, want := range []int{2, 1} {
		if got, ok := bench.Take(); !ok || got != want {
			t.Errorf("took %d (%v), want %d", got, ok, want)
		}
	}
	if _, ok := bench.Take(); ok {
		t.Error("a worker was taken twice")
	}
}

// No worker is ever with two goroutines.
func TestBenchSharesNoWorker(t *testing.T) {
	var bench solver.Bench[*int] // the race detector watches the counters
	var takers sync.WaitGroup
	for range 4 {
		takers.Go(func() {
			for range 500 {
				w, ok := bench.Take()
				if !ok {
					w = new(int)
				}
				*w++
				bench.Put(w)
			}
		})
	}
	takers.Wait()
	total := 0
	for w, ok := bench.Take(); ok; w, ok = bench.Take() {
		total += *w
	}
	if total != 2000 {
		t.Errorf("%d uses are counted, not 2000", total)
	}
}
