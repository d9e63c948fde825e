package solver

import (
	"math"
	"sync/atomic"
)

// budget is the number of nodes that all workers together may still search.
// Each worker reports its nodes from time to time, so each may exceed the
// budget by one step.
type budget struct {
	left    atomic.Int64 // below 0 when the budget is exceeded
	workers int64
}

// set gives a number of nodes to a number of workers; 0 nodes means no limit.
func (b *budget) set(nodes uint64, workers int) {
	left := int64(min(nodes, math.MaxInt64))
	if nodes == 0 {
		left = math.MaxInt64
	}
	b.left.Store(left)
	b.workers = int64(max(workers, 1))
}

// endless is the unlimited budget of a single worker.
func endless() *budget {
	b := new(budget)
	b.set(0, 1)
	return b
}

// spend subtracts nodes and returns the rest.
func (b *budget) spend(nodes uint64) int64 { return b.left.Add(-int64(nodes)) }

// spent reports whether the budget is exceeded.
func (b *budget) spent() bool { return b.left.Load() < 0 }

// step is the number of nodes that a worker may search before it reports
// them: its share of the rest, and one more to notice that the budget is
// spent.
func (b *budget) step() uint64 {
	return uint64(min(max(b.left.Load(), 0)/b.workers, publishNodes-1)) + 1
}
