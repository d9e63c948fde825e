package gosearch

import (
	"context"
	"math"

	"tengen/board"
	"tengen/internal/solver"
)

// holder looks for a way in which the other side holds a state: it keeps the prover from the
// goal for ever. Such a way is a set of states. From a state of the prover in the set all
// moves lead into it, or to states where the other side has a proof; from a state of the
// other side one move does. Play that stays in the set never reaches the goal. It may be
// endless, so the other side need not have a proof.
//
// The set is what a traversal visits. A state that it has come to before is taken as held.
// States from which the prover wins are marked as lost, for good. If such a state had been
// taken as held before, or a line was cut, another traversal follows.
type holder struct {
	w, other *worker // for proofs of the prover and of the other side
	marks    marks
	turn     uint8     // the number of this traversal, from 1 to lastTurn
	wrong    bool      // a state that was taken as held is lost
	cut      bool      // a line was cut
	longest  int       // line of this traversal
	lines    [][]child // moves of the states of a line
	query    query
	probe    uint64 // nodes of a search for a proof
	start    uint64 // nodes before
	limit    uint64 // of nodes
}

// A mark is the number of the traversal that visited a state last, and whether it matters
// that the state is held; or that the state is lost. Numbers begin again after lastTurn:
// then askedMark stands for all traversals before.
const (
	lostMark  = 128
	usedMark  = 64
	askedMark = usedMark - 1
	lastTurn  = askedMark - 1
)

// A line of the first traversal has firstLine states. When nothing was wrong lines get
// longer by a part, up to lastLine states.
const (
	firstLine = 6
	linePart  = 3
	lastLine  = 1 << 12
)

// Searches for proofs are probePlies deep in the end, with probeStep more each time. They take
// probeShare times the root of the nodes of the whole search.
const (
	probeStep  = 4
	probePlies = 40
	probeShare = 4
)

// search decides a state: reached if the prover can reach the goal, never if the other side
// has a proof, held if it holds the state, and notYet if the search was stopped.
func (h *holder) search(s *state, key uint64, sym uint8) outcome {
	for h.longest < lastLine {
		if h.turn == lastTurn {
			h.marks.age()
			h.turn = 0
		}
		h.turn++
		h.wrong, h.cut = false, false
		v := h.child(&child{state: *s, key: key, sym: sym}, 0)
		switch {
		case h.halted():
			return notYet
		case v != held:
			return v
		case h.wrong:
		case h.cut:
			h.longest += h.longest / linePart
		default:
			return held
		}
	}
	return notYet
}

// begin prepares a search with a number of nodes for each proof. If that is the last search,
// which was stopped, it goes on.
func (h *holder) begin(x query, probe uint64) {
	if h.query == x && h.probe == probe {
		return
	}
	h.query, h.probe, h.longest, h.turn = x, probe, firstLine, 0
	h.marks = newMarks(firstMarkBits)
}

// nodes is what the search has cost so far.
func (h *holder) nodes() uint64 { return h.w.nodes + h.other.nodes - h.start }

// halted reports that the search must end. Outcomes are invalid then.
func (h *holder) halted() bool {
	return h.nodes() >= h.limit || h.marks.full() || h.w.stop.Load()
}

// child decides a state after a line of some states.
func (h *holder) child(c *child, line int) outcome {
	mark := h.marks.get(c.key)
	if mark&lostMark != 0 {
		return reached
	}
	if h.visited(c.key) {
		return held
	}
	if mark == 0 { // an earlier traversal has asked already
		v := h.ask(c)
		if v == reached && !h.halted() {
			h.lose(c.key)
		}
		if v != notYet || h.halted() {
			return v
		}
	}
	if line == h.longest {
		h.cut = true
		h.marks.set(c.key, h.turn|usedMark)
		return held
	}
	return h.visit(&c.state, c.key, c.sym, line)
}

// visited reports whether this traversal has visited a state, and notes that it matters.
func (h *holder) visited(key uint64) bool {
	if h.marks.get(key)&^usedMark != h.turn {
		return false
	}
	h.marks.set(key, h.turn|usedMark)
	return true
}

// lose marks a state from which the prover wins.
func (h *holder) lose(key uint64) {
	if h.marks.get(key) == h.turn|usedMark {
		h.wrong = true
	}
	h.marks.set(key, lostMark)
}

// visit decides a state by its moves. The prover needs one to a lost state, the other side
// one to a state that it holds.
func (h *holder) visit(s *state, key uint64, sym uint8, line int) outcome {
	h.marks.set(key, h.turn)
	children := h.moves(s, key, sym, line)
	left := 0
	for i := range children {
		c := &children[i]
		v := h.known(c, s)
		if v == notYet {
			children[left] = *c
			left++
		} else if s.reply != (v == reached) {
			return h.decide(key, v)
		}
	}
	for children = children[:left]; len(children) > 0; children = children[1:] {
		v := h.child(pick(children), line+1)
		if h.halted() {
			return notYet
		}
		if s.reply != (v == reached) {
			return h.decide(key, v)
		}
	}
	if s.reply {
		return h.decide(key, reached)
	}
	return held
}

// decide notes the outcome of a state by its moves.
func (h *holder) decide(key uint64, v outcome) outcome {
	if v != reached {
		return held
	}
	h.lose(key)
	return reached
}

// moves lists the moves of a state. The table has the best moves of the prover alone: those
// of the other side that it has put the end off.
func (h *holder) moves(s *state, key uint64, sym uint8, line int) []child {
	first := uint8(noMove)
	if !s.reply {
		known, _ := h.w.table.get(key, h.w.goal, h.w.round)
		if first = known.move; first < pass {
			first = h.w.geo.from[sym][first]
		}
	}
	f := &h.w.frames[0]
	h.w.list(s, f, first, 0)
	if line == len(h.lines) {
		h.lines = append(h.lines, nil)
	}
	h.lines[line] = append(h.lines[line][:0], f.children...)
	return h.lines[line]
}

