package superko

import (
	"sync/atomic"

	"tengen/board"
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

// pass is where a pass leads.
func (k key) pass() key { return k&^3 | k&2 ^ 2 | 1 }

func (k key) image(m *image) key { return key(m.state(k.state()))<<1 | k&1 }

// history is what happened up to the present state.
type history struct {
	seen   []uint8 // by id
	before stones  // every stone of the boards before the present one
}

// frame is one ply of the stack.
type frame struct {
	why   reason
	reply uint8 // cell of the move that proved the verdict, or noReply
}

const noReply = 255

// parts are what can be switched off, and the conjecture, which can be switched on.
type parts struct {
	facts, depths, deepening, learned, knowledge bool

	theorem2, total, packed, telomeres bool
	conjecture                         bool
}

const (
	// keepNodes is the cost from which a verdict is remembered.
	keepNodes = 4
	// watchNodes is how often a worker looks up from its search.
	watchNodes = 1 << 10
	// unlimited is deeper than any game.
	unlimited = 1 << 14
)

// worker is one goroutine's search.
type worker struct {
	graph    *graph
	theory   *theory
	facts    *facts
	parts    parts
	history  history
	frames   []*frame
	learned  []experience // by key and slot
	attempts []attempt    // by a hash of key and threshold
	round    uint16       // counts the iterations
	guessed  bool         // the conjecture was used
	question *question
	stop     *atomic.Bool
	nodes    uint64
	counts   counts
}

// counts are what others may read of a worker.
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
	f.reply = noReply
	f.why.clear()
	score := w.graph.score(k.state())
	if k.passed() && score >= t {
		return proven // by a second pass
	}
	if v := w.theory.verdict(w, k, t, &f.why); v != open {
		return v
	}
	if w.parts.facts {
		if v := w.facts.recall(k, t, &w.history, &f.why); v != open {
			return v
		}
	}
	if v := w.unpromising(k, t, depth, score); v != open {
		return v
	}
	before := w.nodes
	v := w.expand(ply, f, k, t, depth)
	f = w.frames[ply] // a proof brings its frame along
	f.why.barred.remove(w.graph.id(k.state()))
	switch effort := w.nodes - before + 1; {
	case v == hopeful || v == doubtful:
		*w.attempt(k, t) = attempt{k, w.round, int16(depth), int8(t), v}
	case v != open && w.parts.facts && effort >= keepNodes:
		w.facts.keep(k, t, v, &f.why, effort)
	}
	return v
}

// attempt is a search that did not come to a proof. Attempts that share a place
// replace one another.
type attempt struct {
	key     key
	round   uint16
	depth   int16
	t       int8
	verdict verdict
}

func (w *worker) attempt(k key, t int) *attempt {
	const golden = 0x9e3779b97f4a7c15
	hash := (uint64(k)<<6 + uint64(t+maxPoints)) * golden
	return &w.attempts[hash>>32&uint64(len(w.attempts)-1)]
}

// unpromising guesses where the depth is used up, or was not enough in the same
// iteration. What was not enough after one history may be after another; but a
// guess is no proof, so it costs at most a deeper iteration, and saves most of
// this one. Attempts of earlier iterations do not count: states could then go on
// for ever to be given up for one another.
func (w *worker) unpromising(k key, t, depth, score int) verdict {
	last := w.attempt(k, t)
	switch {
	case depth > 0 && w.parts.depths && last.round == w.round && last.key == k && int(last.t) == t && int(last.depth) >= depth:
		return last.verdict
	case depth > 0:
		return open
	case score >= t:
		return hopeful
	}
	return doubtful
}

// expand tries the moves. The frame's reason collects what the refutations of all
// moves ask, until one move is proven.
func (w *worker) expand(ply int, f *frame, k key, t, depth int) verdict {
	var list moves
	w.order(&list, f, k, t)
	best, needless := refuted, uint64(0)
	for _, m := range list.moves[:list.count] {
		if m.slot > 0 && needless>>m.cell&1 != 0 {
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
			child.reply = noReply
			if m.slot > 0 {
				child.reply = m.cell
				child.why.free.add(w.graph.id(m.to))
			}
			return proven
		case v == refuted && best == refuted:
			f.why.merge(&child.why)
			if m.slot == 0 && w.theory.parts.theorem2 {
				needless = w.theory.needless(w, k, child)
			}
		}
		best = max(best, v)
	}
	return best
}

// try makes a move, asks the other side and takes the move back.
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
	v := w.search(ply+1, next, 1-t, depth-1)
	h.seen[id] = seen
	h.before = before
	return v
}

func (w *worker) interrupted() bool {
	w.counts.nodes.Store(w.nodes)
	return w.stop.Load() || w.question.moot()
}

// own and other are the colours of the side to play and its opponent.
func (k key) own() board.Colour   { return k.state().colour() }
func (k key) other() board.Colour { return k.state().colour().Opponent() }
