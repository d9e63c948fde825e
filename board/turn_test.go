package board_test

import (
	"slices"
	"testing"

	"tengen/board"
)

// A board turned twice is the board, and every point keeps its stone on the way.
func TestTurns(t *testing.T) {
	for _, size := range []board.Size{{Rows: 1, Cols: 7}, {Rows: 4, Cols: 3}, {Rows: 5, Cols: 5}} {
		turned := size.Turned()
		if turned.Turned() != size || size.Lying() != turned.Lying() || size.Lying().Rows > size.Lying().Cols {
			t.Errorf("%s turned is %s and lies as %s", size, turned, size.Lying())
		}
		var stones board.Stones
		for i, p := range size.All() {
			if turned.Turn(size.Turn(p)) != p {
				t.Errorf("%s of %s does not come back", size.Name(p), size)
			}
			if i%3 < 2 {
				stones[i%3].Add(p)
			}
		}
		there := size.TurnStones(stones)
		if turned.TurnStones(there) != stones || there[board.Black].Len() != stones[board.Black].Len() {
			t.Errorf("stones of %s do not come back", size)
		}
		if points := size.TurnAll([]board.Point{board.NoPoint, 0}); !slices.Equal(points, []board.Point{board.NoPoint, 0}) {
			t.Errorf("a pass and the first point of %s turn to %v", size, points)
		}
	}
}

// Orbits hold every point once, and each is closed under the symmetries.
func TestOrbits(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	var seen board.Set
	for _, orbit := range size.Orbits(size.Mask(), size.Symmetries()) {
		for _, p := range orbit {
			if seen.Has(p) {
				t.Errorf("%s is in two orbits", size.Name(p))
			}
			seen.Add(p)
			for _, sym := range size.Symmetries() {
				if !slices.Contains(orbit, size.Map(sym, p)) {
					t.Errorf("an image of %s is not in its orbit", size.Name(p))
				}
			}
		}
	}
	if seen != size.Mask() {
		t.Errorf("the orbits hold %d of %d points", seen.Len(), size.Points())
	}
}