// known is the outcome of a move as far as it is known without a search.
func (h *holder) known(c *child, from *state) outcome {
	if c.move == pass && from.passed {
		return h.w.scored(&c.state)
	}
	h.w.number(c)
	if h.marks.get(c.key)&lostMark != 0 {
		return reached
	}
	if h.visited(c.key) {
		return held
	}
	known, found := h.w.table.get(c.key, h.w.goal, h.w.round)
	switch {
	case known.win < noWin:
		return reached
	case known.never:
		return never
	case found:
		return notYet
	}
	return h.w.static(&c.state)
}

// ask searches a few nodes for a proof of either side.
func (h *holder) ask(c *child) outcome {
	contrary := state{own: c.other, other: c.own, ko: c.ko, reply: !c.reply, passed: c.passed}
	key, sym := h.w.geo.key(&contrary)
	h.w.limit, h.other.limit = h.w.nodes+h.probe, h.other.nodes+h.probe
	for plies := probeStep; plies <= probePlies; plies += probeStep {
		v := h.w.win(&c.state, c.key, c.sym, c.last(plies), 1)
		if v != notYet {
			return v
		}
		if v = -h.other.win(&contrary, key, sym, contrary.last(plies), 1); v != notYet {
			h.refute(c.key, v)
			return v
		}
		if h.halted() || h.w.halted() && h.other.halted() {
			break
		}
	}
	return notYet
}

// last is a number of plies, or one more, after which the prover has moved last.
func (s *state) last(plies int) int {
	if s.reply == (plies%2 != 0) {
		plies++
	}
	return plies
}

// refute notes a proof of the other side in the prover's entry.
func (h *holder) refute(key uint64, v outcome) {
	if v != never {
		return
	}
	known, _ := h.w.table.get(key, h.w.goal, h.w.round)
	known.never = true
	h.w.table.put(key, h.w.goal, h.w.round, known, probeEffort)
}

// probeEffort is that of an entry which a probe has found.
const probeEffort = 4

// hold asks whether the other side holds a claim. Every thread has its own order of moves and
// its own marks; they share what is proven. The workers are not those of the search, whose
// killer moves would be lost.
func (s *Solver) hold(ctx context.Context, x query, prover board.Colour, nodes uint64) (outcome, error) {
	contrary := 1 - x.goal
	if nodes >= 1<<s.geo.points/countShare {
		if err := s.count(ctx, prover.Opponent(), contrary); err != nil {
			return notYet, err
		}
		if err := s.count(ctx, prover, x.goal); err != nil {
			return notYet, err
		}
	}
	key, sym := s.geo.key(&x.state)
	share := nodes/uint64(len(s.workers)) + 1
	result := solver.Race(ctx, &s.stop, len(s.workers), func(i int) int {
		h := s.holder(i)
		s.prepare(h.w, x.goal, len(widths)-1)
		s.prepare(h.other, contrary, len(widths)-1)
		h.start, h.limit = h.w.nodes+h.other.nodes, share
		h.begin(x, uint64(probeShare*math.Sqrt(float64(share))))
		v := h.search(&x.state, key, sym)
		w := s.workers[i]
		w.nodes += h.w.nodes + h.other.nodes
		h.w.nodes, h.other.nodes = 0, 0
		w.shared.Store(w.nodes)
		return int(v)
	})
	return outcome(result), nil
}

// holder is that of a thread.
func (s *Solver) holder(i int) *holder {
	w := s.workers[i]
	if w.holder == nil {
		w.holder = &holder{w: s.newWorker(i, w.lore), other: s.newWorker(i, w.lore)}
	}
	return w.holder
}

// marks are those of the states that a search has come to: a hash table that doubles when it
// is three quarters full, up to a limit.
type marks struct {
	bits  int
	keys  []uint64
	marks []uint8
	count int
}

const (
	firstMarkBits = 8
	markBits      = 18
	markSize      = 9 // bytes
)

func newMarks(bits int) marks {
	return marks{bits: bits, keys: make([]uint64, 1<<bits), marks: make([]uint8, 1<<bits)}
}

// full reports that a search must not add more.
func (m *marks) full() bool { return m.bits == markBits && m.crowded() }

func (m *marks) crowded() bool { return m.count > 3<<(m.bits-2) }

// age makes all traversals earlier ones.
func (m *marks) age() {
	for i, mark := range m.marks {
		if mark != 0 && mark != lostMark {
			m.marks[i] = askedMark
		}
	}
}

// at is the place of a state, or where it belongs.
func (m *marks) at(key uint64) uint64 {
	at := key >> (64 - m.bits)
	for m.keys[at] != 0 && m.keys[at] != key {
		at = (at + 1) & (1<<m.bits - 1)
	}
	return at
}

func (m *marks) get(key uint64) uint8 { return m.marks[m.at(key)] }

func (m *marks) set(key uint64, mark uint8) {
	at := m.at(key)
	if m.keys[at] == 0 {
		if m.crowded() && m.bits < markBits {
			m.double()
			at = m.at(key)
		}
		m.keys[at] = key
		m.count++
	}
	m.marks[at] = mark
}

func (m *marks) double() {
	larger := newMarks(m.bits + 1)
	for i, key := range m.keys {
		if key != 0 {
			at := larger.at(key)
			larger.keys[at], larger.marks[at] = key, m.marks[i]
		}
	}
	larger.count = m.count
	*m = larger
}
