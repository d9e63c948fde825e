package gosearch

import (
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
)

// TestShapes: the shape of own stones and the search for safe points agree on whether all
// points are safe, on random boards. Half of the boards have few empty points, since
// otherwise hardly any is safe.
func TestShapes(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"1x9", "2x6", "3x4", "4x4", "4x5", "5x5", "4x7"} {
		size, err := board.ParseSize(name)
		if err != nil {
			t.Fatal(err)
		}
		f := newSafety(newGeometry(size))
		safe := 0
		for range longtest.Times(50_000, 200_000) {
			var own, other uint64
			least := dice.Float64()
			for _, p := range size.All() {
				switch x := dice.Float64(); {
				case x < 0.6+0.3*least:
					own |= 1 << p
				case x < 0.8+0.1*least:
					other |= 1 << p
				}
			}
			shape := f.shape(own)
			got, want := shape.safe(f, other), f.enough(own, other, f.points)
			if got != want {
				t.Fatalf("%s: own %b, other %b: %t, want %t", name, own, other, got, want)
			}
			if got {
				safe++
			}
		}
		if safe < 50 {
			t.Errorf("%s: only %d boards were safe", name, safe)
		}
	}
}
