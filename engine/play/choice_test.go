package play_test

import (
	"testing"

	"tengen/engine/play"
	"tengen/game"
)

// The greatest share of wins, which programs take for that of the position, is near that
// of the move with the most visits, whatever luck the others had.
func TestSharesOfFewVisits(t *testing.T) {
	moves := []game.MoveStats{
		{Visits: 4000, WinShare: 0.5},
		{Visits: 1, WinShare: 1},
		{Visits: 7, WinShare: 5. / 7},
		{Visits: 1, WinShare: 0},
		{Visits: 3, WinShare: 0.3, Known: game.Lost},
		{Visits: 3, WinShare: 0.3, Known: game.Won},
	}
	shares := play.Shares(moves)
	for i, m := range moves[:4] {
		if shares[i] < 0.45 || shares[i] > 0.55 {
			t.Errorf("%d visits with a share of %.2f make %.3f", m.Visits, m.WinShare, shares[i])
		}
	}
	if shares[4] != 0 || shares[5] != 1 {
		t.Errorf("a lost and a won move have shares of %.3f and %.3f", shares[4], shares[5])
	}
	many := game.MoveStats{Visits: 4000, WinShare: 0.8}
	if got := play.Shares(append(moves, many))[6]; got < 0.79 {
		t.Errorf("many visits with a share of 0.8 make %.3f", got)
	}
	if got := play.Shares([]game.MoveStats{{Visits: 2, WinShare: 0}})[0]; got < 0.4 {
		t.Errorf("two lost playouts, and none besides, make a share of %.3f", got)
	}
}
