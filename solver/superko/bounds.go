package superko

import (
	"sync"
	"sync/atomic"

	"tengen/board"
)

// bounds are what is proven of a score, seen by the side to play, and a guess.
type bounds struct {
	toPlay     board.Colour
	mu         sync.Mutex
	low, high  int
	guess      int
	generation atomic.Uint64 // counts the proofs
}

func newBounds(points int, toPlay board.Colour) *bounds {
	return &bounds{toPlay: toPlay, low: -points, high: points}
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

// question is a threshold that one worker is at.
type question struct {
	bounds     *bounds
	generation uint64
	t          int
}

// ask chooses a threshold: the guess, or for every other worker the next, since
// an exact score takes a proof of both. It is false when the bounds have met.
func (b *bounds) ask(worker int) (*question, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := min(max(b.guess+worker%2, b.low+1), b.high)
	return &question{b, b.generation.Load(), t}, b.low < b.high
}

// moot reports whether another worker has meanwhile answered the question.
func (q *question) moot() bool {
	b := q.bounds
	if b.generation.Load() == q.generation {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	q.generation = b.generation.Load()
	return q.t <= b.low || q.t > b.high
}

// answer takes a verdict into account, and reports whether it settles the question.
func (q *question) answer(v verdict) bool {
	b := q.bounds
	b.mu.Lock()
	defer b.mu.Unlock()
	switch v {
	case proven:
		b.low, b.guess = max(b.low, q.t), max(b.guess, q.t+1)
	case refuted:
		b.high, b.guess = min(b.high, q.t-1), min(b.guess, q.t-1)
	case hopeful:
		b.guess = q.t + 1
	case doubtful:
		b.guess = q.t - 1
	}
	b.generation.Add(1)
	return v == proven || v == refuted
}

// narrow asks one threshold after the other, MTD(f) fashion, and looks a ply
// further ahead whenever the depth was not enough.
func (w *worker) narrow(r root, b *bounds, number int) {
	depth := 1
	if !w.parts.deepening {
		depth = unlimited
	}
	w.load(r)
	for {
		q, ok := b.ask(number)
		if !ok {
			break
		}
		w.question = q
		w.round++
		w.counts.depth.Store(int64(depth))
		v := w.search(0, r.key, q.t, depth)
		switch {
		case v != open:
			if !q.answer(v) {
				depth++
			}
		case w.stop.Load():
			w.counts.nodes.Store(w.nodes)
			return
		}
	}
	w.counts.nodes.Store(w.nodes)
}
