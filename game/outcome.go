package game

import (
	"fmt"
	"math"
	"strings"

	"tengen/board"
	"tengen/sgf"
)

// Outcome is how a game ended by the rules.
type Outcome struct {
	Winner board.Winner // board.NoWinner for a draw
	How    How
	Lead   float64 // Black's score minus White's, less komi, in games that are scored
	Why    string  // a clause that says what ended the game
}

// How names the way in which a game ended.
type How string

// The ways to end by the rules.
const (
	NoMove How = "no move"
	Score  How = "score"
	Loop   How = "loop"
	Limit  How = "move limit"
)

// String is the whole sentence, without a full stop.
func (o Outcome) String() string { return o.Why + ": " + o.Verdict() }

// Verdict says who has won, such as "black wins by 4", or that it is a draw.
func (o Outcome) Verdict() string {
	switch {
	case o.Winner == board.NoWinner:
		return "a draw"
	case o.Lead != 0:
		return fmt.Sprintf("%s wins by %g", o.Winner, math.Abs(o.Lead))
	}
	return fmt.Sprintf("%s wins", o.Winner)
}

// Result is the outcome in the form of SGF. A side that cannot move counts
// as having resigned.
func (o Outcome) Result() sgf.Result {
	if o.How == NoMove {
		return sgf.Win(o.Winner.Colour(), sgf.ByResignation)
	}
	return sgf.Score(o.Lead)
}

// title is the name of a colour with a capital letter.
func title(c board.Colour) string {
	name := c.String()
	return strings.ToUpper(name[:1]) + name[1:]
}
