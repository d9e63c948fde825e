package superko

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// theory holds the statements of the paper's theorems for each board of one row, so
// that a search only has to check the history. Other boards have none.
type theory struct {
	on     switches
	points int
	total  []uint8     // board → 0, or 1 + the colour that has everything (theorem 4)
	packed []uint64    // board → the empty cells if loosely packed (theorem 5)
	claims [][2]*claim // state → what telomeres say, from either end (theorems 6–8)
}

// packedPoints is the longest row for which theorem 5 holds. The paper requires
// that nobody has played in their own empty territory. That is too little: after
// pass, B1, pass, E1, D1 the row .o.x. is Black's to the last point, since White's
// reply at E1 would repeat a board. Here nobody may ever have had a stone on an
// empty cell.
const packedPoints = 7

func newTheory(g *graph, on switches) *theory {
	if !g.linear || g.points < firstRow {
		return &theory{}
	}
	th := &theory{on: on, points: g.points}
	if !on.total && !on.packed && !on.telomeres {
		return th
	}
	th.total = make([]uint8, len(g.boards))
	th.packed = make([]uint64, len(g.boards))
	th.claims = make([][2]*claim, 2*len(g.boards))
	for i, b := range g.boards {
		r := row{b, g.points}
		for c := range b {
			if r.total(board.Colour(c)) || r.mirror().total(board.Colour(c)) {
				th.total[i] = uint8(c + 1)
			}
		}
		if g.points <= packedPoints && r.packed() {
			th.packed[i] = r.empty()
		}
		for c := range board.Colour(2) {
			th.claims[2*i+int(c)] = g.claims(r, c)
		}
	}
	return th
}

// verdict is the verdict of the theorems on a state after the history, with the
// reason.
func (th *theory) verdict(w *worker, k key, t int, why *reason) verdict {
	b, before := k.state()>>1, &w.history.before
	if th.on.total && th.total[b] != 0 {
		z := th.total[b] - 1
		empty := w.graph.mask &^ (w.graph.boards[b][0] | w.graph.boards[b][1])
		if before[z]&empty == 0 {
			why.untouched[z] |= empty
			if board.Colour(z) == k.own() {
				return proven
			}
			return refuted
		}
	}
	if th.on.packed && th.packed[b] != 0 && (before[0]|before[1])&th.packed[b] == 0 {
		why.untouched[0] |= th.packed[b]
		why.untouched[1] |= th.packed[b]
		if w.graph.score(k.state()) >= t {
			return proven
		}
		return refuted
	}
	if th.on.telomeres {
		for _, c := range th.claims[k.state()] {
			if c != nil && -c.least(k) < t && c.fresh(w, k, why) {
				return refuted
			}
		}
	}
	return open
}

// cut lists the moves that need not be tried.
type cut struct {
	cells uint64
	pass  bool
}

// pruned lists moves that theorems or the conjecture refute for a threshold.
func (th *theory) pruned(w *worker, k key, t int, why *reason) cut {
	var out cut
	if th.on.telomeres {
		for _, c := range th.claims[k.state()] {
			switch {
			case c == nil:
			case c.prune != 0 && c.fresh(w, k, why):
				out.cells |= c.prune
			case c.only != 0 && -c.score < t && c.fresh(w, k, why):
				out.cells |= ^c.only
				out.pass = true
			}
		}
	}
	if th.on.conjecture {
		for _, end := range th.unplayedEnds(w, k) {
			if end != (stones{}) {
				out.cells |= end[0]
				why.untouched[0] |= end[0] | end[1]
				why.untouched[1] |= end[0] | end[1]
				w.guessed = true
			}
		}
	}
	return out
}

// unplayedEnds lists the end cells, each with its neighbour, where nobody has played.
func (th *theory) unplayedEnds(w *worker, k key) (ends [2]stones) {
	b, before := w.graph.boards[k.state()>>1], w.history.before
	touched := b[0] | b[1] | before[0] | before[1]
	n := th.points
	for i, end := range [2]stones{{1, 2}, {1 << (n - 1), 1 << (n - 2)}} {
		if touched&(end[0]|end[1]) == 0 {
			ends[i] = end
		}
	}
	return ends
}

// needless lists the end cells that theorem 2 makes needless to try. A pass was
// refuted by a reply next to the end; the same reply takes a stone at the end, and
// leaves the same board. The paper argues that the opponent never wishes to return
// to the board with the stone at the end. Here the refutation is checked for that.
func (th *theory) needless(w *worker, k key, refutation *frame) uint64 {
	var cells uint64
	for _, end := range th.unplayedEnds(w, k) {
		if end == (stones{}) || end[1] != 1<<refutation.reply {
			continue
		}
		for _, e := range w.graph.moves(k.state()) {
			if end[0] == 1<<e.point && !refutation.why.free.has(w.graph.id(e.to)) {
				cells |= end[0]
			}
		}
	}
	return cells
}

// row is a board of one row.
type row struct {
	stones stones
	points int
}

func (r row) at(i int) board.Colour {
	switch {
	case r.stones[0]>>i&1 != 0:
		return board.Black
	case r.stones[1]>>i&1 != 0:
		return board.White
	}
	return board.Empty
}

func (r row) mirror() row {
	flip := func(x uint64) uint64 { return bits.Reverse64(x) >> (64 - r.points) }
	return row{stones{flip(r.stones[0]), flip(r.stones[1])}, r.points}
}

// total reports whether z has all points: only z has stones, the first stone is at
// the second cell, and either the last stone is at the last cell but one and no gap
// between is wider than two, or the last stone is at the last cell but two and
// every gap is one wide.
func (r row) total(z board.Colour) bool {
	if r.stones[z] == 0 || r.stones[z.Opponent()] != 0 || bits.TrailingZeros64(r.stones[z]) != 1 {
		return false
	}
	gap, widest := 0, 0
	last := bits.Len64(r.stones[z]) - 1
	for i := 1; i <= last; i++ {
		if gap++; r.at(i) == z {
			gap = 0
		}
		widest = max(widest, gap)
	}
	return last == r.points-2 && widest <= 2 || last == r.points-3 && widest <= 1
}

// packed reports whether a row is loosely packed: the ends are empty, the cells
// next to them are not, and all gaps between chains are one wide. Chains of
// different colours that touch have no gap between them.
func (r row) packed() bool {
	n := r.points
	if r.at(0) != board.Empty || r.at(n-1) != board.Empty || r.at(1) == board.Empty || r.at(n-2) == board.Empty {
		return false
	}
	for i := 1; i < n-2; i++ {
		a, b := r.at(i), r.at(i+1)
		if wide := a == board.Empty && b == board.Empty; wide || a^b == board.Black^board.White {
			return false
		}
	}
	return true
}

func (r row) empty() uint64 { return (1<<r.points - 1) &^ (r.stones[0] | r.stones[1]) }

// claims are the statements of the opponent's telomeres for a side to play.
func (g *graph) claims(r row, own board.Colour) (list [2]*claim) {
	legal := weiqi.NewGrid(g.size).Legal(r.stones[own], r.stones[own.Opponent()])
	score := int(g.scores[g.number(r.stones)])
	if own == board.Black {
		score = -score
	}
	list[0] = newClaim(r, own, legal, score)
	mirrored := row{stones: stones{legal}, points: r.points}.mirror().stones[0]
	if c := newClaim(r.mirror(), own, mirrored, score); c != nil {
		list[1] = c.mirror(r.points)
	}
	return list
}
