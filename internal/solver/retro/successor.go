package retro

import "tengen/internal/invariants"

// successor is a board after a move, seen by the side that plays next.
type successor struct {
	stones
	point uint64 // of the move
	rank  uint64
	slot  uint64 // of the ban, if banned
	place
	digit uint8 // of the ban, if banned
	ban   bool

	entry entry
	ko    koEntry
}

// predecessor is a board before a move, seen by the side that played it.
type predecessor struct {
	place
	rank  uint64
	entry entry
}

// worker holds what one thread needs to evaluate a board; its lists are
// reused.
type worker struct {
	s     *solver
	moves []move
	next  []successor
	back  []predecessor
	kos   []koState // of the board that is evaluated
	bans  []koState // of a board before it

	counts
	overlong bool // a distance did not fit
}

// counts is the work of a thread.
type counts struct {
	visits, changes uint64
}

// list lists the moves of a side.
func (w *worker) list(p *subject, side uint8) []move {
	b, _, _ := p.seen(side)
	w.moves = w.s.geometry.forward(b.own, b.other, w.moves[:0])
	return w.moves
}

// look looks up the boards after some moves of a side. Codes, ranks and entries are
// found in separate loops, so that the processor waits for several at once.
func (w *worker) look(p *subject, side uint8, moves []move) []successor {
	s := w.s
	b, same, inverse := p.seen(side)
	if w.next == nil {
		w.next = make([]successor, MaxPoints)
	}
	next := w.next[:len(moves)]
	for i, m := range moves {
		n := &next[i]
		n.stones, n.point, n.ban = stones{b.other &^ m.taken, b.own | m.point}, m.point, m.ban != 0
		n.place, n.digit = s.geometry.after(same, inverse, m)
	}
	kept := true
	for i := range next {
		var ok bool
		next[i].rank, ok = s.index.rank(next[i].code)
		kept = kept && ok
	}
	for i := range next {
		n := &next[i]
		n.entry = entry(s.values.field(n.rank))
		if n.ban {
			var ok bool
			n.slot, ok = s.directory.find(n.rank, n.side, n.digit)
			n.ko = koEntry(s.koValues.field(n.slot))
			kept = kept && ok
		}
	}
	if invariants.Enabled && !kept {
		panic("a legal move leads to a position that is not kept")
	}
	return next
}

// lookBack looks up the boards before the moves that led to one, those that are kept,
// in separate loops too.
func (w *worker) lookBack(p *subject, side uint8, moves []move) []predecessor {
	s := w.s
	_, same, inverse := p.seen(side)
	w.moves, w.back = moves, w.back[:0]
	for _, m := range moves {
		w.back = append(w.back, predecessor{place: s.geometry.before(same, inverse, m)})
	}
	kept := w.back[:0]
	for _, b := range w.back {
		var ok bool
		if b.rank, ok = s.index.rank(b.code); ok {
			kept = append(kept, b)
		}
	}
	for i := range kept {
		kept[i].entry = entry(s.values.field(kept[i].rank))
	}
	return kept
}

// after is the place of the board after a move of the side that sees these faces, and the
// digit of the ban if the move leaves one.
func (g *geometry) after(same, inverse *image, m move) (place, uint8) {
	stone := &g.weight[cellOf(m.point)]
	if m.taken == 0 {
		return g.canonicalWith(inverse, same, stone, 2, 1), 0
	}
	next, turned := *inverse, *same
	taken := g.images(m.taken)
	for s := range next {
		next[s] += 2*stone[s] - taken[s]
		turned[s] += stone[s] - 2*taken[s]
	}
	if m.ban != 0 {
		return g.canonicalKo(&next, &turned, cellOf(m.ban))
	}
	at, _ := g.canonical(&next, &turned)
	return at, 0
}

// before is the place of the board before a move of the side that does not see these faces,
// in which it took from the other.
func (g *geometry) before(same, inverse *image, m move) place {
	stone := &g.weight[cellOf(m.point)]
	if m.taken == 0 {
		return g.canonicalWith(inverse, same, stone, minus1, minus2)
	}
	last, turned := *inverse, *same
	taken := g.images(m.taken)
	for s := range last {
		last[s] += 2*taken[s] - stone[s]
		turned[s] += taken[s] - 2*stone[s]
	}
	at, _ := g.canonical(&last, &turned)
	return at
}

// Codes are subtracted by adding in the ring of 64 bits.
const (
	minus1 = ^uint64(0)
	minus2 = minus1 - 1
)
