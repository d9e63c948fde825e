package superko

import (
	"sync"
	"sync/atomic"

	"tengen/board"
)

// bounds are the proven bounds of a score, seen by the side to play, and the state of
// the search for better ones.
type bounds struct {
	toPlay    board.Colour
	mu        sync.Mutex
	low, high int    // by the search
	sure      Answer // without it
	claim     ref    // of the last answer
	guess     int
	depth     int
	round     atomic.Uint32 // counts the answers
}

// newBounds starts with the bounds that need no search, and with a round that no
// earlier question of the solver has had. After a pass the side to play can end the
// game as it stands. On the empty board it gets no less than 0 (theorem 1). It may
// pass, and then the opponent has the same game, except that another pass ends it
// with 0. A stone never brings the empty board back, so under either superko nothing
// else has changed.
func (s *Solver) newBounds(r root) *bounds {
	at, points := r.key.state(), s.graph.points
	b := &bounds{toPlay: r.key.own(), low: -points, high: points, sure: Answer{Low: -points, High: points}, depth: 1}
	if r.key.passed() || s.graph.boards[at>>1] == (stones{}) {
		b.sure.Low = s.graph.score(at)
	}
	if last := s.bounds.Load(); last != nil {
		b.round.Store(last.round.Load() + 1)
	}
	return b
}

// know adds bounds that are known from elsewhere, Black minus White. They end the
// search as soon as they can. Until then they do not change its questions, because
// its shallow questions guide the deeper ones.
func (b *bounds) know(a Answer) {
	if b.toPlay == board.White {
		a.Low, a.High = -a.High, -a.Low
	}
	b.sure.Low, b.sure.High = max(b.sure.Low, a.Low), min(b.sure.High, a.High)
}

// proven is the interval for the side to play. The caller holds the lock.
func (b *bounds) proven() (low, high int) {
	return max(b.low, b.sure.Low), min(b.high, b.sure.High)
}

// black is the interval as Black minus White.
func (b *bounds) black() (low, high int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	low, high = b.proven()
	if b.toPlay == board.White {
		return -high, -low
	}
	return low, high
}

// asked is the threshold of the present question, as Black minus White.
func (b *bounds) asked() int {
	q, _ := b.ask()
	if b.toPlay == board.White {
		return -q.t
	}
	return q.t
}

// question is the threshold and the depth that workers search.
type question struct {
	bounds   *bounds
	round    uint16
	t, depth int
}

// ask chooses a threshold next to the guess. It returns false when the bounds have
// met.
func (b *bounds) ask() (question, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := min(max(b.guess, b.low+1), b.high)
	low, high := b.proven()
	return question{b, uint16(b.round.Load()), t, b.depth}, low < high
}

// moot reports whether another worker has meanwhile answered the question.
func (q *question) moot() bool { return uint16(q.bounds.round.Load()) != q.round }

// answer applies a verdict, unless another worker was first. A proof moves a bound.
// Without a proof the next question goes two plies deeper. In both cases the guess
// follows the verdict, as in MTD(f).
func (q *question) answer(v verdict, claim ref) {
	b := q.bounds
	b.mu.Lock()
	defer b.mu.Unlock()
	if q.moot() {
		return
	}
	b.guess, b.claim = q.t-1, claim
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

// narrow answers questions until the bounds meet.
func (w *worker) narrow(r root, b *bounds) {
	w.load(r)
	defer func() { w.counts.nodes.Store(w.nodes) }()
	for {
		q, ok := b.ask()
		if !ok || w.stop.Load() {
			return
		}
		if !w.on.deepening {
			q.depth = unlimited
		}
		w.question = q
		w.counts.depth.Store(int64(q.depth))
		if v := w.search(0, r.key, q.t, q.depth); v != open {
			q.answer(v, w.frames[0].claim)
		}
	}
}
