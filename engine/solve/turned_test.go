package solve_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/oracle"
	"tengen/nogo"
)

// A column has the answers of the row, move by move.
func TestColumnsAreRows(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{12, 20, 32, 33, 39, 62} {
		row, column := board.Size{Rows: 1, Cols: n}, board.Size{Rows: n, Cols: 1}
		lying, toPlay := oracle.RandomPosition(random, row, n/2)
		standing := nogo.NewPosition(column)
		for c := range lying.Stones {
			for p := range lying.Stones[c].Points() {
				standing.Stones[c].Add(column.At(row.Col(p), 0))
			}
		}
		ask := func(p nogo.Position) solve.Result {
			result, err := solve.NoGo(t.Context(), solve.Request{Position: p, ToPlay: toPlay, EachMove: true, Limits: job.Limits{Memory: testMemory}})
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

// Everything that tells of a move on a long column names it by the column: results, what
// is known after a stop, and the reports on the way. A certificate of the row is not one
// of the column.
func TestColumnsNameTheirOwnMoves(t *testing.T) {
	column := board.Size{Rows: 40, Cols: 1}
	ofColumn := func(where string, moves ...string) {
		for _, name := range moves {
			if p, err := column.ParsePoint(name); err != nil || column.Name(p) != name {
				t.Errorf("%s: %s is no point of %s", where, name, column)
			}
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	row, toPlay := oracle.RandomPosition(random, board.Size{Rows: 1, Cols: 40}, 20)
	p := nogo.NewPosition(column)
	for c := range row.Stones {
		for q := range row.Stones[c].Points() {
			p.Stones[c].Add(column.At(row.Size.Col(q), 0))
		}
	}
	request := solve.Request{Position: p, ToPlay: toPlay, EachMove: true, Limits: job.Limits{Memory: testMemory}}
	result, err := solve.NoGo(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range result.Moves {
		ofColumn("results", column.Name(m.Move))
	}
	ofColumn("line", game.MoveNames(column, result.Line)...)

	// All moves of an emptier board take too long: the search is stopped when some are
	// settled.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.Stones = board.Stones{}
	for i := range 12 {
		p.Stones[i%2].Add(column.At(2*i, 0))
	}
	request.Position, request.ToPlay = p, board.Black
	request.Progress = func(p solve.Progress) {
		ofColumn("line of a report", game.MoveNames(p.Size, p.Line)...)
		for _, m := range p.Settled {
			ofColumn("report", p.Size.Name(m.Move))
		}
		if len(p.Settled) > 0 {
			cancel()
		}
	}
	result, err = solve.NoGo(ctx, request)
	stopped := (*job.Stopped)(nil)
	if !errors.As(err, &stopped) || len(result.Settled) == 0 {
		t.Fatalf("%+v, %v", result.Settled, err)
	}
	for _, m := range result.Settled {
		ofColumn("settled after a stop", column.Name(m.Move))
		if !column.Contains(m.Move) {
			t.Errorf("settled is a move beyond the board, %d", m.Move)
		}
	}

	var file bytes.Buffer
	request.CertificateTo = &file
	if _, err := solve.NoGo(t.Context(), request); err == nil || file.Len() > 0 {
		t.Errorf("a certificate of %d bytes for a column: %v", file.Len(), err)
	}
}

// A question about a column that is refused has no answer, as one about a row.
func TestColumnsThatAreRefused(t *testing.T) {
	for _, size := range []board.Size{{Rows: 1, Cols: 40}, {Rows: 40, Cols: 1}} {
		for _, request := range []solve.Request{
			{Method: "nonsense"},
			{Method: solve.SBH},
			{Without: []string{"nonsense"}},
			{Limits: job.Limits{Memory: 1}},
		} {
			request.Position = nogo.NewPosition(size)
			if result, err := solve.NoGo(t.Context(), request); err == nil || result.Position != (nogo.Position{}) {
				t.Errorf("%s: %v, with a result about %s", size, err, result.Position.Size)
			}
		}
	}
}
