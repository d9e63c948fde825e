package board_test

import (
	"testing"

	"tengen/board"
)

// TestAround compares Grid.Around with Size.Neighbours on every small board.
func TestAround(t *testing.T) {
	for rows := 1; rows <= board.MaxSide; rows++ {
		for cols := 1; cols <= board.MaxLine; cols++ {
			size := board.Size{Rows: rows, Cols: cols}
			if !size.Small() {
				continue
			}
			g := board.NewGrid(size)
			for _, p := range size.All() {
				var want uint64
				for _, q := range size.Neighbours(p) {
					want |= 1 << q
				}
				if got := g.Around(1 << p); got != want {
					t.Fatalf("%s: %b is around %s instead of %b", size, got, size.Name(p), want)
				}
			}
			if got := g.Flood(1, g.Mask); got != g.Mask {
				t.Fatalf("%s: a flood from A1 leaves %b dry", size, g.Mask&^got)
			}
		}
	}
}
