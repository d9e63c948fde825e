package session

import (
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
)

// Pictures of searches that came to their end and of those that did not.
func TestVerdicts(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 4}
	g := game.New(game.NoGo{}, game.NewPosition(size))
	move := func(col int, winner board.Colour) engine.MoveResult {
		return engine.MoveResult{Move: size.At(0, col), Winner: winner}
	}
	for _, test := range []struct {
		winner board.Colour
		moves  []engine.MoveResult
		want   string
	}{
		{
			board.Black,
			[]engine.MoveResult{move(0, board.White), move(1, board.Black), move(2, board.Black), move(3, board.White)},
			"TEXT black to play: black wins, 2 of 4 moves win\nCOLOR green B1 C1\nCOLOR red A1 D1",
		},
		{
			board.Black,
			[]engine.MoveResult{move(1, board.Black)},
			"TEXT black to play: black wins, 1 of 4 moves win, 3 are not decided\nCOLOR green B1",
		},
		{
			board.Empty,
			[]engine.MoveResult{move(0, board.White)},
			"TEXT black to play: the winner is not known, 0 of 4 moves win, 3 are not decided\nCOLOR red A1",
		},
	} {
		if got := verdicts(g, board.Black, engine.Result{Winner: test.winner, Moves: test.moves}); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}
