package engine_test

import (
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/nogo"
)

// A column has the answers of the row, move by move.
func TestColumnsAreRows(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{12, 20, 32, 33, 39, 62} {
		row, column := board.Size{Rows: 1, Cols: n}, board.Size{Rows: n, Cols: 1}
		lying, toPlay := randomPosition(random, row, n/2)
		standing := nogo.NewPosition(column)
		for c := range lying.Stones {
			for p := range lying.Stones[c].Points() {
				standing.Stones[c].Add(column.At(row.Col(p), 0))
			}
		}
		ask := func(p nogo.Position) engine.Result {
			result, err := engine.Solve(t.Context(), engine.Request{Position: p, ToPlay: toPlay, EachMove: true, Limits: engine.Limits{Memory: testMemory}})
			if err != nil {
				t.Fatal(err)
			}
			return result
		}
		want, got := ask(lying), ask(standing)
		if got.Winner != want.Winner || got.Position != standing || len(got.Moves) != len(want.Moves) {
			t.Fatalf("%s: %s wins, %d moves; %s: %s wins, %d moves", row, want.Winner, len(want.Moves), column, got.Winner, len(got.Moves))
		}
		for i, m := range want.Moves {
			if got.Moves[i].Move != column.At(row.Col(m.Move), 0) || got.Moves[i].Winner != m.Winner {
				t.Errorf("%s: %s wins after %s, and %s after %s", column, m.Winner, row.Name(m.Move), got.Moves[i].Winner, column.Name(got.Moves[i].Move))
			}
		}
		checkLine(t, got)
	}
}
