package player

import (
	"context"
	"slices"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// The policy of a lost position, in order:
//
//  1. the move that leaves the opponent the fewest winning replies;
//  2. the move after which the player's own legal moves exceed the opponent's
//     by most;
//  3. the first point, row by row from the bottom.
//
// Moves that a symmetry of the position exchanges are tried once. The first
// rule needs every reply solved. So above CountPoints playable points, and when
// time runs out, the second rule decides alone. All three depend on the
// position and not on the state of the table: the same position gets the same
// move.
func (p *Player) resist(ctx context.Context, q solver.Query) (board.Point, error) {
	last := q.Limited && q.Plies <= 1
	if last || p.solver == nil || playable(q.Position) > p.CountPoints {
		return mobile(q), nil
	}
	best, fewest, margin := board.NoPoint, 0, 0
	for _, class := range Classes(q.Position, q.ToPlay) {
		child := q.After(class[0])
		limit := child.Position.Legal(child.ToPlay).Len()
		if best != board.NoPoint {
			limit = fewest
		}
		n, err := p.winningReplies(ctx, child, limit)
		if err != nil {
			return mobile(q), err
		}
		m := mobility(child.Position, q.ToPlay)
		if best == board.NoPoint || n < fewest || n == fewest && m > margin {
			best, fewest, margin = class[0], n, m
		}
	}
	return best, nil
}

// winningReplies counts the replies that win for the side to move, and stops
// when there are more than limit.
func (p *Player) winningReplies(ctx context.Context, q solver.Query, limit int) (int, error) {
	n := 0
	for _, class := range Classes(q.Position, q.ToPlay) {
		winner, _, _, err := p.ask(ctx, q.After(class[0]))
		if err != nil {
			return n, err
		}
		if winner == q.ToPlay {
			n += len(class)
		}
		if n > limit {
			break
		}
	}
	return n, nil
}

// Classes groups the legal moves of c that symmetries of the position exchange;
// each class starts with its first point, and the classes come in that order.
func Classes(position nogo.Position, c board.Colour) [][]board.Point {
	own := slices.DeleteFunc(position.Size.Symmetries(), func(sym board.Symmetry) bool { return position.Map(sym) != position })
	return position.Size.Orbits(position.Legal(c), own)
}

// mobile is the move of the second rule.
func mobile(q solver.Query) board.Point {
	best, margin := board.NoPoint, 0
	for _, class := range Classes(q.Position, q.ToPlay) {
		if m := mobility(q.After(class[0]).Position, q.ToPlay); best == board.NoPoint || m > margin {
			best, margin = class[0], m
		}
	}
	return best
}

func mobility(position nogo.Position, c board.Colour) int {
	return position.Legal(c).Len() - position.Legal(c.Opponent()).Len()
}

func playable(position nogo.Position) int {
	return position.Legal(board.Black).Union(position.Legal(board.White)).Len()
}
