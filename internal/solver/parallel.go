package solver

import (
	"context"
	"sync/atomic"
)

// Marks tell the workers of a search which positions others are searching. A worker
// puts marked moves off until the others are done, as in Weill's ABDADA, but with the
// marks in a small array of their own instead of the table. They are hints: a wrong
// one costs time only. A nil *Marks marks nothing, for a worker that is alone.
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

// Race has all workers of a search look for one outcome until one of them knows
// it, and sets stop for the others. An outcome of 0 means that none does.
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

// Tally is what one worker of a search has done. The worker counts in Nodes and
// Probes and publishes them now and then; others read what is published.
type Tally struct {
	Nodes, Probes     uint64
	nodes, probes     atomic.Uint64
	rootDone, rootAll atomic.Int64
	trail             [trailPlies]atomic.Uint64
}

// trailPlies is how many plies of the line being searched others may read.
const trailPlies = 8

// Follow says which move is being searched at a ply. 0 is no move.
func (t *Tally) Follow(ply int, move uint64) {
	if ply < trailPlies {
		t.trail[ply].Store(move)
		if ply+1 < trailPlies {
			t.trail[ply+1].Store(0)
		}
	}
}

// Trail are the first moves of the line that is being searched. They are read one by one
// beside the search, so the last may belong to another line.
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

// Publish lets others read the counts.
func (t *Tally) Publish() {
	t.nodes.Store(t.Nodes)
	t.probes.Store(t.Probes)
}

// BeginRoot says how many moves of the root are to be searched.
func (t *Tally) BeginRoot(moves int) {
	t.rootAll.Store(int64(moves))
	t.rootDone.Store(0)
}

// DoneRoot says that one more of them has been.
func (t *Tally) DoneRoot() { t.rootDone.Add(1) }

// AddTo adds what is published to the counts of a search, and returns the probes.
func (t *Tally) AddTo(s *Stats) (probes uint64) {
	s.Nodes += t.nodes.Load()
	s.RootDone = max(s.RootDone, int(t.rootDone.Load()))
	s.RootMoves = max(s.RootMoves, int(t.rootAll.Load()))
	return t.probes.Load()
}

// Watch sets a flag when the context ends. The function it returns ends the
// watch; afterwards the flag is not touched any more.
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
