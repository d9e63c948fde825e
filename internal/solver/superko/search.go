package superko

import (
	"sync/atomic"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/yield"
)

// verdict answers whether the side to play gets at least a threshold. Negation
// turns it into the verdict of the other side.
type verdict int8

const (
	refuted  verdict = -2
	doubtful verdict = -1 // not proven at this depth; the board as it stands says no
	open     verdict = 0  // nothing is known, or the search was stopped
	hopeful  verdict = 1  // not proven at this depth; the board as it stands says yes
	proven   verdict = 2
)

// key is a state and whether the move before was a pass: state<<1 | passed.
type key uint32

func newKey(s state, passed bool) key {
	k := key(s) << 1
	if passed {
		k |= 1
	}
	return k
}

func (k key) state() state { return state(k >> 1) }
func (k key) passed() bool { return k&1 != 0 }

// own and other are the colours of the side to play and its opponent.
func (k key) own() board.Colour   { return k.state().colour() }
func (k key) other() board.Colour { return k.state().colour().Opponent() }

// pass is the key after a pass.
func (k key) pass() key { return k&^3 | k&2 ^ 2 | 1 }

func (k key) image(m *image) key { return key(m.state(k.state()))<<1 | k&1 }

// history describes the game up to the present state.
type history struct {
	seen   []uint8 // by id
	before stones  // every stone of the boards before the present one
}

// frame is one ply of the stack.
type frame struct {
	why   reason
	reply uint8      // cell of the move that proved the verdict, or noReply
	claim ref        // of the verdict, in the record
	after [slots]ref // of the refutations of moves, by slot
}

const noReply = 255

const (
	// keepNodes is the least cost of a verdict that is remembered.
	keepNodes = 2
	// watchNodes is the number of nodes between two checks for a stop.
	watchNodes = 1 << 10
	// markDepth is the least depth at which a move is marked.
	markDepth = 4
	// unlimited is deeper than any line that a search can reach.
	unlimited = 1 << 14
)

// worker is one goroutine's search.
type worker struct {
	graph    *graph
	theory   *theory
	facts    *facts
	on       switches
	history  history
	frames   []*frame
	learned  []experience // by key and slot
	attempts *attempts
	guessed  bool // the conjecture was used
	question question
	marks    *solver.Marks
	record   *record // nil without
	stop     *atomic.Bool
	nodes    uint64
	counts   counts
}

// counts are the counts of a worker that others may read.
type counts struct {
	nodes atomic.Uint64
	depth atomic.Int64
}

func (w *worker) at(ply int) *frame {
	for ply >= len(w.frames) {
		w.frames = append(w.frames, &frame{why: newReason(w.graph.ids())})
	}
	return w.frames[ply]
}

// search asks whether the side to play gets at least t, looking depth plies
// ahead. A verdict that is proven or refuted has its reason in the frame.
func (w *worker) search(ply int, k key, t, depth int) verdict {
	w.nodes++
	if w.nodes%watchNodes == 0 && w.interrupted() {
		return open
	}
	f := w.at(ply)
	f.reply, f.claim = noReply, 0
	f.why.clear()
	score := w.graph.score(k.state())
	if k.passed() && score >= t {
		return proven // because a second pass ends the game
	}
	if v := w.theory.verdict(w, k, t, &f.why); v != open {
		return v
	}
	if w.on.facts {
		var v verdict
		if v, f.claim = w.facts.recall(k, t, &w.history, &f.why); v != open {
			return v
		}
	}
	if depth <= 0 {
		if score >= t {
			return hopeful
		}
		return doubtful
	}
	if w.on.depths {
		if v := w.attempts.recall(k, t, depth, w.question.round); v != open {
			return v
		}
	}
	before := w.nodes
	v := w.expand(ply, f, k, t, depth)
	f = w.frames[ply] // a proof replaces the frame
	f.why.barred.remove(w.graph.id(k.state()))
	switch effort := w.nodes - before + 1; {
	case v == hopeful || v == doubtful:
		w.attempts.keep(k, t, depth, w.question.round, v)
	case v != open && w.on.facts && effort >= keepNodes:
		w.facts.keep(k, t, v, &f.why, f.claim, effort)
	}
	return v
}

// expand tries the moves. Moves that another worker is searching come last.
// The frame's reason collects the conditions of the refutations of all moves,
// until one move is proven.
func (w *worker) expand(ply int, f *frame, k key, t, depth int) verdict {
	var list moves
	w.order(&list, f, k, t)
	clear(f.after[:])
	best, needless := refuted, uint64(0)
	for i := 0; i < list.count; i++ {
		m := list.moves[i]
		if m.slot > 0 && needless>>m.cell&1 != 0 {
			continue
		}
		if list.defers(i) && w.marks.Has(w.mark(k, m, t)) {
			list.moves[list.count] = m
			list.count++
			continue
		}
		before := w.nodes
		v := -w.try(ply, k, m, t, depth)
		if v == open {
			return open
		}
		w.learn(k, m, v, w.nodes-before)
		child := w.at(ply + 1)
		switch {
		case v == proven:
			w.frames[ply], w.frames[ply+1] = child, f
			child.reply, child.claim = noReply, w.record.add(k, true, m.slot, child.claim)
			if m.slot > 0 {
				child.reply = m.cell
				child.why.free.add(w.graph.id(m.to))
			}
			return proven
		case v == refuted && best == refuted:
			f.why.merge(&child.why)
			f.after[m.slot] = child.claim
			if m.slot == 0 && w.theory.on.theorem2 {
				needless = w.theory.needless(w, k, child)
			}
		}
		best = max(best, v)
	}
	if best == refuted {
		f.claim = w.record.add(k, false, 0, f.after[:1+len(w.graph.moves(k.state()))]...)
	}
	return best
}

// mark is the key under which workers mark the question that a move puts to
// the other side.
func (w *worker) mark(k key, m move, t int) [2]uint64 {
	name := uint64(k)<<12 + uint64(m.slot)<<6 + uint64(t+maxPoints) + 1
	return [2]uint64{name, name * golden}
}

// try makes a move, searches for the other side and takes the move back.
func (w *worker) try(ply int, k key, m move, t, depth int) verdict {
	h := &w.history
	next := k.pass()
	before := h.before
	if m.slot > 0 {
		next = newKey(m.to, false)
		here := w.graph.boards[k.state()>>1]
		h.before = stones{before[0] | here[0], before[1] | here[1]}
	}
	id := w.graph.id(next.state())
	seen := h.seen[id]
	h.seen[id] = 1
	marked := w.marks != nil && depth > markDepth
	if marked {
		w.marks.Set(w.mark(k, m, t))
	}
	v := w.search(ply+1, next, 1-t, depth-1)
	if marked {
		w.marks.Clear(w.mark(k, m, t))
	}
	h.seen[id] = seen
	h.before = before
	return v
}

func (w *worker) interrupted() bool {
	w.counts.nodes.Store(w.nodes)
	yield.Now()
	return w.stop.Load() || w.question.moot()
}
