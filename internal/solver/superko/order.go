package superko

import "math/bits"

// move is a candidate. Slot 0 is the pass, slot i the edge i−1 of the state.
type move struct {
	to    state
	slot  uint8
	cell  uint8
	value int16
}

// moves is a short list, the best first.
type moves struct {
	count, first int // first is their number before any was deferred
	moves        [2 * slots]move
}

// defers reports whether a move may be deferred: once, and never the first.
func (l *moves) defers(i int) bool { return i > 0 && i < l.first }

// experience is the result of a move when it was last tried in a state, for any
// history and threshold.
type experience struct {
	verdict verdict
	cost    uint8
}

// order lists the moves that the history allows, and notes the others in the
// reason. First come moves that were proven when last tried, then hopeful
// ones, the cheapest first. Then come untried moves in the order of knowledge,
// then the doubtful ones.
func (w *worker) order(list *moves, f *frame, k key, t int) {
	cut := w.theory.pruned(w, k, t, &f.why)
	if !k.passed() && !cut.pass {
		list.insert(move{value: w.experience(k, 0)})
	}
	for i, e := range w.graph.moves(k.state()) {
		switch id := w.graph.id(e.to); {
		case cut.cells>>e.point&1 != 0:
		case w.history.seen[id] != 0:
			f.why.barred.add(id)
		default:
			list.insert(move{to: e.to, slot: uint8(i + 1), cell: e.point, value: w.experience(k, i+1)})
		}
	}
	list.first = list.count
}

func (w *worker) experience(k key, slot int) int16 {
	if !w.on.learned {
		return 0
	}
	x := w.learned[int(k)*slots+slot]
	return int16(x.verdict)<<8 - int16(x.cost)
}

func (w *worker) learn(k key, m move, v verdict, nodes uint64) {
	w.learned[int(k)*slots+int(m.slot)] = experience{v, uint8(bits.Len64(nodes))}
}

// insert keeps moves of equal value in their order.
func (l *moves) insert(m move) {
	i := l.count
	for ; i > 0 && l.moves[i-1].value < m.value; i-- {
		l.moves[i] = l.moves[i-1]
	}
	l.moves[i] = m
	l.count++
}
