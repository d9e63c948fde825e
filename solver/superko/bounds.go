package superko

import (
	"sync"
	"sync/atomic"

	"tengen/board"
)

// bounds are what is proven of a score, seen by the side to play, and where the
// search for more has come to.
type bounds struct {
	toPlay    board.Colour
	mu        sync.Mutex
	low, high int
	guess     int
	depth     int
	round     atomic.Uint32 // counts the answers
}

// newBounds begins with a round that no earlier question of the solver has had.
func (s *Solver) newBounds(toPlay board.Colour) *bounds {
	b := &bounds{toPlay: toPlay, low: -s.graph.points, high: s.graph.points, depth: 1}
	if last := s.bounds.Load(); last != nil {
		b.round.Store(last.round.Load() + 1)
	}
	return b
}

// black is the interval as Black minus White.
func (b *bounds) black() (low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.toPlay == board.White {
		return -b.high, -b.low
	}
	return b.low, b.high
}

// question is a threshold and a depth that workers are at.
type question struct {
	bounds   *bounds
	round    uint16
	t, depth int
}

// ask chooses a threshold next to the guess. It is false when the bounds have met.
func (b *bounds) ask() (question, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := min(max(b.guess, b.low+1), b.high)
	return question{b, uint16(b.round.Load()), t, b.depth}, b.low < b.high
}

// moot reports whether another worker has meanwhile answered the question.
func (q *question) moot() bool { return uint16(q.bounds.round.Load()) != q.round }

// answer takes a verdict into account, unless another worker was first. A proof
// moves a bound; without one the next question goes two plies deeper. Either way the
// guess follows the verdict, MTD(f) fashion.
func (q *question) answer(v verdict) {
	b := q.bounds
	b.mu.Lock()
	defer b.mu.Unlock()
	if q.moot() {
		return
	}
	b.guess = q.t - 1
	if v > open {
		b.guess = q.t + 1
	}
	switch v {
	case proven:
		b.low = q.t
	case refuted:
		b.high = q.t - 1
	default:
		b.depth += 2
	}
	b.round.Add(1)
}

// narrow answers one question after the other until the bounds meet.
func (w *worker) narrow(r root, b *bounds) {
	w.load(r)
	defer func() { w.counts.nodes.Store(w.nodes) }()
	for {
		q, ok := b.ask()
		if !ok || w.stop.Load() {
			return
		}
		if !w.parts.deepening {
			q.depth = unlimited
		}
		w.question = q
		w.counts.depth.Store(int64(q.depth))
		if v := w.search(0, r.key, q.t, q.depth); v != open {
			q.answer(v)
		}
	}
}
