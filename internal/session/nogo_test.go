package session

import (
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
)

// The pictures of finished and of stopped searches.
func TestVerdicts(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 4}
	for _, test := range []struct {
		winner board.Colour
		after  [4]board.Colour
		want   string
	}{
		{
			board.Black,
			[4]board.Colour{board.White, board.Black, board.Black, board.White},
			"TEXT black to play: black wins, 2 of 4 moves win\nCOLOR green B1 C1\nCOLOR red A1 D1",
		},
		{
			board.Black,
			[4]board.Colour{board.Empty, board.Black, board.Empty, board.Empty},
			"TEXT black to play: black wins, 1 of 4 moves win, 3 are not decided\nCOLOR green B1",
		},
		{
			board.Empty,
			[4]board.Colour{board.White, board.Empty, board.Empty, board.Empty},
			"TEXT black to play: the winner is not known, 0 of 4 moves win, 3 are not decided\nCOLOR red A1",
		},
	} {
		a := analyse.Analysis{Position: game.NewPosition(size), Best: analyse.Finding{Winner: test.winner.Wins()}}
		for col, winner := range test.after {
			a.Moves = append(a.Moves, analyse.Finding{Move: size.At(0, col), Winner: winner.Wins()})
		}
		if got := (nogoExpert{}).results(a); got != test.want {
			t.Errorf("got\n%s\nwant\n%s", got, test.want)
		}
	}
}
