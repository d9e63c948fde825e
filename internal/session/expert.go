package session

import (
	"context"

	"tengen/board"
	"tengen/engine"
)

// expert is who plays and explains one of the games on a board of one size.
type expert interface {
	// think chooses a move for c; player.ErrNoMove says that there is none.
	think(ctx context.Context, g *game, c board.Colour, b engine.Budget) (thought, error)
	// survey thinks about every legal move of c.
	survey(ctx context.Context, g *game, c board.Colour, b engine.Budget) (thought, error)
	// explain adds the lines that are expected after the moves.
	explain(g *game, c board.Colour, t *thought)
	// ponder thinks in the background until ctx ends.
	ponder(ctx context.Context, g *game)
	// results shows what every move leads to, as GoGui draws it.
	results(ctx context.Context, g *game, c board.Colour) (string, error)
	// solve says what the position is worth, and a move that is worth it.
	solve(ctx context.Context, g *game, c board.Colour) (string, error)
	Close() error
}

// thought is a move and what is known of the others.
type thought struct {
	engine.Choice
	// scores are those of best play after each of Moves, Black minus White without
	// komi; NoGo has none.
	scores  []int
	settled bool // more time would not change anything
}
