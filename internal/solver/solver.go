// Package solver is the code that NoGo searches share. Callers use the question, the answer
// and the running counts. The boolean negamax searches over sums of games use outcomes,
// bounds that add up, moves and their order, access to the table, and the team of workers.
//
// Each search has its own loop, in sums, linear and boolean below this folder and in the
// player's endgames. They call only plain methods of this package at a node.
package solver

import (
	"context"
	"errors"
	"io"

	"tengen/board"
	"tengen/nogo"
)

// Query is one question about a position.
type Query struct {
	Position nogo.Position
	ToPlay   board.Colour

	// Limited asks whether Attacker can force the opponent to be without a move after at
	// most Plies further moves of the game. Anything longer counts as a loss for Attacker.
	// Without Limited the question is the plain winner.
	Limited  bool
	Attacker board.Colour
	Plies    int
}

// After is the question one move later.
func (q Query) After(move board.Point) Query {
	q.Position.Stones[q.ToPlay].Add(move)
	q.ToPlay = q.ToPlay.Opponent()
	if q.Limited {
		q.Plies--
	}
	return q
}

// Answer says who wins and, if that is the side to move, by which move.
type Answer struct {
	Winner board.Colour
	Move   board.Point // a winning move if Winner is to play, else board.NoPoint
}

// Stats are counts of the work so far. They may be read while a search runs.
type Stats struct {
	Nodes      uint64  // positions expanded, local searches included
	Stored     uint64  // table entries in use
	Capacity   uint64  // table entries the memory has room for, 0 if unbounded
	Bytes      int64   // memory taken by tables
	DiskBytes  int64   // bytes of the table held in files
	RootDone   int     // root moves decided
	RootMoves  int     // root moves in all
	ErrorBound float64 // probability that the table mistook one position for another, at most
}

// Solver is a search with a table that survives from one question to the next.
// Solve and Close are for one goroutine at a time; Stats and Save may be called
// while Solve runs in another.
type Solver interface {
	Solve(ctx context.Context, q Query) (Answer, error)
	Stats() Stats
	// Save writes the contents of the table; Load reads them back into an empty solver of
	// the same size and options.
	Save(w io.Writer) error
	Load(r io.Reader) error
	Close() error
}

// Inspectable is a Solver that reports on a question while it searches it. The reports are for
// display and are not part of an answer.
type Inspectable interface {
	// Settled returns the moves of a question that are known to win and to lose, without a
	// search.
	Settled(q Query) (won, lost board.Set)
	// Path returns the first moves of the line being searched: at each step the earlier
	// moves have been refuted. The path ends before the first free move, which has no
	// point.
	Path() []board.Point
}

var (
	// ErrMemory reports that a table is full and may not grow.
	ErrMemory = errors.New("the table is full and may not grow")
	// ErrBudget reports that a search has used its nodes. The table keeps the results so
	// far.
	ErrBudget = errors.New("the search has used up its nodes")
)
