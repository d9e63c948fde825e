package session

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
)

// expert is who plays and explains one of the games on a board of one size.
type expert interface {
	// think chooses a move for c; engine.ErrNoMove says that there is none.
	think(ctx context.Context, g *game.Game, c board.Colour, b engine.Budget) (thought, error)
	// estimator thinks about what is not proven; nil if nobody does.
	estimator() engine.Mover
	// survey is an analysis as a thought.
	survey(a engine.Analysis) thought
	// explain adds the lines that are expected after the moves.
	explain(g *game.Game, c board.Colour, t *thought)
	// ponder thinks in the background until ctx ends.
	ponder(ctx context.Context, g *game.Game)
	// results shows what every move leads to, as GoGui draws it.
	results(a engine.Analysis) string
	// solve says what the position is worth, and a move that is worth it.
	solve(a engine.Analysis) string
	analyses() []string // its commands as GoGui reads them
	Close() error
}

// expert makes who plays a game on a board of a size.
func (o Options) expert(ctx context.Context, r game.Rules, size board.Size) (expert, error) {
	switch r {
	case game.NoGo{}:
		return newNoGoExpert(o, size)
	case game.Go{}:
		return newGoExpert(ctx, o, size)
	}
	return nil, fmt.Errorf("nobody plays %s here", r)
}

// thought is a move and what is known of the others.
type thought struct {
	engine.Choice
	// scores are those of best play after each of Moves, Black minus White without
	// komi; NoGo has none.
	scores  []int
	settled bool // more time would not change anything
}
