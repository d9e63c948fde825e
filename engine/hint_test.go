package engine_test

import (
	"context"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/player"
	"tengen/nogo"
)

// TestJudge holds what a hint says of every move against the solver, by players that
// know everything and for positions won and lost.
func TestJudge(t *testing.T) {
	for _, kind := range []engine.PlayerKind{engine.PlayerPerfect, engine.PlayerMCTS} {
		for _, text := range []string{"..../..../....", ".x../..o./....", "x.o./..../.xo.", "......."} {
			p, err := nogo.ParsePosition(text)
			if err != nil {
				t.Fatal(err)
			}
			m, err := engine.NewMover(engine.MoverOptions{Kind: kind, Size: p.Size, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range []board.Colour{board.Black, board.White} {
				choice, err := engine.Judge(context.Background(), m, p, c, engine.Budget{Time: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				checkJudgement(t, p, c, choice)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

func checkJudgement(t *testing.T, p nogo.Position, c board.Colour, choice engine.Choice) {
	t.Helper()
	exact, err := engine.Solve(context.Background(), engine.Request{Position: p, ToPlay: c, EachMove: true, Limits: engine.Limits{Memory: 64 << 20}})
	if err != nil {
		t.Fatal(err)
	}
	known := map[board.Point]player.Known{}
	for i, m := range choice.Moves {
		known[m.Move] = m.Known
		if i > 0 && m.Known == player.Won && choice.Moves[i-1].Known != player.Won {
			t.Errorf("%s, %s to play: a won move comes after others", p, c)
		}
	}
	if len(known) != len(exact.Moves) || len(choice.Moves) != len(exact.Moves) {
		t.Errorf("%s, %s to play: %d moves judged, %d are legal", p, c, len(choice.Moves), len(exact.Moves))
	}
	for _, m := range exact.Moves {
		want := player.Lost
		if m.Winner == c {
			want = player.Won
		}
		if known[m.Move] != want {
			t.Errorf("%s, %s to play %s: %s, want %s", p, c, p.Size.Name(m.Move), known[m.Move], want)
		}
	}
}

// TestJudgeGuesses says that a hint which cannot be exact does not pretend to be.
func TestJudgeGuesses(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	m, err := engine.NewMover(engine.MoverOptions{Size: size, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	choice, err := engine.Judge(context.Background(), m, nogo.NewPosition(size), board.Black, engine.Budget{Playouts: 200})
	if err != nil {
		t.Fatal(err)
	}
	if len(choice.Moves) != size.Points() || choice.Known != player.Unknown || engine.Playouts(m) != 200 {
		t.Errorf("%d moves, %s, %d playouts", len(choice.Moves), choice.Known, engine.Playouts(m))
	}
}

func TestDefaultPlayer(t *testing.T) {
	for text, want := range map[string]engine.PlayerKind{
		"4x5": engine.PlayerPerfect, "1x30": engine.PlayerPerfect, "5x5": engine.PlayerMCTS, "1x63": engine.PlayerMCTS, "9x9": engine.PlayerMCTS,
	} {
		size, err := board.ParseSize(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := engine.DefaultPlayer(size); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// TestLongestRow says that tree search plays where no solver does.
func TestLongestRow(t *testing.T) {
	size := board.Size{Rows: 1, Cols: board.MaxLine}
	m, err := engine.NewMover(engine.MoverOptions{Size: size, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	choice, err := m.Move(context.Background(), nogo.NewPosition(size), board.Black, engine.Budget{Playouts: 50})
	if err != nil || !size.Contains(choice.Move) {
		t.Errorf("%v, %v", choice.Move, err)
	}
	if _, err := engine.NewMover(engine.MoverOptions{Kind: engine.PlayerPerfect, Size: size, Limits: engine.Limits{Memory: 64 << 20}}); err == nil {
		t.Error("the perfect player takes a row that no solver does")
	}
}
