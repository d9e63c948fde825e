package superko

import (
	"context"
	"slices"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// Move is a move and the score it leads to, as far as it is proven.
type Move struct {
	Point board.Point // or weiqi.Pass
	Answer
}

// Moves finds the score of every legal move, the pass first and then by point, from
// the bounds that are known of the position itself: no move is better than the score.
// Moves that a symmetry of the game so far maps to each other are solved once. If it
// is stopped, it returns what is proven of each move until then.
func (s *Solver) Moves(ctx context.Context, q Question, known Answer) ([]Move, error) {
	s.solving.Lock()
	defer s.solving.Unlock()
	r, err := s.root(q)
	if err != nil || r.over {
		return nil, err
	}
	least := Answer{Low: -s.graph.points, High: known.High}
	if r.key.own() == board.White {
		least = Answer{Low: known.Low, High: s.graph.points}
	}
	var list []Move
	for _, p := range r.moves() {
		list = append(list, Move{p, least})
	}
	first := s.images(q, list)
	s.movesDone.Store(0)
	s.movesAll.Store(int64(len(slices.Compact(slices.Sorted(slices.Values(first))))))
	defer s.movesAll.Store(0)
	for i := range list {
		if first[i] == i && err == nil {
			var next root
			if next, err = s.root(q.After(list[i].Point)); err == nil {
				list[i].Answer, err = s.solve(ctx, next, least)
			}
			s.movesDone.Add(1)
		}
		list[i].Answer = list[first[i]].Answer
	}
	return list, err
}

// images lists for each move the first that a symmetry of the game so far maps to it.
func (s *Solver) images(q Question, list []Move) []int {
	syms := s.symmetries(q)
	first := make([]int, len(list))
	for i, m := range list {
		first[i] = slices.IndexFunc(list, func(o Move) bool { return o.Point == m.Point || s.mapped(syms, o.Point, m.Point) })
	}
	return first
}

// moves lists what is legal at the root.
func (r *root) moves() []board.Point {
	list := []board.Point{weiqi.Pass}
	for p := range r.game.Legal().Points() {
		list = append(list, p)
	}
	return list
}

// symmetries lists those that leave the start and every move in place.
func (s *Solver) symmetries(q Question) []board.Symmetry {
	return slices.DeleteFunc(s.size.Symmetries(), func(sym board.Symmetry) bool {
		moved := func(p board.Point) bool { return p != weiqi.Pass && s.size.Map(sym, p) != p }
		return q.Start.Map(sym) != q.Start || slices.ContainsFunc(q.Moves, moved)
	})
}

func (s *Solver) mapped(syms []board.Symmetry, from, to board.Point) bool {
	return from != weiqi.Pass && slices.ContainsFunc(syms, func(sym board.Symmetry) bool { return s.size.Map(sym, from) == to })
}

// keeps reports whether the side to play gets at least score, which is Black
// minus White, at a root.
func (s *Solver) keeps(ctx context.Context, r root, score int) (bool, error) {
	t := score
	if r.key.own() == board.White {
		t = -score
	}
	switch points := s.graph.points; {
	case r.over:
		return s.graph.score(r.key.state()) >= t, nil
	case t <= -points, t > points:
		return t <= points, nil
	}
	b := s.newBounds(r)
	b.low, b.high = t-1, t
	s.run(ctx, r, b)
	low, high := b.proven()
	if low < high {
		return false, solver.Interrupted(ctx)
	}
	return low >= t, nil
}
