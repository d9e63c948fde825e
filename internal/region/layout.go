package region

import (
	"tengen/board"
	"tengen/nogo"
)

// Layout places a board on the grid that regions are handled on: rows of eight
// cells where the board fits, so that regions can be transposed by bit
// operations, the board's own padded rows elsewhere. A board with more rows
// than columns is laid on its side.
type Layout struct {
	Grid   nogo.Grid
	size   board.Size
	turned bool
}

// NewLayout prepares a small board of at most MaxPoints points.
func NewLayout(size board.Size) Layout {
	l := Layout{size: size, turned: size.Rows > size.Cols}
	rows, cols := size.Rows, size.Cols
	if l.turned {
		rows, cols = cols, rows
	}
	l.Grid.Stride = cols + 1
	if cols < 8 && rows <= 8 {
		l.Grid.Stride = 8
	}
	for r := range rows {
		l.Grid.Mask |= (1<<cols - 1) << (r * l.Grid.Stride)
	}
	return l
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
