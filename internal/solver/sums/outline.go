package sums

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Outline lists the moves of a position in the order in which a search would try them
// now. It is for a position that a search has given up. It must not be called while a
// search runs.
func (s *Solver) Outline(q solver.Query) []solver.Option {
	if s.check(q) != nil {
		return nil
	}
	w := s.Workers[0]
	var options []solver.Option
	var asked []solver.Question // by option
	seen := make(map[nogo.Position]bool)
	for _, m := range w.appraise(s.layout, q) {
		next := q.After(m.point)
		form := next.Position.Canonical()
		if seen[form] {
			continue
		}
		seen[form] = true
		outcome := -w.glance(s.layout, next)
		question := w.At(0)
		if i := slices.Index(asked, question); i >= 0 {
			options[i].Same = append(options[i].Same, m.point)
			continue
		}
		asked = append(asked, question)
		options = append(options, solver.Option{Move: m.point, Outcome: outcome, Score: m.score})
	}
	return options
}

// appraised is a legal move with the score of the ordering.
type appraised struct {
	point board.Point
	score int32
	place int // in the list of the search, before it is sorted
}

// appraise scores the legal moves of a query as expand does and sorts them in the same
// way.
func (w *worker) appraise(l region.Layout, q solver.Query) []appraised {
	began := w.begun(l, q)
	w.load(l, q)
	f := &w.frames[0]
	var listed [64]appraised // by bit
	for i := range listed {
		// Moves that are not in the sum, or are in a region that repeats another, come
		// last.
		listed[i] = appraised{score: math.MinInt32, place: math.MaxInt}
	}
	count := 0
	consider := func(at int, point uint64) {
		f.fresh.Used = 0
		w.Follow(f.sum, at, f.colour, point, &f.children[0], &f.fresh)
		listed[bits.TrailingZeros64(point)] = appraised{score: w.score(f, &f.children[0], point), place: count}
		count++
	}
	for at, p := range f.sum.Parts() {
		if w.Repeats(f.sum, at) {
			continue
		}
		open := p.Region.Open[f.colour]
		if open&f.killer != 0 {
			open &^= f.killer
			consider(at, f.killer)
		}
		for ; open != 0; open &= open - 1 {
			consider(at, open&-open)
		}
	}
	// Keep the order in which the search that was given up went through its moves: the
	// move it was searching is half done, and later experience is less reliable than
	// that.
	if left := w.leftAt(0); left != 0 && len(began) == 0 && listed[bits.TrailingZeros64(left)].score > math.MinInt32 {
		began = []uint64{left}
	}
	for i, point := range began {
		m := &listed[bits.TrailingZeros64(point)]
		m.score, m.place = math.MaxInt32-int32(i), i
	}
	var moves []appraised
	for p := range q.Position.Legal(q.ToPlay).Points() {
		m := listed[bits.TrailingZeros64(l.Bit(p))]
		m.point = p
		moves = append(moves, m)
	}
	slices.SortStableFunc(moves, func(a, b appraised) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place))
	})
	return moves
}

// begun are the root moves that the last search of a query tried, in order. It is empty
// if the last search was of another query.
func (w *worker) begun(l region.Layout, q solver.Query) (points []uint64) {
	f := &w.frames[0]
	if f.sum == nil || f.colour != q.ToPlay { // nothing has been searched, or another side
		return nil
	}
	asked := w.At(0)
	for _, m := range f.moves[:f.open] {
		if m.Point != 0 {
			points = append(points, m.Point)
		}
	}
	if w.load(l, q); w.At(0) != asked {
		return nil
	}
	return points
}
