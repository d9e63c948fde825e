package gosearch

import (
	"math/bits"
	"sync/atomic"

	"tengen/internal/yield"
	"tengen/weiqi"
)

// worker is one thread of the search.
type worker struct {
	geo    *geometry
	table  *table
	safety safety
	on     switches
	stop   *atomic.Bool
	frames []frame

	// The round under way.
	goal   int
	round  uint16
	width  width   // of the prover's moves
	stones *stones // nil if they are not counted

	order   [2][64]int // of points, to begin with
	killers [MaxPlies + 1][2]uint8
	nodes   uint64
	limit   uint64 // of nodes
	shared  atomic.Uint64
}

// frame is the memory of one ply.
type frame struct {
	blocks   weiqi.Blocks
	stones   []weiqi.Stone
	children []child
}

// child is a move and where it leads.
type child struct {
	state
	key   uint64
	move  uint8
	sym   uint8
	order int
}

// MaxPlies bounds the depth of a proof.
const MaxPlies = 160

// outcome of a search within a number of plies.
type outcome int8

const (
	never   outcome = -1 // the other side has proven that the goal is not reached
	notYet  outcome = 0
	reached outcome = 1
)

// Weights that order moves; they were chosen, not fitted.
const (
	tableMove  = 1 << 28
	killerMove = 40000
	takenStone = 2000
	ownEye     = -1 << 20
	passOther  = -1 << 19
	passProver = -1 << 21
	liberty    = 20
)

// halted reports whether the search must end. A result of win is invalid after that.
func (w *worker) halted() bool { return w.nodes >= w.limit || w.stop.Load() }

// static decides a state without search, if it can.
func (w *worker) static(s *state) outcome {
	points := w.geo.points
	if s.reply {
		if w.safe(s.own, s.other, (w.goal+points+1)/2) && (!s.passed || w.geo.grid.Score(s.own, s.other) >= w.goal) {
			return reached
		}
		return notYet
	}
	if w.safe(s.other, s.own, (points-w.goal)/2+1) && (!s.passed || w.geo.grid.Score(s.own, s.other) < w.goal) {
		return never
	}
	return notYet
}

func (w *worker) safe(own, other uint64, want int) bool {
	if want <= 0 {
		return true
	}
	return w.on.life && w.safety.enough(own, other, want)
}

// scored is the outcome of a game that has ended.
func (w *worker) scored(s *state) outcome {
	if w.geo.grid.Score(s.own, s.other) >= w.goal {
		return reached
	}
	return never
}

// list lists the moves of a state.
func (w *worker) list(s *state, f *frame, first uint8, ply int) {
	side, mine := 0, s.own
	if s.reply {
		side, mine = 1, s.other
	}
	f.children = f.children[:0]
	f.blocks.Take(w.geo.grid, s.own, s.other)
	f.stones = f.blocks.Moves(side, f.stones[:0])
	for _, m := range f.stones {
		if m.Point == s.ko {
			continue
		}
		k := child{state: s.after(m), move: uint8(bits.TrailingZeros64(m.Point))}
		k.order = w.order[side][k.move] + takenStone*bits.OnesCount64(m.Taken)
		if w.on.liberties {
			k.order += liberty * w.liberties(&k.state, m.Point)
		}
		if w.geo.grid.Around(m.Point)&^mine == 0 {
			k.order += ownEye
		}
		if w.on.killers {
			for _, killer := range w.killers[ply] {
				if k.move == killer {
					k.order += killerMove
				}
			}
		}
		f.children = append(f.children, k)
	}
	k := child{state: s.afterPass(), move: pass, order: passProver}
	if s.reply {
		k.order = passOther
	}
	f.children = append(f.children, k)
	for i := range f.children {
		if f.children[i].move == first {
			f.children[i].order += tableMove
		}
	}
}

