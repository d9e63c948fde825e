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
	kos   []koState

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
	b, own, other := p.seen(side)
	if w.next == nil {
		w.next = make([]successor, MaxPoints)
	}
	next := w.next[:len(moves)]
	for i, m := range moves {
		n := &next[i]
		n.stones, n.point, n.ban = stones{b.other &^ m.taken, b.own | m.point}, m.point, m.ban != 0
		n.place, n.digit = s.geometry.after(own, other, m)
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
	_, own, other := p.seen(side)
	w.moves, w.back = moves, w.back[:0]
	for _, m := range moves {
		w.back = append(w.back, predecessor{place: s.geometry.before(own, other, m)})
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

// after is the place of the board after a move of own, and the digit of the
// ban if the move leaves one.
func (g *geometry) after(own, other *image, m move) (place, uint8) {
	stone := &g.weight[cellOf(m.point)]
	if m.taken == 0 {
		a, b := ^uint64(0), ^uint64(0)
		for s := range g.syms {
			x, y := other[s], own[s]+stone[s]
			a = min(a, x+2*y)
			b = min(b, 2*x+y)
		}
		if a <= b {
			return place{a, 0}, 0
		}
		return place{b, 1}, 0
	}
	x, y := g.images(m.taken), image{}
	for s := range g.syms {
		x[s] = other[s] - x[s]
		y[s] = own[s] + stone[s]
	}
	if m.ban != 0 {
		return g.canonicalKo(&x, &y, cellOf(m.ban))
	}
	at, _ := g.canonical(&x, &y)
	return at, 0
}

// before is the place of the board before a move of other that took from own.
func (g *geometry) before(own, other *image, m move) place {
	stone := &g.weight[cellOf(m.point)]
	x, y := image{}, g.images(m.taken)
	for s := range g.syms {
		x[s] = other[s] - stone[s]
		y[s] += own[s]
	}
	at, _ := g.canonical(&x, &y)
	return at
}
