package tui

import (
	"context"
	"sync"

	"tengen/board"
	"tengen/game"
	"tengen/internal/review"
)

// Opponent plays the other side and gives hints. The last of the positions it is
// given is the present one. Except for Playouts it is called from one goroutine at a time.
type Opponent interface {
	// String is the name, for the title and the record.
	String() string
	// Move chooses a move. If ctx ends, the best so far comes back soon.
	Move(ctx context.Context, positions []game.Position) (Reply, error)
	// Hint tells what is known of every legal move.
	Hint(ctx context.Context, positions []game.Position) (Hint, error)
	// Review judges the moves of a game. If ctx ends, what was judged comes back with
	// its error.
	Review(ctx context.Context, g *game.Game) (review.Review, error)
	// Playouts is how far the thinking under way has come, 0 if that is not counted.
	Playouts() int
}

// Reply is a move and a sentence on what stands behind it.
type Reply struct {
	Move board.Point // or game.Pass
	Says string
}

// Hint is what is known of the moves of a position.
type Hint struct {
	Says  string
	Marks map[board.Point]Mark
}

// Mark is what the board shows of a move.
type Mark struct {
	Grade Grade
	Text  string // up to three characters, for a board that has the room
	Short string // one character, for a board that has not
	// Without a text a sign shows the grade.
}

// Grade is the worth of a move for who makes it.
type Grade uint8

// The grades.
const (
	Guess    Grade = iota // an estimate
	Favoured              // the best of the estimates
	Good                  // wins, or keeps the best score
	Bad                   // throws something away
)

// seat lets one question at a time through to an opponent. One that was dropped does
// not get through, so that nobody asks a player that is being closed.
type seat struct {
	mu       sync.Mutex
	opponent Opponent
}

// question is how long an answer is wanted: the opponent may think until hurried has
// ended, and need not begin once dropped has.
type question struct{ dropped, hurried context.Context }

func (s *seat) move(q question, positions []game.Position) (Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := q.dropped.Err(); err != nil {
		return Reply{}, err
	}
	return s.opponent.Move(q.hurried, positions)
}

func (s *seat) hint(q question, positions []game.Position) (Hint, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := q.dropped.Err(); err != nil {
		return Hint{}, err
	}
	return s.opponent.Hint(q.hurried, positions)
}

func (s *seat) review(q question, g *game.Game) (review.Review, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := q.dropped.Err(); err != nil {
		return review.Review{}, err
	}
	return s.opponent.Review(q.hurried, g)
}

// wait returns when nobody is asked any more.
func (s *seat) wait() {
	s.mu.Lock()
	defer s.mu.Unlock()
}
