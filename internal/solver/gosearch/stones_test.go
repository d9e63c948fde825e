package gosearch

import (
	"context"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/weiqi"
)

// TestStonesAgainstTheirDefinition counts every set of a board for itself, in the order of
// their numbers and without symmetries, for every number of points.
func TestStonesAgainstTheirDefinition(t *testing.T) {
	for _, name := range []string{"1x4", "1x7", "2x5", "3x3", "4x3", "4x4"} {
		t.Run(name, func(t *testing.T) {
			size, err := board.ParseSize(name)
			if err != nil {
				t.Fatal(err)
			}
			g := newGeometry(size)
			got := newStones(g)
			if err := got.count(t.Context(), g, 3); err != nil {
				t.Fatal(err)
			}
			if got.left.Load() != 0 {
				t.Errorf("%d sets are left", got.left.Load())
			}
			for want := 1; want <= g.points; want++ {
				table, ok := got.claim(t.Context(), want, make([]uint8, len(got.holds)), 3)
				if !ok {
					t.Fatal("stopped")
				}
				defined(t, g, table)
			}
		})
	}
}

// defined compares a table with its definition.
func defined(t *testing.T, g *geometry, table *lacks) {
	f, count := newSafety(g), uint64(1)<<g.points
	need := make([]int, count)
	for m := count - 1; m < count; m-- {
		own := table.spread(m)
		need[m] = g.points
		for i := range g.points {
			if more := m | 1<<i; more != m {
				need[m] = min(need[m], need[more]+1)
			}
		}
		if f.most(own) >= table.want {
			need[m] = 0
		}
		wall := false
		for rest := own; rest != 0; {
			block := f.grid.Flood(rest&-rest, rest)
			wall = wall || f.behind(block) >= table.want
			rest &^= block
		}
		// A mark may be set where a wall has nearly enough points, but not for all points.
		if lacking, walled := table.look(own); lacking != need[m] || wall && !walled || walled && !wall && table.want == g.points {
			t.Fatalf("set %b for %d: %d, %t; want %d, %t", m, table.want, lacking, walled, need[m], wall)
		}
	}
}

// TestStonesStop: a count that is stopped goes on.
func TestStonesStop(t *testing.T) {
	size := board.Size{Rows: 4, Cols: 5}
	if longtest.Raced {
		size = board.Size{Rows: 3, Cols: 6}
	}
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
	for m, want := range whole.holds {
		if parts.holds[m] != want {
			t.Fatalf("set %b is %d after %d stops, want %d", m, parts.holds[m], stops, want)
		}
	}
}

// TestStonesOfClaims: claims of any number of points have their stones, in the tables that
// there is memory for.
func TestStonesOfClaims(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	p := weiqi.NewPosition(size)
	for _, tables := range []int{1, 2, 3, 13} {
		s := newSolver(t, size, Options{Stones: tables})
		for _, goal := range []int{4, 12, 2, 4, -6, 12, 0} {
			if err := s.count(t.Context(), board.Black, goal); err != nil {
				t.Fatal(err)
			}
			if got := s.counted(goal); got == nil != (tables == 1 && goal < 12) {
				t.Errorf("%d tables, %d points: %v", tables, goal, got)
			}
			if len(s.lacks) > max(tables-1, 1) {
				t.Errorf("%d of %d tables are in use", len(s.lacks), tables)
			}
		}
		for _, goal := range []int{4, 12} {
			if v, err := s.Prove(t.Context(), Question{p, board.Black, goal}, 100_000); (v == Proven) != (goal == 4) {
				t.Errorf("%d tables, %d points: %v, %v", tables, goal, v, err)
			}
		}
	}
}
