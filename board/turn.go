package board

import "slices"

// IsRow reports whether the board is a single row or a single column.
func (s Size) IsRow() bool { return min(s.Rows, s.Cols) == 1 }

// Turned is the size with rows and columns exchanged. A board on its side is the same
// game.
func (s Size) Turned() Size { return Size{Rows: s.Cols, Cols: s.Rows} }

// Lying is the board or the board turned, whichever has no more rows than columns.
func (s Size) Lying() Size {
	if s.Rows > s.Cols {
		return s.Turned()
	}
	return s
}

// Turn is a point of the board on the board turned. NoPoint, a pass, stays what it is.
func (s Size) Turn(p Point) Point {
	if p == NoPoint {
		return p
	}
	return s.Turned().At(s.Col(p), s.Row(p))
}

// TurnAll is Turn for several points; nil stays nil.
func (s Size) TurnAll(points []Point) []Point {
	points = slices.Clone(points)
	for i, p := range points {
		points[i] = s.Turn(p)
	}
	return points
}

// TurnStones are the stones of the board on the board turned.
func (s Size) TurnStones(stones Stones) Stones {
	var t Stones
	for c := range stones {
		for q := range stones[c].Points() {
			t[c].Add(s.Turn(q))
		}
	}
	return t
}

// Orbits groups points that symmetries of the board exchange. Each group is in order, and
// the groups come in the order of their first points.
func (s Size) Orbits(points Set, symmetries []Symmetry) (groups [][]Point) {
	var seen Set
	for p := range points.Points() {
		if seen.Has(p) {
			continue
		}
		var orbit Set
		for _, sym := range symmetries {
			orbit.Add(s.Map(sym, p))
		}
		seen = seen.Union(orbit)
		groups = append(groups, slices.Collect(orbit.Points()))
	}
	return groups
}
