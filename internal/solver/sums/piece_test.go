package sums_test

import (
	"context"
	"errors"
	"testing"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
)

// A search that is given up and started again many times finds the same
// answer with little more work than a single search: it goes on where it
// stopped.
func TestPiecesAddUp(t *testing.T) {
	for _, c := range []struct {
		size  board.Size
		piece uint64
	}{{board.Size{Rows: 3, Cols: 5}, 50}, {board.Size{Rows: 2, Cols: 8}, 50}, {board.Size{Rows: 4, Cols: 4}, 500}} {
		q := solver.Query{Position: nogo.NewPosition(c.size), ToPlay: board.Black}
		whole := newSolver(t, c.size)
		want, err := whole.Solve(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		cut := newSolver(t, c.size)
		var got solver.Answer
		pieces := 0
		for err = solver.ErrBudget; errors.Is(err, solver.ErrBudget); pieces++ {
			got, err = cut.SolveWithin(context.Background(), q, c.piece)
		}
		if err != nil || got.Winner != want.Winner {
			t.Errorf("%s in pieces: %v wins, not %v (%v)", c.size, got.Winner, want.Winner, err)
		}
		plain, sum := whole.Stats().Nodes, cut.Stats().Nodes
		t.Logf("%s: %d nodes in %d pieces, %d in one", c.size, sum, pieces, plain)
		if sum > plain*5/4 {
			t.Errorf("%s takes %d nodes in pieces and %d in one", c.size, sum, plain)
		}
	}
}

func newSolver(t *testing.T, size board.Size) *sums.Solver {
	t.Helper()
	s, err := sums.New(size, sums.Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