// win searches whether the prover reaches the goal within d plies.
func (w *worker) win(s *state, key uint64, sym uint8, d, ply int) outcome {
	known, _ := w.table.get(key, w.goal, w.round)
	switch {
	case known.win <= d:
		return reached
	case known.never:
		return never
	case known.fail >= d || w.halted():
		return notYet
	}
	w.nodes++
	if w.nodes&1023 == 0 {
		w.shared.Store(w.nodes)
		yield.Now()
	}
	before := w.nodes
	first := known.move
	if first < pass {
		first = w.geo.from[sym][first]
	}
	f := &w.frames[ply]
	w.list(s, f, first, ply)
	result, best, done := w.look(s, f, d)
	if !done {
		result, best = w.deepen(s, f, result, d, ply)
		if w.halted() {
			return notYet
		}
	}
	known, _ = w.table.get(key, w.goal, w.round)
	switch result {
	case reached:
		known.win = min(known.win, d)
	case never:
		known.never = true
	default:
		known.fail = max(known.fail, d)
	}
	if best < pass {
		known.move = w.geo.image[sym][best]
	} else if best == pass {
		known.move = pass
	}
	w.table.put(key, w.goal, w.round, known, bits.Len64(w.nodes-before)+1)
	return result
}

// look decides moves without search and keeps the others in the frame. It returns done
// if one move decides the state or no move is left. Otherwise the result is that of the
// decided moves.
func (w *worker) look(s *state, f *frame, d int) (result outcome, best uint8, done bool) {
	left := 0
	result = never
	if s.reply {
		result = reached
	}
	for i := range f.children {
		k := &f.children[i]
		var v outcome
		decided := true
		if k.move == pass && s.passed {
			v = w.scored(&k.state)
		} else {
			k.key, k.sym = w.geo.key(&k.state)
			v, decided = w.glance(k, d-1)
		}
		switch {
		case !decided:
			f.children[left] = *k
			left++
		case s.reply != (v == reached):
			return v, k.move, true
		case !s.reply:
			result = max(result, v)
		}
	}
	f.children = f.children[:left]
	return result, noMove, left == 0
}

// glance is the outcome of a move with d plies left after it, and whether no search is
// needed to know it.
func (w *worker) glance(k *child, d int) (v outcome, decided bool) {
	known, found := w.table.get(k.key, w.goal, w.round)
	if w.on.cutoff || d <= 0 {
		switch {
		case known.win <= d:
			return reached, true
		case known.never:
			return never, true
		case known.fail >= d:
			return notYet, true
		}
	}
	if !found {
		if v := w.static(&k.state); v != notYet {
			known.win, known.never = noWin, v == never
			if v == reached {
				known.win = 0
			}
			w.table.put(k.key, w.goal, w.round, known, 1)
			return v, true
		}
	}
	if d <= 0 {
		return notYet, true
	}
	if w.stones != nil {
		moves := d / 2
		if !k.reply {
			moves = (d + 1) / 2
		}
		if w.stones.of(k.own) > moves {
			return notYet, true
		}
	}
	return notYet, false
}

// deepen searches the moves in order. all is the outcome of the moves decided before.
func (w *worker) deepen(s *state, f *frame, all outcome, d, ply int) (outcome, uint8) {
	for i := range f.children {
		less := 0
		if !s.reply && i >= w.width.moves {
			less = w.width.less
			if all = notYet; d-1-less <= 0 {
				break
			}
		}
		m := i
		for j := i + 1; j < len(f.children); j++ {
			if f.children[j].order > f.children[m].order {
				m = j
			}
		}
		f.children[i], f.children[m] = f.children[m], f.children[i]
		k := &f.children[i]
		v := w.win(&k.state, k.key, k.sym, d-1-less, ply+1)
		if w.halted() {
			return notYet, noMove
		}
		if s.reply != (v == reached) {
			w.learn(k.move, ply)
			return v, k.move
		}
		if !s.reply {
			all = max(all, v)
		}
	}
	return all, noMove
}

// learn remembers a move that decided a state.
func (w *worker) learn(move uint8, ply int) {
	if k := &w.killers[ply]; move != pass && k[0] != move {
		k[0], k[1] = move, k[0]
	}
}

// liberties counts those of the block that a stone has just been added to, up to four.
func (w *worker) liberties(s *state, point uint64) int {
	own := s.own
	if !s.reply { // the other side has moved
		own = s.other
	}
	free := w.geo.grid.Mask &^ (s.own | s.other)
	return min(bits.OnesCount64(w.geo.grid.Around(w.geo.grid.Flood(point, own))&free), 4)
}
