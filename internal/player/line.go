package player

import (
	"context"

	"tengen/board"
	"tengen/internal/solver"
)

// PlayOut plays an answer about NoGo out. Where few points are playable the winner ends
// the game as soon as it can and the loser as late as it can; before, the winner plays a
// winning move, and the loser the one that leaves it the most moves compared with the
// opponent. A stubborn loser plays by the player's policy for lost positions. A stop on
// the way leaves the line short.
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
