package sums

import (
	"math/bits"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/nogo"
)

const (
	maxPly = region.MaxPoints + 2

	// lookAhead is the number of moves between asking for a table entry and reading it.
	lookAhead = 2
	// strayNodes is how often a worker looks whether another has settled a
	// position that it is still below.
	strayNodes = 64
	// publishNodes is how often the counts others may read are brought up to date.
	publishNodes = 1024
)

// Outcomes of a search, seen by the side to move.
const (
	lost    = -1
	unknown = 0 // the search was stopped
	won     = 1
)

// rules are the parts of the search that can be switched off.
type rules struct {
	limited  bool
	early    bool
	history  bool
	mobility bool
	judge    bool
	bounds   bool
	split    bool
	cancel   bool
	table    bool
}

// move is a candidate: where it is played, and the question it puts to the opponent.
type move struct {
	key   lockless.Key
	point uint64
	score int32
	n     int8
	child int8
}

// frame is one ply of the stack.
type frame struct {
	// moves listed, those whose questions are known, those of them that have
	// been looked up, and those of these that are open; all from the front
	listed, asked, looked, open int
	key                         lockless.Key
	n                           int
	colour                      board.Colour
	last                        uint64 // the move that led here, 0 if there is none
	reply                       uint64 // the move that won last at this ply
	moves                       [region.MaxPoints + 1]move
	sum                         *sum
	children                    [region.MaxPoints + 1]sum // what listed moves lead to
	fresh                       pool                      // the parts that are new in them
}

// worker is one goroutine's search. Workers share a table, the marks of what is
// being searched, and nothing else.
type worker struct {
	grid     nogo.Grid
	points   int // of the board
	table    *lockless.Table
	marks    *solver.Marks
	rules    rules
	attacker board.Colour // in limited games
	exact    int

	frames  [maxPly]frame
	root    sum
	fresh   pool
	history [2][64]record
	counter [2][64][64]record // by the opponent's last move

	values map[region.Key]value
	levels [maxExact + 2]level
	level  int

	pending [3]pending
	stores  int

	seen      Look // by the judge
	observer  Observer
	observing bool

	stop *atomic.Bool
	cut  int // ply of a position settled by another worker, or noCut
	solver.Tally
}

const noCut = maxPly

// ask is the question of a sum with c to move.
func (w *worker) ask(s *sum, c board.Colour) (lockless.Key, int) {
	if w.rules.limited {
		return w.questionLimited(s, c)
	}
	return w.question(s, c)
}

// known is what the table answers to a question; unknown if it does not.
func (w *worker) known(k lockless.Key, n int) int {
	if !w.rules.table {
		return unknown
	}
	w.Probes++
	b, ok := w.table.Get(k)
	switch {
	case !ok:
		return unknown
	case n >= b.Yes:
		return won
	case n <= b.No:
		return lost
	}
	return unknown
}

// probe is the outcome for c, to move, that the table knows.
func (w *worker) probe(k lockless.Key, n int, c board.Colour) int {
	if w.rules.limited && c != w.attacker {
		return -w.known(k, n)
	}
	return w.known(k, n)
}

// store notes an outcome for the table. Writing waits until the place in the
// table has had time to arrive: a few outcomes are always pending.
func (w *worker) store(f *frame, outcome int, effort uint64) {
	if w.rules.limited && f.colour != w.attacker {
		outcome = -outcome
	}
	b := lockless.Bounds{Yes: lockless.NeverYes, No: lockless.NeverNo, Effort: bits.Len64(effort)}
	if outcome == won {
		b.Yes = f.n
	} else {
		b.No = f.n
	}
	w.table.Prefetch(f.key)
	slot := &w.pending[w.stores%len(w.pending)]
	w.stores++
	slot.write(w.table)
	*slot = pending{f.key, b, true}
}

