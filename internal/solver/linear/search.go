package linear

import (
	"math/bits"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
)

const (
	cacheSize = 1 << 15
	// freeMove stands in the place of a part.
	freeMove = -1
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
	early    bool
	mobility bool
	middle   bool
	values   bool
	static   bool
	cancel   bool
	table    bool
}

// move is a candidate: what is played, and the question it puts to the opponent.
type move struct {
	key    lockless.Key
	score  int32
	choice int16
	n      int8
	at     int8
}

// frame is one ply of the stack.
type frame struct {
	key    lockless.Key
	n      int
	colour board.Colour
	moves  []move
	sum    sum
}

// worker is one goroutine's search. Workers share a table, the marks of what is
// being searched, and nothing else.
type worker struct {
	table   *lockless.Table
	marks   *solver.Marks
	rules   rules
	values  *values
	frames  []*frame
	trial   sum
	counted int // moves considered at the present node
	cache   []cached
	profile *Profile // nil unless asked for

	stop *atomic.Bool
	cut  int // ply of a position settled by another worker, or noCut
	solver.Tally
}

const noCut = -1

// at is the frame of a ply.
func (w *worker) at(ply int) *frame {
	if ply == len(w.frames) {
		w.frames = append(w.frames, new(frame))
	}
	return w.frames[ply]
}

// probe is the outcome for the side to move that the table knows.
func (w *worker) probe(k lockless.Key, n int) int {
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

func (w *worker) store(f *frame, outcome int, effort uint64) {
	b := lockless.Bounds{Yes: lockless.NeverYes, No: lockless.NeverNo, Effort: bits.Len64(effort)}
	if outcome == won {
		b.Yes = f.n
	} else {
		b.No = f.n
	}
	w.table.Put(f.key, b)
}

// enter makes the sum of a frame the position to search, c to move.
func (f *frame) enter(c board.Colour) {
	f.key, f.n = f.sum.question(c)
	f.colour = c
}

// search finds the outcome of the position entered at a ply. It is unknown only
// if the search was stopped or cut.
func (w *worker) search(ply int) int {
	w.Nodes++
	before := w.Nodes
	f := w.at(ply)
	w.profile.node(ply, &f.sum)
	if w.interrupted(ply) {
		return unknown
	}
	outcome := won
	if !w.expand(ply, f) {
		outcome = w.try(ply, f)
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
	f := w.at(ply)
	if outcome := w.probe(f.key, f.n); outcome != unknown {
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
		if f := w.at(p); w.probe(f.key, f.n) != unknown {
			w.cut = p
			return true
		}
	}
	return false
}

// expand lists the moves that bounds and table leave open, best first, and
// reports true if one of them is known to win.
func (w *worker) expand(ply int, f *frame) bool {
	s, c := &f.sum, f.colour
	f.moves = f.moves[:0]
	w.counted = 0
	for at := range s.count {
		if s.repeats(at) {
			continue
		}
		p := &s.parts[at]
		if !p.isStrip() {
			for i := range w.options(p.game, c) {
				if w.consider(ply, f, at, i) {
					return true
				}
			}
			continue
		}
		black, white := p.strip.Legal()
		for rest := [2]uint64{black, white}[c]; rest != 0; rest &= rest - 1 {
			if w.consider(ply, f, at, bits.TrailingZeros64(rest)) {
				return true
			}
		}
	}
	if s.balance(c) > 0 && w.consider(ply, f, freeMove, 0) {
		return true
	}
	f.sort()
	return false
}

// consider lists a move unless it is decided, and reports whether it wins.
func (w *worker) consider(ply int, f *frame, at, choice int) bool {
	w.counted++
	c, o := f.colour, f.colour.Opponent()
	w.follow(&f.sum, at, c, choice, &w.trial)
	if outcome := w.trial.decided(o); outcome != unknown {
		w.profile.leaf(ply+1, &w.trial)
		return outcome == lost
	}
	k, n := w.trial.question(o)
	for i := range f.moves {
		if f.moves[i].key == k && int(f.moves[i].n) == n {
			return false
		}
	}
	if w.rules.early {
		if outcome := w.probe(k, n); outcome != unknown {
			return outcome == lost
		}
	}
	f.moves = append(f.moves, move{key: k, n: int8(n), at: int8(at), choice: int16(choice), score: w.score(f, at, choice)})
	return false
}

// sort puts the move of the highest score first; lists are short.
func (f *frame) sort() {
	for i := 1; i < len(f.moves); i++ {
		m := f.moves[i]
		j := i
		for ; j > 0 && f.moves[j-1].score < m.score; j-- {
			f.moves[j] = f.moves[j-1]
		}
		f.moves[j] = m
	}
}

// try searches the listed moves in order; those that another worker is at come last.
func (w *worker) try(ply int, f *frame) int {
	if ply == 0 {
		w.BeginRoot(len(f.moves))
	}
	deferred := 0
	for i, m := range f.moves {
		if i > 0 && w.marks.Has(m.key) {
			f.moves[deferred] = m
			deferred++
			continue
		}
		if outcome := w.descend(ply, f, m, i > 0); outcome != lost {
			return outcome
		}
	}
	for i := range deferred {
		if outcome := w.descend(ply, f, f.moves[i], true); outcome != lost {
			return outcome
		}
	}
	return lost
}

// markPoints is the size below which a position is not worth a mark.
const markPoints = 14

// descend finds the outcome of a move, for the side that makes it. A late move
// may have been settled since it was listed.
func (w *worker) descend(ply int, f *frame, m move, late bool) int {
	outcome := unknown
	if late {
		outcome = w.probe(m.key, int(m.n))
	}
	if outcome == unknown {
		next := w.at(ply + 1)
		w.follow(&f.sum, int(m.at), f.colour, int(m.choice), &next.sum)
		next.enter(f.colour.Opponent())
		marked := w.marks != nil && next.sum.points() >= markPoints
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
	if ply == 0 {
		w.DoneRoot()
	}
	return -outcome
}
