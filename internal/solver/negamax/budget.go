package negamax

import (
	"math"
	"sync/atomic"
)

// budget is how many nodes workers may still search together. Each tells of its nodes
// now and then, so that they may go beyond it by a step each.
type budget struct {
	left    atomic.Int64 // below 0 when more was spent than there was
	workers int64
}

// set gives so many nodes to a number of workers; 0 is no limit.
func (b *budget) set(nodes uint64, workers int) {
	left := int64(min(nodes, math.MaxInt64))
	if nodes == 0 {
		left = math.MaxInt64
	}
	b.left.Store(left)
	b.workers = int64(max(workers, 1))
}

// endless is the budget of a worker of its own.
func endless() *budget {
	b := new(budget)
	b.set(0, 1)
	return b
}

// spend takes nodes out and returns what is left.
func (b *budget) spend(nodes uint64) int64 { return b.left.Add(-int64(nodes)) }

// spent reports whether more was taken out than there was.
func (b *budget) spent() bool { return b.left.Load() < 0 }

// step is how many nodes a worker may search before it accounts for them: its share of
// what is left, and one more to notice that there is nothing left.
func (b *budget) step() uint64 {
	return uint64(min(max(b.left.Load(), 0)/b.workers, publishNodes-1)) + 1
}
