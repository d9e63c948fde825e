package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/nogo"
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
	p.Stones, p.Ko, p.Size = turnedStones(p.Size, p.Stones), turnedPoint(p.Size, p.Ko), turned(p.Size)
	return p
}

// turnedStones are stones on a board of a size on the board turned.
func turnedStones(size board.Size, stones board.Stones) board.Stones {
	var t board.Stones
	for c := range stones {
		for q := range stones[c].Points() {
			t[c].Add(turnedPoint(size, q))
		}
	}
	return t
}

// turnedPoints are points of a size on the board turned; nil stays nil.
func turnedPoints(size board.Size, points []board.Point) []board.Point {
	points = slices.Clone(points)
	for i, p := range points {
		points[i] = turnedPoint(size, p)
	}
	return points
}

// standing reports whether a board is a column too long for the searches, for which the
// padding beside each point counts. As a row it is none.
func standing(size board.Size) bool { return size.Cols == 1 && !size.Small() }

// solveStanding answers a question about a column by the row.
func solveStanding(ctx context.Context, request Request) (Result, error) {
	size := request.Position.Size
	if err := request.Position.Validate(); err != nil {
		return Result{}, err
	}
	if _, _, err := request.Position.PlayAll(request.Moves, request.ToPlay); err != nil {
		return Result{}, err
	}
	if request.Certificate != "" {
		return Result{}, fmt.Errorf("a %s board is too large for a certificate: ask about the row, %s", size, turned(size))
	}
	if request.Why != nil {
		return Result{}, fmt.Errorf("a %s board is too long a column to say why a move loses: ask about the row, %s", size, turned(size))
	}
	row := request
	row.Position = nogo.Position{Size: turned(size), Stones: turnedStones(size, request.Position.Stones)}
	row.Moves = turnedPoints(size, request.Moves)
	result, err := Solve(ctx, row)
	result.Position = nogo.Position{Size: size, Stones: turnedStones(turned(size), result.Position.Stones)}
	result.Line = turnedPoints(turned(size), result.Line)
	for i, m := range result.Moves {
		result.Moves[i].Move = turnedPoint(turned(size), m.Move)
	}
	slices.SortFunc(result.Moves, func(a, b MoveResult) int { return cmp.Compare(a.Move, b.Move) })
	return result, err
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
