package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver/sums"
	"tengen/nogo"
)

// endgamePoints is about how many playable points of a large board can be solved.
const endgamePoints = 30

// Exact solves a position of NoGo on a board of any size. Boards that the default method
// takes are left to Solve. Of a larger one so little must be left that its regions fit on a
// sheet, see docs/players.md; of the request the position, the side to play, EachMove and
// the limits count then, the method is Endgame, the line is the winning move alone, and
// ErrTooMuchLeft says that there is no answer.
func Exact(ctx context.Context, request Request) (Result, error) {
	size := request.Position.Size
	if sums.Takes(size) {
		return Solve(ctx, request)
	}
	if err := request.Position.Validate(); err != nil {
		return Result{}, err
	}
	if err := request.least("the search of endgames", leastTable); err != nil {
		return Result{}, err
	}
	limits, err := request.settle()
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := limits.context(ctx)
	defer cancel()
	d, err := player.NewDecider(limits.Memory)
	if err != nil {
		return Result{}, err
	}
	defer d.Close()
	start := time.Now()
	result := Result{Position: request.Position, ToPlay: request.ToPlay, Winner: board.Empty, Method: Endgame}
	known, move, err := d.Decide(ctx, request.Position, request.ToPlay)
	if err == nil {
		result.Winner = winner(known == player.Won, request.ToPlay)
		if known == player.Won {
			result.Line = []board.Point{move}
		}
	}
	if err == nil && request.EachMove {
		result.Moves, err = exactMoves(ctx, d, request.Position, request.ToPlay, known)
	}
	result.Elapsed = time.Since(start)
	stats := d.Stats()
	result.Nodes, result.Memory, result.ErrorBound = stats.Nodes, stats.Bytes, stats.ErrorBound
	switch {
	case isStop(err):
		err = &Stopped{Cause: err, Known: fmt.Sprintf("%d moves are decided", len(result.Moves))}
	case errors.Is(err, player.ErrTooMuchLeft):
		open := request.Position.Legal(board.Black).Union(request.Position.Legal(board.White)).Len()
		err = fmt.Errorf("%w: %d points of %s can be played on, and about %d are solved", err, open, size, endgamePoints)
	}
	return result, err
}

// exactMoves decides every legal move of c: all of them lose where c has lost.
func exactMoves(ctx context.Context, d *player.Decider, p nogo.Position, c board.Colour, known player.Known) (moves []MoveResult, err error) {
	for q := range p.Legal(c).Points() {
		reply := player.Won
		if known == player.Won {
			next := p
			next.Stones[c].Add(q)
			if reply, _, err = d.Decide(ctx, next, c.Opponent()); err != nil {
				return moves, err
			}
		}
		moves = append(moves, MoveResult{q, winner(reply == player.Won, c.Opponent()), p.Size})
	}
	return moves, nil
}
