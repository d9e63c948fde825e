package gosearch

import (
	"context"
	"testing"

	"tengen/board"
)

// TestStonesAgainstTheirDefinition counts every set of a board for itself, in the order of
// their numbers and without symmetries.
func TestStonesAgainstTheirDefinition(t *testing.T) {
	for _, name := range []string{"1x7", "2x5", "3x3", "4x3", "4x4", "3x6"} {
		t.Run(name, func(t *testing.T) {
			size, err := board.ParseSize(name)
			if err != nil {
				t.Fatal(err)
			}
			g := newGeometry(size)
			got := newStones(g)
			if err := got.count(context.Background(), g, 3); err != nil {
				t.Fatal(err)
			}
			f, sets := newSafety(g), uint64(1)<<g.points
			need, wall := make([]int, sets), make([]bool, sets)
			for m := sets - 1; m < sets; m-- {
				own := got.spread(m)
				need[m] = g.points
				for i := range g.points {
					if more := m | 1<<i; more != m {
						need[m] = min(need[m], need[more]+1)
					}
				}
				if m != sets-1 && f.possible(own) {
					need[m] = 0
				}
				for rest := own; rest != 0; {
					block := f.grid.Flood(rest&-rest, rest)
					wall[m] = wall[m] || f.cuts(block)
					rest &^= block
				}
			}
			for m := range sets {
				if lacking, walled := got.look(got.spread(m)); lacking != need[m] || walled != wall[m] {
					t.Fatalf("set %b: %d, %t; want %d, %t", m, lacking, walled, need[m], wall[m])
				}
			}
			if got.left.Load() != 0 {
				t.Errorf("%d sets are left", got.left.Load())
			}
		})
	}
}

// TestStonesStop: a count that is stopped goes on.
func TestStonesStop(t *testing.T) {
	size := board.Size{Rows: 4, Cols: 5}
	g := newGeometry(size)
	whole, parts := newStones(g), newStones(g)
	if err := whole.count(context.Background(), g, 2); err != nil {
		t.Fatal(err)
	}
	stops := 0
	for {
		ctx, cancel := context.WithCancel(context.Background())
		if stops < 3 {
			go func() {
				for was := parts.left.Load(); parts.left.Load() == was; {
				}
				cancel()
			}()
		}
		err := parts.count(ctx, g, 2)
		cancel()
		if err == nil {
			break
		}
		stops++
	}
	for m, want := range whole.need {
		if parts.need[m] != want {
			t.Fatalf("set %b is %d after %d stops, want %d", m, parts.need[m], stops, want)
		}
	}
}
