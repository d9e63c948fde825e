package board_test

import (
	"testing"

	"tengen/board"
)

func TestWinner(t *testing.T) {
	var none board.Winner
	if none != board.NoWinner || none.Colour() != board.Empty || none.String() != "nobody" || board.Empty.Wins() != none {
		t.Errorf("the zero value is %s", none)
	}
	for c := range board.Colour(2) {
		other := c.Opponent()
		if w := c.Wins(); !w.Is(c) || w.Is(other) || w.Colour() != c || w.String() != c.String() || c.WinsIf(true) != w || other.WinsIf(false) != w {
			t.Errorf("%s wins as %s", c, w)
		}
		if none.Is(c) {
			t.Errorf("nobody is %s", c)
		}
	}
	if none.Is(board.Empty) {
		t.Error("nobody is known to win, and yet somebody does")
	}
}
