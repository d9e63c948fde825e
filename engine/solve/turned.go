package solve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// standing reports whether a board is a column that is too long for the searches, because each
// row has a cell of padding. As a row it is not too long.
func standing(size board.Size) bool { return size.Cols == 1 && !size.Small() }

// solveStanding answers a question about a column by the row.
func solveStanding(ctx context.Context, request Request) (Result, error) {
	size := request.Position.Size
	if err := request.Position.Validate(); err != nil {
		return Result{}, err
	}
	if _, _, err := request.Position.PlayAll(request.ToPlay, request.Moves); err != nil {
		return Result{}, err
	}
	if request.proves() {
		return Result{}, fmt.Errorf("a %s board is too large for a certificate: ask about the row, %s", size, size.Turned())
	}
	if request.Why != nil {
		return Result{}, fmt.Errorf("a %s board is too long a column to say why a move loses: ask about the row, %s", size, size.Turned())
	}
	row := request
	row.column = true
	row.Position = nogo.Position{Size: size.Turned(), Stones: size.TurnStones(request.Position.Stones)}
	row.Moves = size.TurnAll(request.Moves)
	if report := request.Progress; report != nil {
		row.Progress = func(p Progress) { report(p.turned()) }
	}
	result, err := NoGo(ctx, row)
	if result.Position.Size == (board.Size{}) { // there is no answer
		return result, err
	}
	result.Position = nogo.Position{Size: size, Stones: size.Turned().TurnStones(result.Position.Stones)}
	result.Line = size.Turned().TurnAll(result.Line)
	result.Moves = turnedMoves(size.Turned(), result.Moves)
	result.Settled = turnedMoves(size.Turned(), result.Settled)
	return result, err
}

// nameOf names a move on the board of the request.
func (request Request) nameOf(move board.Point) string {
	size := request.Position.Size
	if request.column {
		size, move = size.Turned(), size.Turn(move)
	}
	return size.Name(move)
}

// turnedMoves maps results of moves to the turned board, ordered by points; nil stays nil.
func turnedMoves(size board.Size, moves []Move) []Move {
	moves = slices.Clone(moves)
	for i, m := range moves {
		moves[i].Move = size.Turn(m.Move)
	}
	slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.Move, b.Move) })
	return moves
}

// turned is the progress of work on the turned board.
func (p Progress) turned() Progress {
	p.Line, p.Settled, p.Size = p.Size.TurnAll(p.Line), turnedMoves(p.Size, p.Settled), p.Size.Turned()
	return p
}
