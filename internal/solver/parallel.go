package solver

import (
	"context"
	"sync/atomic"

	"tengen/internal/yield"
)

// Marks show the workers of a search which positions others are searching. A worker
// defers marked moves until the others are done, as in Weill's ABDADA, but the
// marks are in a small array of their own instead of the table. They are hints: a
// wrong mark costs only time. A nil *Marks marks nothing, for a single worker.
type Marks struct {
	slots [1 << 14]atomic.Uint64
}

func (m *Marks) slot(key [2]uint64) *atomic.Uint64 { return &m.slots[key[1]>>50] }

// Has reports whether a position is marked.
func (m *Marks) Has(key [2]uint64) bool { return m != nil && m.slot(key).Load() == key[0] }

// Set marks a position.
func (m *Marks) Set(key [2]uint64) { m.slot(key).Store(key[0]) }

// Clear removes the mark.
func (m *Marks) Clear(key [2]uint64) { m.slot(key).Store(0) }

// Race runs one search on all workers until one of them finds the outcome, and sets
// stop for the others. It returns 0 if no worker finds it.
func Race(ctx context.Context, stop *atomic.Bool, workers int, search func(worker int) int) int {
	outcomes := make(chan int, workers)
	for i := range workers {
		go func() {
			outcome := search(i)
			if outcome != 0 {
				stop.Store(true)
			}
			outcomes <- outcome
		}()
	}
	outcome := 0
	for range workers {
		if o := <-outcomes; o != 0 {
			outcome = o
		}
	}
	stop.Store(false)
	if ctx.Err() != nil {
		stop.Store(true)
	}
	return outcome
}

// Tally counts the work of one worker of a search. The worker counts in Nodes and
// Probes and publishes them from time to time. Others read the published counts.
type Tally struct {
	Nodes, Probes     uint64
	nodes, probes     atomic.Uint64
	rootDone, rootAll atomic.Int64
	trail             [trailPlies]atomic.Uint64
}

// trailPlies is the number of plies of the current line that others may read.
const trailPlies = 8

// Follow sets the move being searched at a ply. 0 is no move.
func (t *Tally) Follow(ply int, move uint64) {
	if ply < trailPlies {
		t.trail[ply].Store(move)
		if ply+1 < trailPlies {
			t.trail[ply+1].Store(0)
		}
	}
}

// Trail are the first moves of the line being searched. They are read one by one
// while the search runs, so the last ones may belong to another line.
func (t *Tally) Trail() (moves []uint64) {
	for i := range t.trail {
		move := t.trail[i].Load()
		if move == 0 {
			break
		}
		moves = append(moves, move)
	}
	return moves
}

// Publish makes the counts visible to others, and gives way to them in a browser.
func (t *Tally) Publish() {
	t.nodes.Store(t.Nodes)
	t.probes.Store(t.Probes)
	yield.Now()
}

// BeginRoot sets the number of root moves to be searched.
func (t *Tally) BeginRoot(moves int) {
	t.rootAll.Store(int64(moves))
	t.rootDone.Store(0)
}

// DoneRoot counts one more root move as searched.
func (t *Tally) DoneRoot() { t.rootDone.Add(1) }

// AddTo adds the published counts to the counts of a search, and returns the
// probes.
func (t *Tally) AddTo(s *Stats) (probes uint64) {
	s.Nodes += t.nodes.Load()
	s.RootDone = max(s.RootDone, int(t.rootDone.Load()))
	s.RootMoves = max(s.RootMoves, int(t.rootAll.Load()))
	return t.probes.Load()
}

// Watch sets a flag when the context ends. The function it returns ends the watch;
// after that the flag is not touched any more.
func Watch(ctx context.Context, flag *atomic.Bool) (end func()) {
	done := make(chan struct{})
	release := context.AfterFunc(ctx, func() {
		flag.Store(true)
		close(done)
	})
	return func() {
		if !release() {
			<-done
		}
	}
}

// Interrupted is the error of a search that was stopped.
func Interrupted(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Canceled
}
