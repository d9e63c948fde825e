package retro

import "tengen/internal/invariants"

// successor is a board after a move, seen by the side that plays next.
type successor struct {
	stones
	point uint64 // of the move
	rank  uint64
	slot  uint64 // of the ban, if banned
	side  uint8
	ban   bool

	entry entry
	ko    koEntry
}

// worker holds what one thread needs to evaluate a board; its lists are
// reused.
type worker struct {
	s     *solver
	moves []move
	next  []successor
	kos   []koState

	counts
	overlong bool // a distance did not fit
}

// counts is the work of a thread.
type counts struct {
	visits, changes uint64
}

// look lists the boards after each move of own. Ranks and then entries are
// fetched in separate loops, so that the processor waits for several at once.
func (w *worker) look(b stones, own, other *image) {
	s := w.s
	g := s.geometry
	w.moves = g.forward(b.own, b.other, w.moves[:0])
	if cap(w.next) < len(w.moves) {
		w.next = make([]successor, MaxPoints)
	}
	w.next = w.next[:len(w.moves)]
	var codes [MaxPoints]uint64
	var digits [MaxPoints]uint8
	for i, m := range w.moves {
		n := &w.next[i]
		n.stones, n.point, n.ban = stones{b.other &^ m.taken, b.own | m.point}, m.point, m.ban != 0
		at := place{}
		at, digits[i] = g.after(own, other, m)
		codes[i], n.side = at.code, at.side
	}
	kept := true
	for i := range w.next {
		var ok bool
		w.next[i].rank, ok = s.index.rank(codes[i])
		kept = kept && ok
	}
	for i := range w.next {
		n := &w.next[i]
		n.entry = entry(s.values.field(n.rank))
		if n.ban {
			var ok bool
			n.slot, ok = s.directory.find(n.rank, n.side, digits[i])
			n.ko = koEntry(s.koValues.field(n.slot))
			kept = kept && ok
		}
	}
	if invariants.Enabled && !kept {
		panic("a legal move leads to a position that is not kept")
	}
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
