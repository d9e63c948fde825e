package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/nogo"
	"tengen/weiqi"
)

func position(t *testing.T, text string, toPlay board.Colour) game.Position {
	t.Helper()
	p, err := weiqi.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	p.ToPlay = toPlay
	return p
}

// TestNoGoPlayers compares moves and hints of every player with the solver. Hints
// are exact for every player.
func TestNoGoPlayers(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, kind := range append(play.Kinds(), "") {
		now := position(t, ".x../..o./....", board.Black)
		n, err := NewNoGoPlayer(t.Context(), play.Options{Kind: kind, Size: now.Size, Limits: job.Limits{Memory: 64 << 20, Threads: 1}}, play.Budget{Time: time.Minute, Playouts: 100})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := n.Move(t.Context(), []game.Position{now})
		if _, illegal := (game.NoGo{}).Play(now, reply.Move); err != nil || illegal != nil || reply.Says == "" {
			t.Errorf("%s: %+v, %v, %v", n, reply, err, illegal)
		}
		hint, err := n.Hint(t.Context(), []game.Position{now})
		if err != nil {
			t.Fatal(err)
		}
		checkHint(t, now, hint)
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	}
}

// A move that is a guess says so.
func TestGuessesOfGo(t *testing.T) {
	size := board.Size{Rows: 5, Cols: 6}
	mover, err := play.NewGo(t.Context(), play.GoOptions{Size: size, Limits: job.Limits{Memory: 64 << 20, Threads: 1, Time: 50 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	reply, err := GoPlayer{Mover: mover}.Move(t.Context(), []game.Position{game.NewPosition(size)})
	if err != nil || !strings.HasPrefix(reply.Says, ": a guess") {
		t.Errorf("%+v, %v", reply, err)
	}
}

func checkHint(t *testing.T, now game.Position, hint Hint) {
	t.Helper()
	exact, err := solve.NoGo(context.Background(), solve.Request{
		Position: nogo.Position{Size: now.Size, Stones: now.Stones}, ToPlay: now.ToPlay, EachMove: true, Limits: job.Limits{Memory: 64 << 20},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range exact.Moves {
		want := Bad
		if m.Winner.Is(now.ToPlay) {
			want = Good
		}
		if mark, ok := hint.Marks[m.Move]; !ok || mark.Grade != want {
			t.Errorf("%s in %s: %+v, want %v", now.Size.Name(m.Move), now, mark, want)
		}
	}
}

func TestNoGoHints(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	move := func(p board.Point, k game.Known) game.MoveStats {
		return game.MoveStats{Move: p, Known: k, Visits: 100, WinShare: 0.543}
	}
	for want, choice := range map[string]game.Choice{
		"Every move wins.":                                                  {Moves: []game.MoveStats{move(0, game.Won), move(1, game.Won)}},
		"A1 wins, proven; everything else loses.":                           {Moves: []game.MoveStats{move(0, game.Won), move(1, game.Lost)}},
		"A1, B1 win, proven; of the others one is not known.":               {Moves: []game.MoveStats{move(0, game.Won), move(1, game.Won), move(2, game.Unknown)}},
		"Every move loses against best play; B1 sets the hardest task.":     {Move: 1, Moves: []game.MoveStats{move(0, game.Lost), move(1, game.Lost)}},
		"Nothing is proven in this time; B1 is a guess.":                    {Move: 1, Moves: []game.MoveStats{move(0, game.Unknown), move(1, game.Unknown)}},
		"Nothing is proven; 84,000 playouts favour A1 54 %.":                {Playouts: 84000, Moves: []game.MoveStats{move(0, game.Unknown), {Move: 1}, move(2, game.Lost)}},
		"Nothing is proven, and the playouts are too few to favour a move.": {Playouts: 9, Moves: []game.MoveStats{{Move: 1}}},
	} {
		if got := nogoHint(size, choice); got.Says != want {
			t.Errorf("%q, want %q", got.Says, want)
		}
	}
	h := nogoHint(size, game.Choice{Playouts: 84000, Moves: []game.MoveStats{move(0, game.Unknown), {Move: 1}, move(2, game.Lost)}})
	if _, hardly := h.Marks[1]; h.Marks[0] != (Mark{Favoured, "54", "5"}) || h.Marks[2] != (Mark{Grade: Bad}) || hardly {
		t.Errorf("%+v", h.Marks)
	}
}

// TestEstimates checks that sentence and board agree, best first, and that neither
// shows a move that was lucky in few playouts.
func TestEstimates(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	p := size.All()
	h := nogoHint(size, game.Choice{Playouts: 10000, Moves: []game.MoveStats{
		{Move: p[0], Visits: 6000, WinShare: 0.52},
		{Move: p[1], Visits: 320, WinShare: 0.58},
		{Move: p[2], Visits: 30, WinShare: 1},
		{Move: p[3], Visits: 3000, WinShare: 0.56},
		{Move: p[4], Visits: 650, WinShare: 0.31},
	}})
	best := []string{size.Name(p[1]) + " 57 %", size.Name(p[3]) + " 56 %", size.Name(p[0]) + " 52 %"}
	if want := "Nothing is proven; 10,000 playouts favour " + strings.Join(best, ", ") + "."; h.Says != want {
		t.Errorf("%q, want %q", h.Says, want)
	}
	for i, want := range []Mark{{Favoured, "52", "5"}, {Favoured, "57", "5"}, {}, {Favoured, "56", "5"}, {Guess, "32", "3"}} {
		if h.Marks[p[i]] != want {
			t.Errorf("%s: %+v, want %+v", size.Name(p[i]), h.Marks[p[i]], want)
		}
	}
}

// TestGoPlayer plays perfect Go on 3x3, where Black wins by 9 with the centre alone.
func TestGoPlayer(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	mover, err := play.NewGo(t.Context(), play.GoOptions{Table: job.Cache, Size: board.Size{Rows: 3, Cols: 3}, Limits: job.Limits{Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	analyst, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	g := GoPlayer{mover, analyst}
	start := weiqi.NewPosition(board.Size{Rows: 3, Cols: 3})
	centre := start.Size.At(1, 1)
	reply, err := g.Move(t.Context(), []game.Position{start})
	if err != nil || reply.Move != centre || !strings.Contains(reply.Says, "Black wins by 9") {
		t.Errorf("%+v, %v", reply, err)
	}
	hint, err := g.Hint(t.Context(), []game.Position{start})
	if err != nil || hint.Marks[centre] != (Mark{Grade: Good, Text: "+9"}) || hint.Marks[start.Size.At(0, 0)].Grade != Bad || len(hint.Marks) != 9 {
		t.Errorf("%+v, %v", hint, err)
	}
	// White sees the same scores from the other side.
	turned := start.Inverse()
	hint, err = g.Hint(t.Context(), []game.Position{turned})
	if err != nil || hint.Marks[centre] != (Mark{Grade: Good, Text: "+9"}) || !strings.HasPrefix(hint.Says, "Exact: White wins by 9; best is B2.") {
		t.Errorf("%+v, %v", hint, err)
	}
}

// TestGoStrategy plays a row without a table, where hints are refused.
func TestGoStrategy(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 1, Cols: 40}
	mover, err := play.NewGo(t.Context(), play.GoOptions{Table: job.Cache, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	analyst, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	g := GoPlayer{mover, analyst}
	if _, err := g.Hint(t.Context(), []game.Position{weiqi.NewPosition(size)}); err == nil || g.String() != "strategy" {
		t.Errorf("%s, %v", g, err)
	}
	if reply, err := g.Move(t.Context(), []game.Position{weiqi.NewPosition(size)}); err != nil || reply.Says == "" {
		t.Errorf("%+v, %v", reply, err)
	}
}
