package superko

import (
	"context"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// moves lists the legal moves at the root.
func (r *root) moves() []board.Point {
	list := []board.Point{weiqi.Pass}
	for p := range r.game.Legal().Points() {
		list = append(list, p)
	}
	return list
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
