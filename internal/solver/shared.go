package solver

import (
	"context"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/nogo"
)

// Shared is a Solver that solves a part of a question, beside solvers elsewhere: its searches
// have a limit, and it exchanges facts with the others.
type Shared interface {
	Solver
	// SolveWithin answers a query within a number of nodes. If they do not suffice, the
	// error is ErrBudget.
	SolveWithin(ctx context.Context, q Query, nodes uint64) (Answer, error)
	// Outline lists the moves of a position in the order in which a search would try them
	// now. It must not be called while a search runs.
	Outline(q Query) []Option
	// WinningMove finds a winning move of c, who is known to win.
	WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error)

	// SetExport has the solver collect the facts that cost it this many nodes or more.
	// Export hands them out and Import reads them. Disputes reports whether a list of facts
	// contradicts the table. All four may be called while a search runs.
	SetExport(least uint64)
	Export(list []byte) []byte
	Import(facts []byte) error
	Disputes(facts []byte) bool
}

// FactBytes is the size of a fact in a list.
const FactBytes = lockless.EntryBytes

// Option is a move of a position, with what a search knows of it.
type Option struct {
	// Move stands for all moves to positions that are images of each other.
	Move board.Point
	// Same are moves to other positions that are the same sum, one move for each
	// position. They have the same outcome, but a certificate needs an entry for each.
	Same    []board.Point
	Outcome Outcome // for the side that moves, if bounds or the table show it
	Score   int32   // the highest is tried first
}
