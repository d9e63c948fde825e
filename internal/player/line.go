package player

import (
	"context"

	"tengen/board"
	"tengen/internal/solver"
)

// PlayOut plays a solved position of NoGo to its end. Where few points are playable, it
// plays the moves of Soonest. Before that, the winner plays a winning move, and the loser
// the move that leaves it the most moves compared with the opponent. A stubborn loser
// plays by the policy of resist.go instead. If the context ends, the line is cut short.
func PlayOut(ctx context.Context, s solver.Solver, q solver.Query, stubborn bool) []board.Point {
	var line []board.Point
	p := New(s, nil)
	if !stubborn {
		p.CountPoints = 0
	}
	for !q.Limited || q.Plies > 0 {
		move, ok := board.NoPoint, false
		if !q.Limited && !stubborn {
			move, ok = Soonest(q.Position, q.ToPlay)
		}
		if !ok {
			choice, err := p.Answer(ctx, q)
			if err != nil {
				break
			}
			move = choice.Move
		}
		line = append(line, move)
		q = q.After(move)
	}
	return line
}
