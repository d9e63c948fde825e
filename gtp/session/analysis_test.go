package session

import (
	"testing"

	"tengen/engine"
	"tengen/player"
)

// The greatest share of wins, which programs take for that of the position, is near that
// of the move with the most visits, whatever luck the others had.
func TestSharesOfFewVisits(t *testing.T) {
	moves := []engine.MoveStats{
		{Visits: 4000, WinShare: 0.5},
		{Visits: 1, WinShare: 1},
		{Visits: 7, WinShare: 5. / 7},
		{Visits: 1, WinShare: 0},
		{Visits: 3, WinShare: 0.3, Known: player.Lost},
	}
	mean := meanShare(moves)
	for _, m := range moves[:4] {
		if got := share(m, mean); got < 0.45 || got > 0.55 {
			t.Errorf("%d visits with a share of %.2f make %.3f", m.Visits, m.WinShare, got)
		}
	}
	if got := share(moves[4], mean); got != 0 {
		t.Errorf("a lost move has a share of %.3f", got)
	}
	many := engine.MoveStats{Visits: 4000, WinShare: 0.8}
	if got := share(many, mean); got < 0.79 {
		t.Errorf("many visits with a share of 0.8 make %.3f", got)
	}
	if got := share(engine.MoveStats{Visits: 2, WinShare: 0}, meanShare([]engine.MoveStats{{Visits: 2, WinShare: 0}})); got < 0.4 {
		t.Errorf("two lost playouts, and none besides, make a share of %.3f", got)
	}
}
