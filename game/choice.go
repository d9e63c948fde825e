package game

import "tengen/board"

// Known is the known result of a position for the side to move, or of a move for the side
// that makes it.
type Known uint8

// A position is won or lost, or nothing is known of it.
const (
	Unknown Known = iota
	Won
	Lost
)

func (k Known) String() string { return [...]string{"unknown", "won", "lost"}[k] }

// Source names the origin of a move and of its result.
type Source string

// The sources of moves of NoGo, and those of Go.
const (
	FromCertificate Source = "certificate" // a stored solution
	FromSearch      Source = "search"      // a search to the end
	FromPlayouts    Source = "playouts"
	FromEvaluation  Source = "evaluation"
	FromTable       Source = "table"    // the score is exact
	FromStrategy    Source = "strategy" // the move draws at least
	FromBound       Source = "bound"    // the move is proven to reach a bound of the score
	FromGuess       Source = "guess"    // nothing is known
)

// Choice is a move that a player of NoGo chose, and the reasons for it. The results of
// playouts are there if there were any.
type Choice struct {
	Move   board.Point
	Known  Known
	Source Source

	// ErrorBound bounds the probability that a known result of the position or of a move is
	// wrong: searches identify positions by hashed keys. It is 0 for results of a
	// certificate, and if nothing is known.
	ErrorBound float64

	WinShare float64       // share of the playouts that the move won, 0 to 1
	Playouts int           // played for this choice
	Line     []board.Point // the principal variation, starting with the move
	Moves    []MoveStats   // the legal moves that were looked at, best first
}

// MoveStats is the result of one legal move, seen by the side that makes it.
type MoveStats struct {
	Move     board.Point
	Visits   int
	WinShare float64
	Prior    float64 // the win share that was expected before any playout
	Known    Known
	Line     []board.Point
}
