package solve

import (
	"fmt"

	"tengen/board"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
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

// Profile counts what a search met, in lists from 0 on. On a single row it counts as section
// 8.2 of the paper by Du and Müller does: nodes are positions searched; leaves are positions
// that need no search, because the bounds decide them. On other boards it counts nodes by
// their open points.
type Profile struct {
	NodesByDepth, LeavesByDepth []uint64
	NodesByParts, LeavesByParts []uint64 // by the number of strips and values
	NodeSizes, LeafSizes        []uint64 // strips by their points; those that are values count under 0

	NodesByPoints  []uint64
	SingleByPoints []uint64 // those that are one region
	WonByPoints    []uint64 // those won by a move that was searched
	FirstByPoints  []uint64 // of these, those won by the first move searched
	WorkByPoints   []uint64 // nodes at and below the won ones
	WastedByPoints []uint64 // of these, below moves searched before the winning one
	StepsByPoints  []uint64 // positions that were looked at to play out small nodes
}

// profileOf is the profile of a search by sums.
func profileOf(s solver.Solver) *Profile {
	switch s := s.(type) {
	case *method.Row:
		p := s.Profile()
		return &Profile{
			NodesByDepth: p.NodesByDepth, LeavesByDepth: p.LeavesByDepth,
			NodesByParts: p.NodesByParts, LeavesByParts: p.LeavesByParts,
			NodeSizes: p.NodeSizes, LeafSizes: p.LeafSizes,
		}
	case *sums.Solver:
		p := new(Profile)
		for _, l := range s.Profile() {
			p.NodesByPoints = append(p.NodesByPoints, l.Nodes)
			p.SingleByPoints = append(p.SingleByPoints, l.Single)
			p.WonByPoints = append(p.WonByPoints, l.Won)
			p.FirstByPoints = append(p.FirstByPoints, l.First)
			p.WorkByPoints = append(p.WorkByPoints, l.Work)
			p.WastedByPoints = append(p.WastedByPoints, l.Wasted)
			p.StepsByPoints = append(p.StepsByPoints, l.Steps)
		}
		return p
	}
	return nil
}

// endgamePoints is the number of playable points of a large board that are solved within
// seconds. More may take hours.
const endgamePoints = 24

// hopelessPoints is the number from which on nobody waits for the end of a search: every
// further point multiplies its time.
const hopelessPoints = 40

// openClause says how many points of a large board are left, and how many are solved.
func openClause(p nogo.Position) string {
	return fmt.Sprintf("%d points can be played on, and up to about %d are solved within a minute", method.Playable(p), endgamePoints)
}

// slow says why the search of a large board may take very long; "" if it does not.
func slow(p nogo.Position) string {
	switch open := method.Playable(p); {
	case open >= hopelessPoints:
		return openClause(p) + ": do not expect an answer"
	case open > endgamePoints:
		return openClause(p) + ": every further point multiplies the time"
	}
	return ""
}

// Hopeless reports whether a large board has too many open points for any search.
func (r Result) Hopeless() bool {
	return r.Method == Endgame && method.Playable(r.Position) >= hopelessPoints
}

// TooMuchLeft is the error of a position of NoGo that is too far from its end to be
// solved, where estimates were not asked for.
type TooMuchLeft struct {
	Size board.Size
	Open int // points that can be played on
}

func (e *TooMuchLeft) Error() string {
	return fmt.Sprintf("%v: %d points of %s can be played on, and up to about %d are solved within a minute", player.ErrTooMuchLeft, e.Open, e.Size, endgamePoints)
}
