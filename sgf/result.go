package sgf

import (
	"strconv"
	"strings"

	"tengen/board"
)

// Result is the value of RE, such as B+R.
type Result string

// How a game was won other than by score.
const (
	ByResignation = "R" // also a loss in NoGo by having no legal move
	ByTime        = "T"
	ByForfeit     = "F"
)

// Win is the result of a game that c has won.
func Win(c board.Colour, how string) Result {
	if c == board.Black {
		return Result("B+" + how)
	}
	return Result("W+" + how)
}

// Score is the result of a game with the given lead of Black.
func Score(lead float64) Result {
	switch {
	case lead > 0:
		return Win(board.Black, strconv.FormatFloat(lead, 'f', -1, 64))
	case lead < 0:
		return Win(board.White, strconv.FormatFloat(-lead, 'f', -1, 64))
	}
	return "0"
}

// Winner is the colour that won, or Empty for a draw; known is false for a game
// without a result.
func (r Result) Winner() (winner board.Colour, known bool) {
	text := strings.ToUpper(strings.TrimSpace(string(r)))
	switch {
	case strings.HasPrefix(text, "B+"):
		return board.Black, true
	case strings.HasPrefix(text, "W+"):
		return board.White, true
	case text == "0", text == "DRAW", text == "JIGO":
		return board.Empty, true
	}
	return board.Empty, false
}
