package region

import (
	"tengen/board"
	"tengen/nogo"
)

// Layout places a board on the grid on which regions are handled. If the board fits,
// the grid has rows of eight cells, so that bit operations can transpose regions.
// Otherwise the grid has the board's own padded rows. A board with more rows than
// columns is laid on its side.
type Layout struct {
	Grid   nogo.Grid
	size   board.Size
	turned bool
}

// NewLayout prepares a small board of at most MaxPoints points.
func NewLayout(size board.Size) Layout { return layOut(size, max(size.Rows, size.Cols)) }

// layOut places a board on a grid with rows wide enough for a board of widest columns.
func layOut(size board.Size, widest int) Layout {
	l := Layout{size: size, turned: size.Rows > size.Cols}
	rows, cols := min(size.Rows, size.Cols), max(size.Rows, size.Cols)
	l.Grid.Stride = widest + 1
	if widest < 8 {
		l.Grid.Stride = 8
	}
	for r := range rows {
		l.Grid.Mask |= (1<<cols - 1) << (r * l.Grid.Stride)
	}
	return l
}

// Together places boards of several sizes on grids with rows of the same length, all in
// the same corner. It returns the grid that holds them all. In normal form, regions of
// different boards are then regions of that grid: they do not touch, wherever they lie.
// It returns false if there is no such grid.
func Together(sizes []board.Size) (map[board.Size]Layout, nogo.Grid, bool) {
	rows, cols := 0, 0
	for _, s := range sizes {
		rows, cols = max(rows, min(s.Rows, s.Cols)), max(cols, max(s.Rows, s.Cols))
		if s.Points() > MaxPoints {
			return nil, nogo.Grid{}, false
		}
	}
	if cols > 62 || !(board.Size{Rows: rows, Cols: cols}).Small() {
		return nil, nogo.Grid{}, false
	}
	whole := layOut(board.Size{Rows: rows, Cols: cols}, cols).Grid
	layouts := make(map[board.Size]Layout)
	for _, s := range sizes {
		layouts[s] = layOut(s, cols)
	}
	return layouts, whole, true
}

// Stones are the stones of a position on the grid.
func (l Layout) Stones(p nogo.Position) nogo.Stones {
	var s nogo.Stones
	for c := range s {
		for q := range p.Stones[c].Points() {
			s[c] |= l.Bit(q)
		}
	}
	return s
}

// Bit is the cell of a point.
func (l Layout) Bit(p board.Point) uint64 {
	row, col := l.size.Row(p), l.size.Col(p)
	if l.turned {
		row, col = col, row
	}
	return 1 << (row*l.Grid.Stride + col)
}
