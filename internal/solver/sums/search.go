package sums

import (
	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver/negamax"
)

const (
	maxPly = region.MaxPoints + 2

	// lookAhead is the number of moves between asking for a table entry and reading it.
	lookAhead = 2
)

const (
	lost    = negamax.Lost
	unknown = negamax.Unknown
	won     = negamax.Won
)

// frame is one ply of the stack.
type frame struct {
	// moves listed, those whose questions are known, those of them that have
	// been looked up, and those of these that are open; all from the front
	listed, asked, looked, open int
	colour                      board.Colour
	last                        uint64                             // the move that led here, 0 if there is none
	killer                      uint64                             // the move that won last at this ply
	moves                       [region.MaxPoints + 1]negamax.Move // At is the child
	sum                         *sum.Sum
	children                    [region.MaxPoints + 1]sum.Sum // what listed moves lead to
	fresh                       sum.Pool                      // the parts that are new in them
}

// worker is one goroutine's search.
type worker struct {
	negamax.Searcher
	sum.Builder
	on switches

	points  int // of the board
	frames  [maxPly]frame
	root    sum.Sum
	fresh   sum.Pool
	history [2][64]negamax.Experience
	counter [2][64][64]negamax.Experience // by the opponent's last move

	pending [3]pending
	stores  int

	stones int                         // at the root of the last piece
	left   map[negamax.Question]uint64 // moves that pieces given up were at

	seen      Look // by the learned ordering
	ear       *ear
	observer  Observer
	observing bool
}

// ask is the question of a sum with c to move.
func (w *worker) ask(s *sum.Sum, c board.Colour) negamax.Question {
	if w.Limited {
		return w.Timed(s, c)
	}
	return w.Plain(s, c)
}

// probe is the outcome for c, to move, that the table knows.
func (w *worker) probe(q negamax.Question, c board.Colour) negamax.Outcome {
	if w.Limited && c != w.Attacker {
		return -w.Probe(q)
	}
	return w.Probe(q)
}

// store notes an outcome for the table. Writing waits until the place in the
// table has had time to arrive: a few outcomes are always pending.
func (w *worker) store(ply int, outcome negamax.Outcome, nodes uint64) {
	if w.Limited && w.frames[ply].colour != w.Attacker {
		outcome = -outcome
	}
	q := w.At(ply)
	w.Table.Prefetch(q.Key)
	slot := &w.pending[w.stores%len(w.pending)]
	w.stores++
	slot.write(w.Table)
	*slot = pending{q.Key, negamax.Fact(q.N, outcome, nodes), true}
	if nodes >= w.ear.least.Load() {
		w.ear.hear(slot.key, slot.bounds)
	}
}

// flush writes what is pending.
func (w *worker) flush() {
	for i := range w.pending {
		w.pending[i].write(w.Table)
		w.pending[i].full = false
	}
}

// pending is an outcome on its way to the table.
type pending struct {
	key    lockless.Key
	bounds lockless.Bounds
	full   bool
}

func (p *pending) write(t *lockless.Table) {
	if p.full {
		t.Put(p.key, p.bounds)
	}
}

// decided is the outcome for c, to move, that can be told without a search.
func (w *worker) decided(s *sum.Sum, c board.Colour) negamax.Outcome {
	if !w.Limited {
		return s.Decided(c)
	}
	a, d := w.Attacker, w.Attacker.Opponent()
	sign := negamax.Outcome(1)
	if c != a {
		sign = -1
	}
	switch plain := s.Decided(c) * sign; {
	case c == d && s.Open[d]+s.Free[d] == 0:
		return lost
	case c == a && s.Open[a]+s.Free[a] == 0, s.Free[d]+s.Sure[d] > s.Allow, c == d && s.Allow == 0, plain < 0:
		return lost * sign
	case plain > 0 && s.Free[d]+s.Most[d] <= s.Allow:
		return won * sign
	}
	return w.plainly(s, c, a)
}

// plainly uses what the table knows of the game without a limit: an attacker who
// loses it cannot win sooner, and one who wins it wins in time if the defender
// cannot make more moves than he is allowed anyway.
func (w *worker) plainly(s *sum.Sum, c, a board.Colour) negamax.Outcome {
	outcome := w.Probe(w.Plain(s, c))
	attacker := outcome
	if c != a {
		attacker = -outcome
	}
	d := a.Opponent()
	if attacker == lost || attacker == won && s.Free[d]+s.Most[d] <= s.Allow {
		return outcome
	}
	return unknown
}

// enter makes the sum of a frame the position to search, c to move.
func (w *worker) enter(ply int, c board.Colour) {
	f := &w.frames[ply]
	f.colour = c
	w.Enter(ply, w.ask(f.sum, c))
}

// search finds the outcome of the position entered at a ply. It is unknown only
// if the search was stopped or cut.
func (w *worker) search(ply int) negamax.Outcome {
	w.Nodes++
	before := w.Nodes
	if w.Interrupted(ply) {
		return unknown
	}
	outcome := won
	if !w.expand(ply) {
		outcome = w.try(ply)
		if w.observer != nil && outcome != unknown {
			w.observe(ply)
		}
	}
	switch {
	case outcome == unknown && w.Cut(ply):
		return w.resume(ply)
	case outcome != unknown && !w.Forget:
		w.store(ply, outcome, w.Nodes-before+1)
	}
	return outcome
}

