package engine

import (
	"tengen/board"
	"tengen/weiqi"
)

// A board on its side is the same game, so one table serves 4x5 and 5x4.

// turned is the size with rows and columns exchanged.
func turned(size board.Size) board.Size { return board.Size{Rows: size.Cols, Cols: size.Rows} }

// lying is the board or the board turned, whichever has no more rows than columns.
func lying(size board.Size) board.Size {
	if size.Rows > size.Cols {
		return turned(size)
	}
	return size
}

// turnedPoint is a point of a size, or a pass, on the board turned.
func turnedPoint(size board.Size, p board.Point) board.Point {
	if p == board.NoPoint {
		return p
	}
	return turned(size).At(size.Col(p), size.Row(p))
}

// turnedPosition is a sound position on the board turned.
func turnedPosition(p weiqi.Position) weiqi.Position {
	t := p
	t.Size, t.Stones, t.Ko = turned(p.Size), board.Stones{}, turnedPoint(p.Size, p.Ko)
	for c := range p.Stones {
		for q := range p.Stones[c].Points() {
			t.Stones[c].Add(turnedPoint(p.Size, q))
		}
	}
	return t
}

// turned is an answer about a board of a size on the board turned.
func (a GoAnswer) turned(size board.Size) GoAnswer {
	for i := range a.Moves {
		a.Moves[i].Move = turnedPoint(size, a.Moves[i].Move)
		a.Moves[i].size = turned(size)
	}
	for i := range a.Line {
		a.Line[i] = turnedPoint(size, a.Line[i])
	}
	return a
}
