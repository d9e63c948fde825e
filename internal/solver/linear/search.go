package linear

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/solver"
)

const (
	cacheSize = 1 << 15
	// freeMove replaces the number of a part.
	freeMove = -1
)

const (
	lost    = solver.Lost
	unknown = solver.Unknown
	won     = solver.Won
)

// frame is one ply of the stack.
type frame struct {
	colour board.Colour
	moves  []solver.Move // Point is a point of a strip, or one of the options of a value
	sum    sum
}

// worker is one goroutine's search.
type worker struct {
	solver.Searcher
	on      switches
	values  *values
	frames  []*frame
	trial   sum
	counted int // moves considered at the present node
	cache   []cached
	profile *Profile // nil unless asked for
}

// frame is the frame of a ply.
func (w *worker) frame(ply int) *frame {
	if ply == len(w.frames) {
		w.frames = append(w.frames, new(frame))
	}
	return w.frames[ply]
}

// enter sets the sum of a frame as the position to search, c to move.
func (w *worker) enter(ply int, c board.Colour) {
	f := w.frame(ply)
	f.colour = c
	w.Enter(ply, f.sum.question(c))
}

// search finds the outcome of the position entered at a ply. It is unknown only
// if the search was stopped or cut.
func (w *worker) search(ply int) solver.Outcome {
	w.Nodes++
	before := w.Nodes
	f := w.frame(ply)
	w.profile.node(ply, &f.sum)
	if w.Interrupted(ply) {
		return unknown
	}
	outcome := won
	if !w.expand(ply, f) {
		outcome = w.try(ply, f)
	}
	switch q := w.At(ply); {
	case outcome == unknown && w.Cut(ply):
		// Another worker has settled the position, unless the table has lost
		// the entry since.
		if outcome = w.Probe(q); outcome == unknown {
			return w.search(ply)
		}
	case outcome != unknown && !w.Forget:
		w.Table.Put(q.Key, solver.Fact(q.N, outcome, w.Nodes-before+1))
	}
	return outcome
}

// expand lists the moves that neither bounds nor table decide, best first. It
// returns true if a move is known to win.
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
	solver.Sort(f.moves)
	return false
}

// consider lists a move unless it is decided, and reports whether it wins.
func (w *worker) consider(ply int, f *frame, at, choice int) bool {
	w.counted++
	c, o := f.colour, f.colour.Opponent()
	w.follow(&f.sum, at, c, choice, &w.trial)
	if outcome := w.trial.Decided(o); outcome != unknown {
		w.profile.leaf(ply+1, &w.trial)
		return outcome == lost
	}
	q := w.trial.question(o)
	if solver.Asks(f.moves, q) {
		return false
	}
	if w.on.early {
		if outcome := w.Probe(q); outcome != unknown {
			return outcome == lost
		}
	}
	f.moves = append(f.moves, solver.Move{Key: q.Key, N: int8(q.N), At: int8(at), Point: uint64(choice), Score: w.score(f, at, choice)})
	return false
}

// try searches the listed moves in turn.
func (w *worker) try(ply int, f *frame) solver.Outcome {
	if ply == 0 {
		w.BeginRoot(len(f.moves))
	}
	for turns := w.Turns(f.moves); turns.Next(); {
		if outcome := w.descend(ply, f, &turns.Move, turns.Late); outcome != lost {
			return outcome
		}
	}
	return lost
}

// markPoints is the least number of points of a position that is marked.
const markPoints = 14

// descend finds the outcome of a move, for the side that makes it. A late move
// may have been settled since it was listed.
func (w *worker) descend(ply int, f *frame, m *solver.Move, late bool) solver.Outcome {
	outcome := unknown
	if late {
		outcome = w.Probe(m.Question())
	}
	if outcome == unknown {
		next := w.frame(ply + 1)
		w.follow(&f.sum, int(m.At), f.colour, int(m.Point), &next.sum)
		w.enter(ply+1, f.colour.Opponent())
		marked := w.Marks != nil && next.sum.points() >= markPoints
		if marked {
			w.Marks.Set(m.Key)
		}
		outcome = w.search(ply + 1)
		if marked {
			w.Marks.Clear(m.Key)
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
