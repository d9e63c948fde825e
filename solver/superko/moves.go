package superko

import (
	"context"
	"slices"

	"tengen/board"
	"tengen/solver"
	"tengen/weiqi"
)

// Move is a move and the score it leads to, Black minus White.
type Move struct {
	Point board.Point // or weiqi.Pass
	Score int
}

// Moves finds the score of every legal move, the pass first and then by point.
// Moves that a symmetry of the game so far maps to each other are solved once. If
// it is stopped, it returns the moves solved until then.
func (s *Solver) Moves(ctx context.Context, q Question) ([]Move, error) {
	s.solving.Lock()
	defer s.solving.Unlock()
	r, err := s.root(q)
	if err != nil || r.over {
		return nil, err
	}
	syms := s.symmetries(q)
	var list []Move
	for _, p := range r.moves() {
		if i := slices.IndexFunc(list, func(m Move) bool { return s.mapped(syms, m.Point, p) }); i >= 0 {
			list = append(list, Move{p, list[i].Score})
			continue
		}
		next, err := s.root(q.After(p))
		if err != nil {
			return list, err
		}
		a, err := s.solve(ctx, next)
		if err != nil {
			return list, err
		}
		list = append(list, Move{p, a.Low})
	}
	return list, nil
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
	b := s.newBounds(r.key.own())
	b.low, b.high = t-1, t
	s.run(ctx, r, b)
	if b.low != b.high {
		return false, solver.Interrupted(ctx)
	}
	return b.low == t, nil
}
