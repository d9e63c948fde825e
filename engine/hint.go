package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"tengen/board"
	"tengen/internal/player"
	"tengen/nogo"
)

// DefaultPlayer is the player that suits a board: the perfect one where every move is
// settled in a moment, tree search elsewhere.
func DefaultPlayer(size board.Size) PlayerKind {
	const quickRow = 30
	if size.Points() <= finishPoints || size.Rows == 1 && size.Cols <= quickRow {
		return PlayerPerfect
	}
	return PlayerMCTS
}

// Playouts is how many playouts the thinking of a mover has come to, 0 for one that
// counts none. It may be asked while the mover thinks.
func Playouts(m Mover) int {
	if counting, ok := m.(interface{ Done() int }); ok {
		return counting.Done()
	}
	return 0
}

// Judge asks a mover about every legal move of c. The choice comes back with all of
// them in Moves, those known to win first and those known to lose last. Results are
// exact where they are known: in a lost position every move loses, and in a won one
// the mover is asked about the answers to the others as long as there is time.
func Judge(ctx context.Context, m Mover, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	start := time.Now()
	left := func() time.Duration { return b.Time - time.Since(start) }
	b.All = true
	first := b
	first.Time /= 2
	choice, err := m.Move(ctx, p, c, first)
	if err == nil && choice.Known == player.Unknown && left() > 0 && ctx.Err() == nil {
		// Nothing is known of the others either: all of the time is for the position.
		choice, err = m.Move(ctx, p, c, Budget{Time: left(), Playouts: b.Playouts, All: true})
	}
	if err != nil {
		return Choice{}, err
	}
	choice.Moves = everyMove(p, c, choice)
	for i := range choice.Moves {
		if choice.Known == player.Lost {
			choice.Moves[i].Known = player.Lost
		}
	}
	if choice.Known == player.Won {
		err = judgeOthers(ctx, m, p, c, left(), choice.Moves)
	}
	byKnowledge(choice.Moves)
	return choice, err
}

// everyMove are the legal moves, first those that the choice tells of.
func everyMove(p nogo.Position, c board.Colour, choice Choice) []MoveStats {
	moves := append([]MoveStats(nil), choice.Moves...)
	if len(moves) == 0 {
		moves = append(moves, MoveStats{Move: choice.Move, Line: choice.Line})
	}
	left := p.Legal(c)
	for _, m := range moves {
		left.Remove(m.Move)
	}
	for q := range left.Points() {
		moves = append(moves, MoveStats{Move: q})
	}
	for i := range moves {
		if moves[i].Move == choice.Move && choice.Known == player.Won {
			moves[i].Known = player.Won
		}
	}
	return moves
}

// judgeOthers settles moves that are not known yet, in rounds: what is hard is asked
// again with the time that the easy ones have left.
func judgeOthers(ctx context.Context, m Mover, p nogo.Position, c board.Colour, left time.Duration, moves []MoveStats) error {
	const least = 10 * time.Millisecond
	end := time.Now().Add(left)
	for {
		var open []*MoveStats
		for i := range moves {
			if moves[i].Known == player.Unknown {
				open = append(open, &moves[i])
			}
		}
		if len(open) == 0 {
			return nil
		}
		for i, move := range open {
			// A share is kept for the next round.
			share := time.Until(end) / time.Duration(len(open)-i+1)
			if share < least || ctx.Err() != nil {
				return nil
			}
			if err := judgeMove(ctx, m, p, c, share, move); err != nil {
				return err
			}
		}
	}
}

// judgeMove settles a move by what the opponent can make of it.
func judgeMove(ctx context.Context, m Mover, p nogo.Position, c board.Colour, share time.Duration, move *MoveStats) error {
	p.Stones[c].Add(move.Move)
	answer, err := m.Move(ctx, p, c.Opponent(), Budget{Time: share, All: true})
	switch {
	case errors.Is(err, player.ErrNoMove), err == nil && answer.Known == player.Lost:
		move.Known = player.Won
	case err == nil && answer.Known == player.Won:
		move.Known = player.Lost
	}
	if errors.Is(err, player.ErrNoMove) {
		return nil
	}
	return err
}

// byKnowledge puts won moves first and lost ones last; moves of a kind stay in order.
func byKnowledge(moves []MoveStats) {
	rank := [...]int{player.Won: 0, player.Unknown: 1, player.Lost: 2}
	slices.SortStableFunc(moves, func(a, b MoveStats) int { return cmp.Compare(rank[a.Known], rank[b.Known]) })
}
