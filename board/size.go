// Package board holds what every game on a grid shares: sizes, points, colours, bit sets,
// symmetries, coordinates and diagrams. It knows no rules.
//
// Cells are numbered with one padding column after each row. So the four neighbours of a
// cell lie at fixed distances, and shifting a whole set never wraps around an edge. A board
// of at most 64 padded cells fits one machine word, and the hot paths of other packages
// work on that word alone.
package board

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxSide is the largest number of rows or columns.
const MaxSide = 19

// MaxLine is the largest number of points of a board of one row or one column.
const MaxLine = 63

// Size is the shape of a board. Its zero value is not a board.
type Size struct {
	Rows, Cols int
}

// ParseSize reads "ROWSxCOLS", or "ROWS×COLS" as papers write it.
func ParseSize(text string) (Size, error) {
	rows, cols, ok := strings.Cut(strings.ToLower(strings.Replace(text, "×", "x", 1)), "x")
	if !ok {
		return Size{}, fmt.Errorf("size %.70q is not ROWSxCOLS, such as 4x5", text)
	}
	r, err1 := strconv.Atoi(rows)
	c, err2 := strconv.Atoi(cols)
	if err1 != nil || err2 != nil {
		return Size{}, fmt.Errorf("size %.70q is not ROWSxCOLS, such as 4x5", text)
	}
	return NewSize(r, c)
}

// NewSize checks the limits: 19 rows and columns, or a single row or column of up to
// 63 points.
func NewSize(rows, cols int) (Size, error) {
	switch {
	case rows < 1 || cols < 1:
		return Size{}, fmt.Errorf("a %dx%d board has no points", rows, cols)
	case min(rows, cols) == 1 && max(rows, cols) <= MaxLine, rows <= MaxSide && cols <= MaxSide:
		return Size{rows, cols}, nil
	}
	return Size{}, fmt.Errorf("a %dx%d board is too large: the limit is 19x19, or 63 points in a single row or column", rows, cols)
}

func (s Size) String() string { return fmt.Sprintf("%dx%d", s.Rows, s.Cols) }

// Points is the number of points.
func (s Size) Points() int { return s.Rows * s.Cols }

// Stride is the distance between vertical neighbours.
func (s Size) Stride() int { return s.Cols + 1 }

// Cells is the number of cells, padding included.
func (s Size) Cells() int { return s.Rows * s.Stride() }

// Small reports whether the padded board fits one machine word.
func (s Size) Small() bool { return s.Cells() <= 64 }

// At is the point at a row counted from the bottom and a column from the left, both from 0.
func (s Size) At(row, col int) Point { return Point(row*s.Stride() + col) }

// Row counts from the bottom, from 0.
func (s Size) Row(p Point) int { return int(p) / s.Stride() }

// Col counts from the left, from 0.
func (s Size) Col(p Point) int { return int(p) % s.Stride() }

// Contains reports whether p is a point of the board, not padding or beyond.
func (s Size) Contains(p Point) bool {
	return p >= 0 && int(p) < s.Cells() && s.Col(p) < s.Cols
}

// All lists the points row by row from the bottom.
func (s Size) All() []Point {
	points := make([]Point, 0, s.Points())
	for row := range s.Rows {
		for col := range s.Cols {
			points = append(points, s.At(row, col))
		}
	}
	return points
}

// Mask is the set of all points.
func (s Size) Mask() Set {
	var m Set
	for _, p := range s.All() {
		m.Add(p)
	}
	return m
}

// Neighbours lists the up to four points next to p.
func (s Size) Neighbours(p Point) []Point {
	var list [4]Point
	n := 0
	for _, q := range [4]Point{p - 1, p + 1, p - Point(s.Stride()), p + Point(s.Stride())} {
		if s.Contains(q) {
			list[n] = q
			n++
		}
	}
	return list[:n]
}
