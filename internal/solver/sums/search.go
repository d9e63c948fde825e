package sums

import (
	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/region/tiny"
	"tengen/internal/solver"
)

const (
	maxPly = region.MaxPoints + 2

	// lookAhead is the number of moves between prefetching a table entry and
	// reading it.
	lookAhead = 2
)

const (
	lost    = solver.Lost
	unknown = solver.Unknown
	won     = solver.Won
)

// frame is one ply of the stack.
type frame struct {
	// counts from the front of the list: moves listed; moves with a question;
	// moves looked up; moves still open
	listed, asked, looked, open int
	colour                      board.Colour
	last                        uint64                            // the move that led here, 0 if there is none
	killer                      uint64                            // the move that won last at this ply
	moves                       [region.MaxPoints + 1]solver.Move // At is the child
	sum                         *sum.Sum
	children                    [region.MaxPoints + 1]sum.Sum // positions after the listed moves
	fresh                       sum.Pool                      // the parts that are new in them
}

// worker is one goroutine's search.
type worker struct {
	solver.Searcher
	sum.Builder
	on switches

	points  int // of the board
	frames  [maxPly]frame
	root    sum.Sum
	fresh   sum.Pool
	history [2][64]solver.Experience
	counter [2][64][64]solver.Experience // by the opponent's last move

	pending [3]pending
	stores  int

	stones int                        // at the root of the last piece
	left   map[solver.Question]uint64 // moves being searched when a piece was given up

	small     tiny.Sum
	seen      Look    // input of the learned ordering
	policy    *policy // nil where it is not used
	exports   *exports
	profile   *profile // nil unless asked for
	observer  Observer
	observing bool
	recorder  Recorder
}

// ask is the question of a sum with c to move.
func (w *worker) ask(s *sum.Sum, c board.Colour) solver.Question {
	if w.Limited {
		return w.Timed(s, c)
	}
	return w.Plain(s, c)
}

// probe is the outcome for c, to move, that the table knows.
func (w *worker) probe(q solver.Question, c board.Colour) solver.Outcome {
	if w.Limited && c != w.Attacker {
		return -w.Probe(q)
	}
	return w.Probe(q)
}

// store queues an outcome for the table. It is written a few outcomes later,
// when its place in the table has been prefetched.
func (w *worker) store(ply int, outcome solver.Outcome, nodes uint64) {
	if w.Limited && w.frames[ply].colour != w.Attacker {
		outcome = -outcome
	}
	q := w.At(ply)
	w.Table.Prefetch(q.Key)
	slot := &w.pending[w.stores%len(w.pending)]
	w.stores++
	slot.write(w.Table)
	*slot = pending{q.Key, solver.Fact(q.N, outcome, nodes), true}
	if nodes >= w.exports.least.Load() {
		w.exports.add(slot.key, slot.bounds)
	}
}

// flush writes the queued outcomes.
func (w *worker) flush() {
	for i := range w.pending {
		w.pending[i].write(w.Table)
		w.pending[i].full = false
	}
}

// pending is an outcome that is queued for the table.
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

