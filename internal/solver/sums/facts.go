package sums

import (
	"math"
	"sync"
	"sync/atomic"

	"tengen/internal/lockless"
)

// mostWaiting is how many facts wait for Export. Further ones are dropped.
const mostWaiting = 1 << 16

// exports collects what the threads find out, for solvers elsewhere.
type exports struct {
	least atomic.Uint64 // nodes that a fact must have cost
	mu    sync.Mutex
	facts []byte
}

// SetExport has the solver collect, from now on, the facts that cost it this many nodes or
// more. Export hands them out; 0 collects nothing. It may be called while a search runs.
func (s *Solver) SetExport(least uint64) {
	if least == 0 {
		least = math.MaxUint64
	}
	s.exports.least.Store(least)
}

// Export appends the facts that were collected since its last call to a list, in the form
// that Save writes and Import reads. Facts are missing if too many were waiting. It may be
// called while a search runs.
func (s *Solver) Export(list []byte) []byte {
	e := &s.exports
	e.mu.Lock()
	defer e.mu.Unlock()
	list = append(list, e.facts...)
	e.facts = e.facts[:0]
	return list
}

func (e *exports) add(k lockless.Key, b lockless.Bounds) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.facts) < mostWaiting*lockless.EntryBytes {
		e.facts = lockless.Append(e.facts, k, b)
	}
}
