package player

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
)

// Points are next to each other on the sheet exactly if they are on the board,
// and every point has a place of its own on the grid.
func TestSheetKeepsNeighbours(t *testing.T) {
	tried, laid := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tried++
		size := rapid.SampledFrom([]board.Size{{Rows: 9, Cols: 9}, {Rows: 1, Cols: 63}, {Rows: 19, Cols: 19}, {Rows: 6, Cols: 7}, {Rows: 19, Cols: 2}}).Draw(t, "size")
		seed := rapid.Uint64().Draw(t, "seed")
		points := rapid.IntRange(0, 40).Draw(t, "points")
		p := randomPosition(rand.New(rand.NewPCG(seed, 0)), size, points)
		g := newStart(p, board.Black)
		s, ok := newSheet(g.terrain, g.candidates)
		if !ok {
			return
		}
		laid++
		var taken uint64
		for _, cell := range g.candidates {
			b := s.bit[cell]
			if bits.OnesCount64(b) != 1 || b&^s.grid.Mask != 0 || b&taken != 0 || s.cell[bits.TrailingZeros64(b)] != cell {
				t.Fatalf("%s has no place of its own", size.Name(g.point(cell)))
			}
			taken |= b
		}
		for _, a := range g.candidates {
			var want uint64
			for _, q := range g.around(a) {
				want |= s.bit[q]
			}
			if got := s.grid.Around(s.bit[a]) & taken; got != want {
				t.Fatalf("%s has other neighbours on the sheet in\n%s", size.Name(g.point(a)), size.Diagram(p.Stones))
			}
		}
	})
	if laid < tried/4 {
		t.Errorf("only %d of %d sheets were laid", laid, tried)
	}
}
