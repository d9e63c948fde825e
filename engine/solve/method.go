package solve

import (
	"fmt"

	"tengen/board"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
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

// Profile counts what a search met: on a single row a RowProfile, on other boards levels
// from many open points to few.
type Profile struct {
	RowProfile
	Levels []Level
}

// RowProfile counts as section 8.2 of the paper by Du and Müller does. Nodes are positions
// searched; leaves are positions that need no search, because the bounds decide them.
type RowProfile struct {
	NodesByDepth, LeavesByDepth []uint64
	NodesByParts, LeavesByParts []uint64 // by the number of strips and values
	NodeSizes, LeafSizes        []uint64 // strips by their points; those that are values count under 0
}

// Level counts the positions of a search with one number of open points.
type Level struct {
	Points int    `json:"points"`
	Nodes  uint64 `json:"nodes"`      // positions searched
	Single uint64 `json:"single"`     // of them, those that are one region
	Won    uint64 `json:"won"`        // those won by a move that was searched
	First  uint64 `json:"first_wins"` // of these, those won by the first move searched
	Work   uint64 `json:"work"`       // nodes at and below the won ones
	Wasted uint64 `json:"wasted"`     // of these, below moves searched before the winning one
}

// profileOf is the profile of a search by sums.
func profileOf(s solver.Solver) *Profile {
	switch s := s.(type) {
	case *method.Row:
		return &Profile{RowProfile: RowProfile(s.Profile())}
	case *sums.Solver:
		p := new(Profile)
		for _, l := range s.Profile() {
			p.Levels = append(p.Levels, Level(l))
		}
		return p
	}
	return nil
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