// decided is the outcome for c, to move, if it is known without a search.
func (w *worker) decided(s *sum.Sum, c board.Colour) solver.Outcome {
	if !w.Limited {
		return s.Decided(c)
	}
	a, d := w.Attacker, w.Attacker.Opponent()
	sign := solver.Outcome(1)
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

// plainly uses the table's results for the game without a limit. An attacker who
// loses that game cannot win sooner. An attacker who wins it wins in time if the
// defender cannot make more moves than allowed.
func (w *worker) plainly(s *sum.Sum, c, a board.Colour) solver.Outcome {
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

// enter sets the sum of a frame as the position to search, c to move.
func (w *worker) enter(ply int, c board.Colour) {
	f := &w.frames[ply]
	f.colour = c
	w.Enter(ply, w.ask(f.sum, c))
}

// search finds the outcome of the position entered at a ply. It is unknown only
// if the search was stopped or cut.
func (w *worker) search(ply int) solver.Outcome {
	w.Nodes++
	before := w.Nodes
	if w.Interrupted(ply) {
		return unknown
	}
	w.profile.node(w.frames[ply].sum.Points, len(w.frames[ply].sum.Parts()))
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

// resume takes the outcome that another worker has found for the position at a
// ply. If the table has lost it since, the search goes on.
func (w *worker) resume(ply int) solver.Outcome {
	if outcome := w.probe(w.At(ply), w.frames[ply].colour); outcome != unknown {
		return outcome
	}
	return w.search(ply)
}

// expand lists the moves that neither bounds nor table decide, best first. It
// returns true if a move is known to win.
func (w *worker) expand(ply int) bool {
	f := &w.frames[ply]
	if w.list(f) {
		return true
	}
	w.rank(ply)
	if w.recorder != nil {
		w.recordList(ply)
	}
	w.goOn(ply)
	solver.Sort(f.moves[:f.listed])
	return w.lookUp(f)
}

// list plays all moves, the killer move first. It keeps those that bounds do not
// decide, and reports whether bounds show one to win.
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

// hasFree reports whether c has a free move. In plain games free moves of both
// sides cancel.
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
	f.moves[f.listed] = solver.Move{At: int8(f.listed), Point: point, Score: w.score(f, trial, point)}
	f.listed++
	return false
}

// lookUp plays out the listed moves or looks them up in the table, best first. It keeps
// the unknown ones in front, and reports whether one wins.
func (w *worker) lookUp(f *frame) bool {
	f.asked, f.looked, f.open = 0, 0, 0
	for i := range f.listed {
		m := f.moves[i]
		switch w.playOut(&f.children[m.At], f.colour.Opponent()) {
		case lost:
			f.killer = m.Point
			return true
		case won:
			continue
		}
		q := w.ask(&f.children[m.At], f.colour.Opponent())
		if solver.Asks(f.moves[:f.asked], q) {
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

// playOut finds the outcome of a small position for the side to move. A game without a
// limit depends on nothing but what tiny.Sum keeps; with a limit its length counts too.
func (w *worker) playOut(s *sum.Sum, c board.Colour) solver.Outcome {
	if !w.on.small || w.Limited || s.Points > tiny.MaxPoints {
		return unknown
	}
	w.small.Clear()
	for _, p := range s.Parts() {
		if !w.small.Add(w.Grid, &p.Region) {
			return unknown
		}
	}
	free := s.Balance()
	if c == board.White {
		free = -free
	}
	w.Nodes++
	before := w.small.Steps
	wins := w.small.Wins(c, free)
	w.profile.node(s.Points, len(s.Parts()))
	w.profile.playedOut(s.Points, w.small.Steps-before)
	if wins {
		return won
	}
	return lost
}

// read reads the table entries of the questions up to a place in the list.
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
func (w *worker) try(ply int) solver.Outcome {
	f := &w.frames[ply]
	if ply == 0 {
		w.BeginRoot(f.open)
	}
	before, first := w.Nodes, true
	for turns := w.Turns(f.moves[:f.open]); turns.Next(); first = false {
		wasted := w.Nodes - before
		outcome := w.descend(ply, &turns.Move, turns.Late)
		if w.recorder != nil && outcome != unknown {
			w.record(ply, &turns.Move, outcome == won, w.Nodes-before-wasted)
		}
		if outcome != lost {
			if outcome == won {
				w.profile.won(f.sum.Points, first, w.Nodes-before+1, wasted)
			}
			return outcome
		}
	}
	return lost
}

// markPoints is the least number of points of a position that is marked.
const markPoints = 7

// descend searches one move and returns its outcome for its mover: won, unknown,
// or lost for this move. A late move may have been settled since it was listed.
func (w *worker) descend(ply int, m *solver.Move, late bool) solver.Outcome {
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
