package tui

import (
	"context"
	"sync"

	"tengen/board"
	"tengen/game"
	"tengen/internal/review"
)

// Opponent plays the other side and gives hints. The last of its positions is the
// present one. Only Playouts may be called concurrently with other methods.
type Opponent interface {
	// String is the name, for the title and the record.
	String() string
	// Move chooses a move. If ctx ends, it soon returns the best so far.
	Move(ctx context.Context, positions []game.Position) (Reply, error)
	// Hint returns the results of every legal move.
	Hint(ctx context.Context, positions []game.Position) (Hint, error)
	// Review judges the moves of a game. If ctx ends, it returns the judgements so
	// far with the error of ctx.
	Review(ctx context.Context, g *game.Game) (review.Review, error)
	// Playouts is the number of playouts of the present search, or 0 if they are not
	// counted.
	Playouts() int
}

// Reply is a move and a sentence about its worth.
type Reply struct {
	Move board.Point // or game.Pass
	Says string
}

// Hint holds the results of the moves of a position.
type Hint struct {
	Says  string
	Marks map[board.Point]Mark
}

// Mark is what the board shows for a move.
type Mark struct {
	Grade Grade
	Text  string // up to three characters, for a large board
	Short string // one character, for a small board
	// Without a text a sign shows the grade.
}

// Grade is the worth of a move for the side that makes it.
type Grade uint8

// The grades.
const (
	Guess    Grade = iota // an estimate
	Favoured              // the best of the estimates
	Good                  // wins, or keeps the best score
	Bad                   // throws something away
)

// caller asks an opponent one question at a time. A question that was dropped is not
// asked, so that nobody asks a player that is being closed.
type caller struct {
	mu       sync.Mutex
	opponent Opponent
}

// question says how long an answer is needed: the opponent may think until hurried
// ends, and need not begin once dropped has ended.
type question struct{ dropped, hurried context.Context }

// answered asks a method of the opponent about a game or its positions.
func answered[G, A any](c *caller, q question, ask func(context.Context, G) (A, error), about G) (answer A, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := q.dropped.Err(); err != nil {
		return answer, err
	}
	return ask(q.hurried, about)
}

// wait returns when no question is being answered.
func (c *caller) wait() {
	c.mu.Lock()
	defer c.mu.Unlock()
}
