package cluster

import (
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// A key and a turn stand for a position as it was come to.
func TestTurns(t *testing.T) {
	for _, text := range []string{"x../.o./...", "xo./.../..x", ".x../o.../....", "x.x/.../x.x"} {
		p, err := nogo.ParsePosition(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, sym := range p.Size.Symmetries() {
			image := p.Map(sym)
			k := keyOf(image, board.White)
			if k != keyOf(p, board.White) {
				t.Errorf("%s and %s have two keys", p, image)
			}
			if got := k.Position(p.Size).Map(k.turnTo(image)); got != image {
				t.Errorf("%s comes back as %s", image, got)
			}
		}
	}
}