// flush writes what is pending.
func (w *worker) flush() {
	for i := range w.pending {
		w.pending[i].write(w.table)
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
func (w *worker) decided(s *sum, c board.Colour) int {
	if !w.rules.limited {
		return s.bounded(c)
	}
	a, d := w.attacker, w.attacker.Opponent()
	sign := 1
	if c != a {
		sign = -1
	}
	switch plain := s.bounded(c) * sign; {
	case c == d && s.open[d]+s.free[d] == 0:
		return lost
	case c == a && s.open[a]+s.free[a] == 0, s.free[d]+s.sure[d] > s.allow, c == d && s.allow == 0, plain < 0:
		return lost * sign
	case plain > 0 && s.free[d]+s.most[d] <= s.allow:
		return won * sign
	}
	return w.plainly(s, c, a)
}

// plainly uses what the table knows of the game without a limit: an attacker who
// loses it cannot win sooner, and one who wins it wins in time if the defender
// cannot make more moves than he is allowed anyway.
func (w *worker) plainly(s *sum, c, a board.Colour) int {
	outcome := w.known(w.question(s, c))
	attacker := outcome
	if c != a {
		attacker = -outcome
	}
	d := a.Opponent()
	if attacker == lost || attacker == won && s.free[d]+s.most[d] <= s.allow {
		return outcome
	}
	return unknown
}

// enter makes the sum of a frame the position to search, c to move.
func (w *worker) enter(ply int, c board.Colour) {
	f := &w.frames[ply]
	f.key, f.n = w.ask(f.sum, c)
	f.colour = c
}

// search finds the outcome of the position entered at a ply. It is unknown only
// if the search was stopped or cut.
func (w *worker) search(ply int) int {
	w.Nodes++
	before := w.Nodes
	if w.interrupted(ply) {
		return unknown
	}
	f := &w.frames[ply]
	outcome := won
	if !w.expand(f) {
		outcome = w.try(ply)
		if w.observer != nil && outcome != unknown {
			w.observe(ply)
		}
	}
	if outcome == unknown {
		if w.cut == ply {
			return w.resume(ply)
		}
		return unknown
	}
	if w.rules.table {
		w.store(f, outcome, w.Nodes-before+1)
	}
	return outcome
}

// resume takes over the outcome that another worker has found for the position
// at a ply, or goes on if the table has lost it since.
func (w *worker) resume(ply int) int {
	w.cut = noCut
	f := &w.frames[ply]
	if outcome := w.probe(f.key, f.n, f.colour); outcome != unknown {
		return outcome
	}
	return w.search(ply)
}

// interrupted reports whether to give up below this ply.
func (w *worker) interrupted(ply int) bool {
	if w.Nodes%publishNodes == 0 {
		w.Publish()
	}
	if w.stop.Load() {
		return true
	}
	if w.marks == nil || w.Nodes%strayNodes != 0 {
		return false
	}
	for p := range ply {
		f := &w.frames[p]
		if w.probe(f.key, f.n, f.colour) != unknown {
			w.cut = p
			return true
		}
	}
	return false
}

// expand lists the moves that bounds and table leave open, best first, and
// reports true if one of them is known to win.
func (w *worker) expand(f *frame) bool {
	if w.list(f) {
		return true
	}
	f.sort()
	return w.lookUp(f)
}

// list plays all moves, first the one that won last at this ply. It keeps those
// that bounds do not decide, and reports whether they show one to win.
func (w *worker) list(f *frame) bool {
	f.listed, f.fresh.used = 0, 0
	s, c := f.sum, f.colour
	for at := range s.count {
		if w.repeats(s, at) {
			continue
		}
		open := s.parts[at].region.Open[c]
		if open&f.reply != 0 {
			open &^= f.reply
			if w.consider(f, at, f.reply) {
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
func (w *worker) hasFree(s *sum, c board.Colour) bool {
	if w.rules.limited {
		return s.free[c] > 0
	}
	return s.free[c] > s.free[c^1]
}

// consider lists a move unless it is decided, and reports whether it wins.
func (w *worker) consider(f *frame, at int, point uint64) bool {
	c := f.colour
	trial, used := &f.children[f.listed], f.fresh.used
	w.follow(f.sum, at, c, point, trial, &f.fresh)
	switch w.decided(trial, c.Opponent()) {
	case lost:
		f.reply = point
		return true
	case won:
		f.fresh.used = used
		return false
	}
	f.moves[f.listed] = move{child: int8(f.listed), point: point, score: w.score(f, trial, point)}
	f.listed++
	return false
}

// lookUp asks the table for the listed moves, best first, keeps those it does
// not know in front, and reports whether one wins. Of moves that put the same
// question one is enough.
func (w *worker) lookUp(f *frame) bool {
	f.asked, f.looked, f.open = 0, 0, 0
	for i := range f.listed {
		m := f.moves[i]
		k, n := w.ask(&f.children[m.child], f.colour.Opponent())
		m.key, m.n = k, int8(n)
		if f.hasAsked(m) {
			continue
		}
		w.table.Prefetch(k)
		f.moves[f.asked] = m
		f.asked++
		if w.read(f, f.asked-lookAhead) {
			return true
		}
	}
	return w.read(f, f.asked)
}

func (f *frame) hasAsked(m move) bool {
	for i := range f.asked {
		if f.moves[i].key == m.key && f.moves[i].n == m.n {
			return true
		}
	}
	return false
}

// read takes the answers of the table to the questions up to a place in the list.
func (w *worker) read(f *frame, until int) bool {
	for ; f.looked < until; f.looked++ {
		m := f.moves[f.looked]
		if w.rules.early {
			switch w.probe(m.key, int(m.n), f.colour.Opponent()) {
			case lost:
				f.reply = m.point
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

// repeats reports whether an equal region comes before.
func (w *worker) repeats(s *sum, at int) bool {
	for _, p := range s.parts[:at] {
		w.name(p)
		w.name(s.parts[at])
		if p.key == s.parts[at].key {
			return true
		}
	}
	return false
}

// try searches the open moves in order; those that another worker is at come last.
func (w *worker) try(ply int) int {
	f := &w.frames[ply]
	if ply == 0 {
		w.BeginRoot(f.open)
	}
	deferred := 0
	for i := range f.open {
		m := f.moves[i]
		if i > 0 && w.marks.Has(m.key) {
			f.moves[deferred] = m
			deferred++
			continue
		}
		if outcome := w.descend(ply, m, i > 0); outcome != lost {
			return outcome
		}
	}
	for i := range deferred {
		if outcome := w.descend(ply, f.moves[i], true); outcome != lost {
			return outcome
		}
	}
	return lost
}

// markPoints is the size below which a position is not worth a mark.
const markPoints = 7

// descend searches one move and returns what that means for its mover: won,
// unknown, or lost as far as this move is concerned.
func (w *worker) descend(ply int, m move, again bool) int {
	f := &w.frames[ply]
	c := f.colour
	outcome := unknown
	if again {
		outcome = w.probe(m.key, int(m.n), c.Opponent())
	}
	if outcome == unknown {
		w.frames[ply+1].sum = &f.children[m.child]
		w.enter(ply+1, c.Opponent())
		w.frames[ply+1].last = m.point
		marked := w.marks != nil && w.frames[ply+1].sum.points >= markPoints
		if marked {
			w.marks.Set(m.key)
		}
		outcome = w.search(ply + 1)
		if marked {
			w.marks.Clear(m.key)
		}
		if outcome == unknown {
			return unknown
		}
	}
	w.note(f, m.point, outcome == lost)
	if ply == 0 {
		w.DoneRoot()
	}
	if outcome == lost {
		f.reply = m.point
	}
	return -outcome
}
