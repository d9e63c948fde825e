package sums

import (
	"context"
	"math"

	"tengen/board"
	"tengen/internal/solver"
)

// SolveWithin answers a query with all threads and a limited number of nodes. Each
// thread may search up to a thousand more; 0 nodes means no limit. The error is
// solver.ErrBudget if the nodes do not suffice. The answer has a winning move only if
// one is known without a further search.
//
// It is for a search that is cut into pieces. In the positions it comes to again, the
// next piece goes on with the move that was being searched when the last piece was
// given up.
func (s *Solver) SolveWithin(ctx context.Context, q solver.Query, nodes uint64) (solver.Answer, error) {
	if err := s.check(q); err != nil {
		return solver.Answer{}, err
	}
	for _, w := range s.Workers {
		w.take(q)
	}
	defer s.BeginWithin(ctx, nodes)()
	outcome := s.outcome(ctx, q)
	if outcome == unknown {
		return solver.Answer{}, s.Ended(ctx)
	}
	return solver.AnswerFor(ctx, q, outcome, func() (board.Point, error) {
		for p := range q.Position.Legal(q.ToPlay).Points() {
			if s.Workers[0].glance(s.layout, q.After(p)) == lost {
				return p, nil
			}
		}
		return board.NoPoint, nil
	})
}

const (
	// begunPoints is the size from which a worker remembers where it gave a position
	// up. Smaller positions are soon searched again.
	begunPoints = 8
	// mostBegun is the number of such positions that a worker remembers.
	mostBegun = 1 << 16
)

// take prepares for a piece. Killer moves stay with the number of stones at which they
// won. With another root, that is another ply.
func (w *worker) take(q solver.Query) {
	if w.left == nil || len(w.left) >= mostBegun {
		w.left = map[solver.Question]uint64{}
	}
	stones := q.Position.Stones[board.Black].Len() + q.Position.Stones[board.White].Len()
	var killers [maxPly]uint64
	for ply := range killers {
		if at := ply + stones - w.stones; at >= 0 && at < maxPly {
			killers[ply] = w.frames[at].killer
		}
	}
	for ply, killer := range killers {
		w.frames[ply].killer = killer
	}
	w.stones = stones
}

// goOn puts the move first that was being searched when the position was given up. The
// table holds much of the search below it, but by its score the move might come later
// now.
func (w *worker) goOn(ply int) {
	if point := w.leftAt(ply); point != 0 {
		f := &w.frames[ply]
		for i := range f.listed {
			if f.moves[i].Point == point {
				f.moves[i].Score = math.MaxInt32
			}
		}
	}
}

// leftAt is the move that was being searched when the position at a ply was given up,
// or 0.
func (w *worker) leftAt(ply int) uint64 {
	if len(w.left) == 0 || w.frames[ply].sum.Points < begunPoints {
		return 0
	}
	return w.left[w.At(ply)]
}

// giveUp remembers the move that was being searched.
func (w *worker) giveUp(ply int, point uint64) {
	if w.left != nil && w.frames[ply].sum.Points >= begunPoints {
		w.left[w.At(ply)] = point
	}
}
