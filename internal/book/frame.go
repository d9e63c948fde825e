package book

import (
	"bytes"
	"fmt"

	"tengen/board"
	"tengen/game"
)

// PassNumber is the number of a pass among those of points.
const PassNumber = 0xffff

// Frame is one of the ways to look at a board: a symmetry is applied first, and then the
// board is laid on its longer side.
type Frame struct {
	Size board.Size
	Sym  board.Symmetry
}

// Number is that of a point, row by row, or PassNumber.
func (f Frame) Number(p board.Point) int {
	if p == game.Pass {
		return PassNumber
	}
	p = f.Size.Map(f.Sym, p)
	row, col := f.Size.Row(p), f.Size.Col(p)
	if f.Size.Rows > f.Size.Cols {
		row, col = col, row
	}
	return row*max(f.Size.Rows, f.Size.Cols) + col
}

// Point is the point of a number, or a pass.
func (f Frame) Point(n int) board.Point {
	if n == PassNumber {
		return game.Pass
	}
	row, col := n/max(f.Size.Rows, f.Size.Cols), n%max(f.Size.Rows, f.Size.Cols)
	if f.Size.Rows > f.Size.Cols {
		row, col = col, row
	}
	return f.Size.Map(f.Size.Inverse(f.Sym), f.Size.At(row, col))
}

// Numbers are those of the moves of a line.
func (f Frame) Numbers(line []board.Point) (numbers []int) {
	for _, p := range line {
		numbers = append(numbers, f.Number(p))
	}
	return numbers
}

// Points are the moves of numbers.
func (f Frame) Points(numbers []int) (line []board.Point) {
	for _, n := range numbers {
		line = append(line, f.Point(n))
	}
	return line
}

// Canonical describes a position under rules, with the moves that were made from it if
// those count. Positions that a symmetry of the board, a turn of it or an exchange of the
// colours maps to each other have one description. The frame is how this one is seen then.
func Canonical(rules game.Rules, p game.Position, moves ...board.Point) (least []byte, how Frame) {
	for _, sym := range p.Size.Symmetries() {
		f := Frame{p.Size, sym}
		if text := f.describe(rules, p, moves); least == nil || bytes.Compare(text, least) < 0 {
			least, how = text, f
		}
	}
	return least, how
}

// describe writes down all that counts, as the side to play sees it.
func (f Frame) describe(rules game.Rules, p game.Position, moves []board.Point) []byte {
	points := f.Size.Points()
	stones := bytes.Repeat([]byte{'.'}, points)
	for c, set := range p.Stones {
		for q := range set.Points() {
			stones[f.Number(q)] = "xo"[c^int(p.ToPlay)]
		}
	}
	name := func(q board.Point) int {
		if q == board.NoPoint {
			return points
		}
		return f.Number(q)
	}
	text := fmt.Appendf(nil, "%s %s %s %s ko %d passes %d moves", rules.Name(), rules.Label(), f.Size.Lying(), stones, name(p.Ko), p.Passes)
	for _, m := range moves {
		text = fmt.Appendf(text, " %d", name(m))
	}
	return text
}
