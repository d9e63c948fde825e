package cli

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/internal/match"
	"tengen/weiqi"
)

// An opening is balanced by a proven score only, and under superko by its history.
func TestOpeningsAreBalancedByProof(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	opening := func(o match.Options, moves string) *game.Game {
		g := game.New(o.Rules, game.NewPosition(o.Size))
		points, err := o.Size.ParsePoints(moves)
		if err == nil {
			err = g.PlayAll(points)
		}
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	// There is no table of the row. The strategy proves that the score is not below 0.
	o := match.Options{Rules: game.Go{}, Size: board.Size{Rows: 1, Cols: 20}}
	if lead, err := exactLead(o)(t.Context(), opening(o, "C1 E1")); err == nil || !strings.HasPrefix(err.Error(), "--balanced: an opening on 1x20 cannot be solved") {
		t.Errorf("the lead on %s is %g: %v", o.Size, lead, err)
	}
	// White may not retake at C1, since the board would repeat. Without the history White wins by 4.
	o = match.Options{Rules: game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}}, Size: board.Size{Rows: 1, Cols: 4}}
	if lead, err := exactLead(o)(t.Context(), opening(o, "B1 C1 D1")); err != nil || lead != 4 {
		t.Errorf("the lead of black is %g, want 4: %v", lead, err)
	}
}
