package solver_test

import (
	"testing"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// The question after a move has the other side to move, one ply less where
// plies are counted, and the same attacker.
func TestQueryAfter(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	plain := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.White}
	move := size.At(1, 2)
	next := plain.After(move)
	if next.ToPlay != board.Black || !next.Position.Stones[board.White].Has(move) || next.Plies != 0 {
		t.Errorf("after %s: %+v", size.Name(move), next)
	}
	if !plain.Position.Stones[board.White].IsEmpty() {
		t.Error("the question itself has changed")
	}
	limited := plain
	limited.Limited, limited.Attacker, limited.Plies = true, board.White, 4
	if next := limited.After(move); next.Plies != 3 || next.Attacker != board.White || !next.Limited {
		t.Errorf("with a limit: %+v", next)
	}
}
