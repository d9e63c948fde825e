package sums

import (
	"math"
	"sync"
	"sync/atomic"

	"tengen/internal/lockless"
)

// mostHeard is how many facts wait to be taken; what comes on top of them is dropped.
const mostHeard = 1 << 16

// ear gathers what the workers learn, for solvers elsewhere.
type ear struct {
	least atomic.Uint64 // nodes from which a fact is heard
	mu    sync.Mutex
	facts []byte
}

// Hear gathers from now on what it takes at least so many nodes to find out, for Facts;
// 0 gathers nothing. It may be called while a search runs.
func (s *Solver) Hear(least uint64) {
	if least == 0 {
		least = math.MaxUint64
	}
	s.ear.least.Store(least)
}

// Facts appends what has been gathered since the last call to a list that Tell takes,
// in the form of Save. Facts that came when too many were waiting are not among them.
// It may be called while a search runs.
func (s *Solver) Facts(list []byte) []byte {
	e := &s.ear
	e.mu.Lock()
	defer e.mu.Unlock()
	list = append(list, e.facts...)
	e.facts = e.facts[:0]
	return list
}

func (e *ear) hear(k lockless.Key, b lockless.Bounds) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.facts) < mostHeard*lockless.EntryBytes {
		e.facts = lockless.Append(e.facts, k, b)
	}
}
