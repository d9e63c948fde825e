package player

import (
	"math/rand/v2"
	"testing"

	"tengen/board"
)

// The swing of a move is the difference in moves lost, counted by the rules.
// Computing it does not change the field.
func TestSwingCountsLostMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, text := range []string{"1x2", "1x9", "3x5", "5x5", "9x9"} {
		size := parseSize(t, text)
		for range 20 {
			from := randomPosition(random, size, 1+random.IntN(size.Points()))
			g := newStart(from, board.Black)
			before := g.field
			var p prior
			p.survey(g.terrain, &g.field, g.candidates)
			legal := [2]int{from.Legal(board.Black).Len(), from.Legal(board.White).Len()}
			for _, c := range []board.Colour{board.Black, board.White} {
				for move := range from.Legal(c).Points() {
					after, err := from.Play(c, move)
					if err != nil {
						t.Fatal(err)
					}
					own, other := legal[c]-after.Legal(c).Len(), legal[c^1]-after.Legal(c^1).Len()
					if got := p.swing(g.terrain, &g.field, g.cell(move), uint8(c)); got != other-own {
						t.Fatalf("%s at %s swings by %d, want %d, in\n%s", c, size.Name(move), got, other-own, size.Diagram(from.Stones))
					}
				}
			}
			if g.field != before {
				t.Fatalf("the field was changed in\n%s", size.Diagram(from.Stones))
			}
		}
	}
}
