package cli

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/table"
	"tengen/weiqi"
)

// A move whose score is open shows on the board what is proven of it.
func TestOpenMovesShowTheirBounds(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	g := goAnswer{position: weiqi.NewPosition(size), Answer: table.Answer{
		Value: table.Value{Open: true, Lo: -6, Hi: 6},
		Moves: []table.Move{
			{Move: size.At(0, 0), Value: table.Value{Score: -6, Lo: -6, Hi: -6}},
			{Move: size.At(0, 1), Value: table.Value{Open: true, Lo: 1, Hi: 6}},
			{Move: size.At(0, 2), Value: table.Value{Open: true, Lo: -6, Hi: 0}},
			{Move: size.At(1, 0), Value: table.Value{Open: true, Lo: -2, Hi: 3}},
			{Move: size.At(1, 1), Value: table.Value{Open: true, Lo: -6, Hi: 6}},
		},
	}}
	want := []string{
		"2 -2…+3     ?     .",
		"1    -6   ≥+1    ≤0",
	}
	if got := strings.Split(g.diagram(&app{}), "\n"); got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the board is\n%s", strings.Join(got, "\n"))
	}
}
