package sums

import (
	"context"
	"math"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/negamax"
)

// SolveWithin answers a query with all threads and a number of nodes, and up to a
// thousand more for each thread; 0 is no limit. The error is solver.ErrBudget if they do
// not suffice. The answer has a winning move only if one can be told without a further
// search.
//
// It is for a search that is cut into pieces: what one was at when it was given up, the
// next goes on with where it comes to the same positions.
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
	return negamax.Answer(ctx, q, outcome, func() (board.Point, error) {
		for p := range q.Position.Legal(q.ToPlay).Points() {
			if s.Workers[0].glance(s.layout, q.After(p)) == lost {
				return p, nil
			}
		}
		return board.NoPoint, nil
	})
}

const (
	// begunPoints is the size from which a position that was given up is gone on with;
	// smaller ones are soon searched again.
	begunPoints = 8
	// mostBegun is how many such positions a worker remembers.
	mostBegun = 1 << 16
)

// take prepares for a piece. Killers stay with the number of stones at which they won,
// which is at another ply if the root is another.
func (w *worker) take(q solver.Query) {
	if w.left == nil || len(w.left) >= mostBegun {
		w.left = map[negamax.Question]uint64{}
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

// goOn puts the move first that was being searched when the position was given up: the
// table has learned much below it. By its score it may come later now.
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

// leftAt is the move that was being searched, or 0.
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
