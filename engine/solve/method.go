package solve

import (
	"fmt"

	"tengen/board"
	"tengen/internal/method"
	"tengen/internal/player"
)

// Method names a family of search.
type Method string

// The methods. Auto chooses the strongest one for the board. Endgame cannot be chosen: it is
// for late positions of boards that no other method takes.
// Book is no search: it is the method of an answer from the book.
const (
	Auto    Method = "auto"
	SBH     Method = "sbh"
	Sums    Method = "sums"
	Endgame Method = "endgame"
	Book    Method = "book"
)

// Methods lists the names a request may use.
func Methods() []Method { return []Method{Auto, SBH, Sums} }

// Parts lists what can be switched off in a method.
func Parts(m Method) []string { return method.Parts(string(m)) }

// Profile counts what a search on a single row met, as section 8.2 of the paper by Du
// and Müller does. Nodes are positions searched; leaves are positions that need no
// search, because the bounds decide them.
type Profile struct {
	NodesByDepth, LeavesByDepth []uint64
	NodesByParts, LeavesByParts []uint64 // by the number of strips and values
	NodeSizes, LeafSizes        []uint64 // strips by their points; those that are values count under 0
}

// endgamePoints is the number of playable points of a large board that are solved within
// seconds. More may take hours.
const endgamePoints = 24

// TooMuchLeft is the error of a position of NoGo that is too far from its end to be
// solved, where estimates were not asked for.
type TooMuchLeft struct {
	Size board.Size
	Open int // points that can be played on
}

func (e *TooMuchLeft) Error() string {
	return fmt.Sprintf("%v: %d points of %s can be played on, and up to about %d are solved within a minute", player.ErrTooMuchLeft, e.Open, e.Size, endgamePoints)
}
