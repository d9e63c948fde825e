package session

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/play"
	"tengen/game"
)

// expert plays and analyses one of the games on a board of one size.
type expert interface {
	// think chooses a move for c; engine.ErrNoMove says that there is none.
	think(ctx context.Context, g *game.Game, c board.Colour, b play.Budget) (thought, error)
	// estimator estimates positions that are not proven; it may be nil.
	estimator() play.Mover
	// survey turns an analysis into a thought.
	survey(a analyse.Analysis) thought
	// explain adds the expected lines after the moves.
	explain(g *game.Game, c board.Colour, t *thought)
	// ponder searches in the background until ctx ends.
	ponder(ctx context.Context, g *game.Game)
	// results shows the result of every move in the form that GoGui draws.
	results(a analyse.Analysis) string
	// solve reports the value of the position, and a move that keeps it.
	solve(a analyse.Analysis) string
	analyses() []string // its commands as GoGui reads them
	Close() error
}

// expert makes the expert for a game on a board of a size.
func (o Options) expert(ctx context.Context, r game.Rules, size board.Size) (expert, error) {
	switch r {
	case game.NoGo{}:
		return newNoGoExpert(ctx, o, size)
	case game.Go{}:
		return newGoExpert(ctx, o, size)
	}
	return nil, fmt.Errorf("no player plays %s here", r)
}

// thought is a move and the results of the other moves.
type thought struct {
	game.Choice
	// scores are the scores of best play after each of Moves, Black minus
	// White without komi. NoGo has none.
	scores  []int
	settled bool   // more time would not change the result
	note    string // a sentence about a move that is not proven to be best; "" for others
}
