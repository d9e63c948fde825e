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

	horizon frame    // of finished
	cells   []frame  // of rooms, by the plies left
	settled []uint64 // states by their keys, with one bit: rooms settle them
	*lore
	spoils uint64 // where the other side has last prevented that the prover finishes
	busy   *busy  // nil with one thread
	holder *holder

	// The round under way.
	goal   int
	round  uint16
	width  width  // of the prover's moves
	stones *lacks // nil if they are not counted

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
	won      int   // plies of the proof just found
	best     uint8 // the move that decided
}

// child is a move and where it leads.
type child struct {
	state
	key   uint64
	move  uint8
	sym   uint8
	order int
	won   int  // plies of its proof, if it has one
	later bool // another thread is at it
	less  int  // plies
}

// MaxPlies bounds the depth of a proof.
const MaxPlies = 160

// lore is what the workers of a thread remember of boards, whatever the goal.
type lore struct {
	visited []visited
	shapes  []shape
}

func newLore() *lore {
	return &lore{make([]visited, 1<<visitedBits), make([]shape, 1<<shapeBits)}
}

// outcome of a search within a number of plies.
type outcome int8

const (
	never   outcome = -1 // the other side has proven that the goal is not reached
	notYet  outcome = 0
	reached outcome = 1
	held    outcome = 2 // the other side keeps the prover from the goal for ever
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
	refutation = 100
)

// aim gives a worker a goal, without stones. What rooms settle depends on the goal.
func (w *worker) aim(goal int) {
	if w.goal != goal {
		clear(w.settled)
	}
	w.goal, w.stones = goal, nil
}

// halted reports whether the search must end. A result of win is invalid after that.
func (w *worker) halted() bool { return w.nodes >= w.limit || w.stop.Load() }

// static decides a state without search, if it can: the side that has moved keeps enough
// points.
func (w *worker) static(s *state) outcome {
	points := w.geo.points
	if s.reply {
		if w.stones != nil && w.stones.of(s.own) > 0 {
			return notYet
		}
		if w.secure(s) || w.stones == nil && w.behind(s.own, s.other, w.wanted(), s.passed) {
			return reached
		}
		return notYet
	}
	want := (points-w.goal)/2 + 1
	if w.safe(s.other, s.own, want) && (!s.passed || w.geo.grid.Score(s.own, s.other) < w.goal) ||
		w.behind(s.other, s.own, want, s.passed) {
		return never
	}
	return notYet
}

// secure reports whether safe points give the prover its goal, whoever is to move.
func (w *worker) secure(s *state) bool {
	return w.safe(s.own, s.other, w.wanted()) && (!s.passed || w.geo.grid.Score(s.own, s.other) >= w.goal)
}

// behind reports whether rooms give own a number of points in a claim of less than all
// points. Claims of all points look at rooms elsewhere, and seldom.
func (w *worker) behind(own, other uint64, want int, passed bool) bool {
	return w.on.rooms && w.goal < w.geo.points && !passed && w.rooms(own, other, want)
}

func (w *worker) safe(own, other uint64, want int) bool {
	switch {
	case want <= 0:
		return true
	case !w.on.life:
		return false
	case want == w.geo.points:
		return w.whole(own, other)
	}
	return w.safety.enough(own, other, want)
}

// whole reports whether own is sure to keep all points. Most of that depends on the stones
// of own alone, so each worker remembers some shapes.
func (w *worker) whole(own, other uint64) bool {
	slot := &w.shapes[mix(own)>>(64-shapeBits)]
	if slot.own != own {
		*slot = w.safety.shape(own)
	}
	return slot.safe(w.safety, other)
}

// shapeBits is the logarithm of the number of shapes that a worker remembers.
const shapeBits = 14

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
	f := &w.frames[ply]
	f.best = noMove
	switch {
	case known.win <= d:
		f.won = known.win
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
		known.win = min(known.win, f.won)
	case never:
		known.never = true
	default:
		known.fail = max(known.fail, d)
	}
	f.best = best
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
	f.won = 0
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
			v, decided = w.glance(k, d-1)
		}
		if v == reached {
			f.won = max(f.won, k.won+1)
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
	k.won = 0
	need, wall := 0, true
	if w.stones != nil {
		need, wall = w.stones.look(k.own)
		wall = wall && need <= roomNeed
	}
	if wall && w.byRooms(k) {
		return reached, true
	}
	if w.stones != nil {
		moves := d / 2
		if !k.reply {
			moves = (d + 1) / 2
		}
		if moves < need+margin(need) {
			return notYet, true
		}
		if w.on.horizon && moves <= 1 {
			return w.close(k, need, moves), true
		}
	}
	w.number(k)
	known, found := w.table.get(k.key, w.goal, w.round)
	if w.on.cutoff || d <= 0 {
		switch {
		case known.win <= d:
			k.won = known.win
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
	return notYet, d <= 0
}

// number gives a move the key of its state, if it has none.
func (w *worker) number(k *child) {
	if k.key == 0 {
		k.key, k.sym = w.geo.key(&k.state)
	}
}

// deepen searches the moves in order. all is the outcome of the moves decided before.
func (w *worker) deepen(s *state, f *frame, all outcome, d, ply int) (outcome, uint8) {
	next := &w.frames[ply+1]
	shares := w.busy != nil && d > sharedPlies
	for i, place := 0, 0; i < len(f.children); {
		k := pick(f.children[i:])
		if !k.later {
			if k.less = 0; !s.reply && place >= w.width.moves {
				k.less = w.width.less
			}
			place++
			if shares && i > 0 && w.busy.has(k.key) {
				k.later = true
				k.order -= putOff
				continue
			}
		}
		i++
		if k.less > 0 {
			all = notYet
			if v, decided := w.glance(k, d-1-k.less); decided && v != reached {
				continue
			}
		}
		if shares {
			w.busy.enter(k.key)
		}
		v := w.win(&k.state, k.key, k.sym, d-1-k.less, ply+1)
		if shares {
			w.busy.leave(k.key)
		}
		if w.halted() {
			return notYet, noMove
		}
		if v == reached {
			f.won = max(f.won, next.won+1)
		}
		if s.reply != (v == reached) {
			w.learn(k.move, ply)
			return v, k.move
		}
		if !s.reply {
			all = max(all, v)
			prefer(f.children[i:], next.best)
		}
	}
	return all, noMove
}

// pick brings the first in order to the front.
func pick(children []child) *child {
	m := 0
	for j := range children {
		if children[j].order > children[m].order {
			m = j
		}
	}
	children[0], children[m] = children[m], children[0]
	return &children[0]
}

// prefer raises the move by which the other side has refuted another one.
func prefer(children []child, move uint8) {
	for j := range children {
		if children[j].move == move && move < pass {
			children[j].order += refutation
		}
	}
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