// resume takes over the outcome that another worker has found for the position
// at a ply, or goes on if the table has lost it since.
func (w *worker) resume(ply int) negamax.Outcome {
	if outcome := w.probe(w.At(ply), w.frames[ply].colour); outcome != unknown {
		return outcome
	}
	return w.search(ply)
}

// expand lists the moves that bounds and table leave open, best first, and
// reports true if one of them is known to win.
func (w *worker) expand(ply int) bool {
	f := &w.frames[ply]
	if w.list(f) {
		return true
	}
	w.goOn(ply)
	negamax.Sort(f.moves[:f.listed])
	return w.lookUp(f)
}

// list plays all moves, first the killer. It keeps those
// that bounds do not decide, and reports whether they show one to win.
func (w *worker) list(f *frame) bool {
	f.listed, f.fresh.Used = 0, 0
	s, c := f.sum, f.colour
	for at, p := range s.Parts() {
		if w.Repeats(s, at) {
			continue
		}
		open := p.Region.Open[c]
		if open&f.killer != 0 {
			open &^= f.killer
			if w.consider(f, at, f.killer) {
				return true
			}
		}
		for ; open != 0; open &= open - 1 {
			if w.consider(f, at, open&-open) {
				return true
			}
		}
	}
	return w.hasFree(s, c) && w.consider(f, 0, 0)
}

// hasFree reports whether c has a free move. In plain games those of the
// opponent have been set off against it.
func (w *worker) hasFree(s *sum.Sum, c board.Colour) bool {
	if w.Limited {
		return s.Free[c] > 0
	}
	return s.Free[c] > s.Free[c^1]
}

// consider lists a move unless it is decided, and reports whether it wins.
func (w *worker) consider(f *frame, at int, point uint64) bool {
	c := f.colour
	trial, used := &f.children[f.listed], f.fresh.Used
	w.Follow(f.sum, at, c, point, trial, &f.fresh)
	switch w.decided(trial, c.Opponent()) {
	case lost:
		f.killer = point
		return true
	case won:
		f.fresh.Used = used
		return false
	}
	f.moves[f.listed] = negamax.Move{At: int8(f.listed), Point: point, Score: w.score(f, trial, point)}
	f.listed++
	return false
}

// lookUp asks the table for the listed moves, best first, keeps those it does
// not know in front, and reports whether one wins.
func (w *worker) lookUp(f *frame) bool {
	f.asked, f.looked, f.open = 0, 0, 0
	for i := range f.listed {
		m := f.moves[i]
		q := w.ask(&f.children[m.At], f.colour.Opponent())
		if negamax.Asks(f.moves[:f.asked], q) {
			continue
		}
		m.Key, m.N = q.Key, int8(q.N)
		w.Table.Prefetch(q.Key)
		f.moves[f.asked] = m
		f.asked++
		if w.read(f, f.asked-lookAhead) {
			return true
		}
	}
	return w.read(f, f.asked)
}

// read takes the answers of the table to the questions up to a place in the list.
func (w *worker) read(f *frame, until int) bool {
	for ; f.looked < until; f.looked++ {
		m := f.moves[f.looked]
		if w.on.early {
			switch w.probe(m.Question(), f.colour.Opponent()) {
			case lost:
				f.killer = m.Point
				return true
			case won:
				continue
			}
		}
		f.moves[f.open] = m
		f.open++
	}
	return false
}

// try searches the open moves in turn.
func (w *worker) try(ply int) negamax.Outcome {
	f := &w.frames[ply]
	if ply == 0 {
		w.BeginRoot(f.open)
	}
	for turns := w.Turns(f.moves[:f.open]); turns.Next(); {
		if outcome := w.descend(ply, &turns.Move, turns.Late); outcome != lost {
			return outcome
		}
	}
	return lost
}

// markPoints is the size below which a position is not worth a mark.
const markPoints = 7

// descend searches one move and returns what that means for its mover: won,
// unknown, or lost as far as this move is concerned. A late move may have been
// settled since it was listed.
func (w *worker) descend(ply int, m *negamax.Move, late bool) negamax.Outcome {
	f := &w.frames[ply]
	c := f.colour
	outcome := unknown
	if late {
		outcome = w.probe(m.Question(), c.Opponent())
	}
	if outcome == unknown {
		next := &w.frames[ply+1]
		next.sum, next.last = &f.children[m.At], m.Point
		w.Tally.Follow(ply, m.Point)
		w.enter(ply+1, c.Opponent())
		marked := w.Marks != nil && next.sum.Points >= markPoints
		if marked {
			w.Marks.Set(m.Key)
		}
		outcome = w.search(ply + 1)
		if marked {
			w.Marks.Clear(m.Key)
		}
		if outcome == unknown {
			w.giveUp(ply, m.Point)
			return unknown
		}
	}
	w.note(f, m.Point, outcome == lost)
	if ply == 0 {
		w.DoneRoot()
	}
	if outcome == lost {
		f.killer = m.Point
	}
	return -outcome
}
