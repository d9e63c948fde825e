package solve_test

import (
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/nogo"
	"tengen/weiqi"
)

// The book answers a plain question about a large board, and nothing else.
func TestBookOfNoGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 5, Cols: 5}
	limits := job.Limits{Memory: 64 << 20, Threads: 1, Time: 1}
	plain := solve.Request{Position: nogo.NewPosition(size), Limits: limits, Book: true}
	got, err := solve.NoGo(t.Context(), plain)
	if err != nil || got.Method != solve.Book || !got.Winner.Is(board.Black) || got.Nodes != 0 || len(got.Line) < 10 {
		t.Errorf("%+v, %v", got, err)
	}
	center := size.At(2, 2)
	plain.Moves = []board.Point{center}
	plain.EachMove = true
	got, err = solve.NoGo(t.Context(), plain)
	if err != nil || got.Method != solve.Book || !got.Winner.Is(board.Black) || len(got.Moves) != size.Points()-1 {
		t.Errorf("%+v, %v", got, err)
	}
	// Why a move loses is in the book as far as its replies go, and that a move wins.
	corner := size.At(0, 0)
	plain.EachMove, plain.Why = false, &solve.Why{Move: corner, Rounds: 1}
	got, err = solve.NoGo(t.Context(), plain)
	if err != nil || got.Method != solve.Book || got.Why == nil || !got.Why.Winner.Is(board.Black) || got.Why.Line[0] != corner || got.Why.Shortest {
		t.Fatalf("%+v, %v", got, err)
	}
	if reply := got.Why.Tree.Children[0]; reply.Move != got.Why.Line[1] || len(reply.Children) == 0 {
		t.Errorf("%d moves after %s", len(reply.Children), size.Name(reply.Move))
	}
	plain.Moves, plain.Why = nil, &solve.Why{Move: center}
	got, err = solve.NoGo(t.Context(), plain)
	if err != nil || got.Method != solve.Book || got.Why == nil || !got.Why.Winner.Is(board.Black) || got.Why.Line[0] != center || got.Why.Tree != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for name, change := range map[string]func(*solve.Request){
		"no book":         func(r *solve.Request) { r.Book = false },
		"a certificate":   func(r *solve.Request) { r.Certificate = t.TempDir() + "/file" },
		"a limit":         func(r *solve.Request) { r.Within = &solve.Within{Moves: 20} },
		"an unknown why":  func(r *solve.Request) { r.Why = &solve.Why{Move: size.At(0, 0)} },
		"an unknown move": func(r *solve.Request) { r.EachMove = true },
	} {
		request := solve.Request{Position: nogo.NewPosition(size), Limits: limits, Book: true}
		change(&request)
		if got, err := solve.NoGo(t.Context(), request); err == nil || got.Method == solve.Book {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// A search of the moves that is stopped keeps the winner of the book.
	part := solve.Request{Position: nogo.NewPosition(size), Limits: limits, Book: true, EachMove: true}
	if got, err := solve.NoGo(t.Context(), part); err == nil || !got.RootFromBook || !got.Winner.Is(board.Black) || len(got.Line) < 10 {
		t.Errorf("%+v, %v", got, err)
	}
	small := solve.Request{Position: nogo.NewPosition(board.Size{Rows: 4, Cols: 4}), Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Book: true}
	if got, err := solve.NoGo(t.Context(), small); err != nil || got.Method == solve.Book || got.Nodes == 0 {
		t.Errorf("4x4 is not searched: %+v, %v", got, err)
	}
}

// The book answers about Go where there is no table in the user's cache and endless games
// are drawn.
func TestBookOfGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 2, Cols: 7}
	request := solve.GoRequest{
		Position: weiqi.NewPosition(size), Table: job.Cache, Book: true, Limits: job.Limits{Memory: 256 << 20, Threads: 1, Time: 1},
	}
	got, err := solve.Go(t.Context(), request)
	if err != nil || !got.Known || !got.FromBook || got.Table != "" || len(got.Moves) != size.Points()+1 || len(got.Line) == 0 {
		t.Errorf("%+v, %v", got, err)
	}
	// Why a move is worse is on the page too.
	worst := got.Moves[len(got.Moves)-1]
	score, line, _, known := got.Refutation(worst.Move)
	played := weiqi.NewHistory(weiqi.Rules{}, request.Position)
	for _, m := range line {
		if err := played.Push(m); err != nil {
			t.Fatal(err)
		}
	}
	if end := played.Position(); !known || score != worst.Score || len(line) != worst.Distance || !end.Over() || end.Score() != score {
		t.Errorf("%+v: %d, %v, %t", worst, score, line, known)
	}
	for name, change := range map[string]func(*solve.GoRequest){
		"no book":                 func(r *solve.GoRequest) { r.Book = false },
		"endless games are won":   func(r *solve.GoRequest) { r.Endless = table.EndlessWon },
		"a stubborn loser":        func(r *solve.GoRequest) { r.Stubborn = true },
		"a table to be in memory": func(r *solve.GoRequest) { r.Table = "" },
		"too many moves":          func(r *solve.GoRequest) { r.Moves = []board.Point{size.At(0, 0), size.At(0, 2), size.At(0, 4)} },
	} {
		other := request
		change(&other)
		if got, err := solve.Go(t.Context(), other); err == nil || got.FromBook {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
