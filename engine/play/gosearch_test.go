package play_test

import (
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/weiqi"
)

func searcher(t *testing.T, size board.Size) *play.GoMover {
	t.Helper()
	m, err := play.NewGo(t.Context(), play.GoOptions{Size: size, Table: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	if !m.Searches() || m.Exact() {
		t.Fatalf("the player of %s does not search", size)
	}
	return m
}

// A late position of 5×5 is played exactly, without a table.
func TestGoMoverSearches(t *testing.T) {
	p, err := weiqi.ParsePosition("xxx.o/x.xoo/xxxo./.xoo./xxo.o")
	if err != nil {
		t.Fatal(err)
	}
	m := searcher(t, p.Size)
	choice, err := m.MoveWithin(t.Context(), p, nil, 20*time.Second)
	if err != nil || choice.Source != game.FromSearch || choice.Open || choice.Score != 3 {
		t.Fatalf("%+v, %v", choice, err)
	}
	if name := p.Size.Name(choice.Move); name != "D5" && name != "E2" {
		t.Errorf("%s is not one of the moves that keep the score", name)
	}
	if _, err := m.Move(t.Context(), weiqi.NewPosition(board.Size{Rows: 5, Cols: 6}), nil); err == nil {
		t.Error("a position of another board was played")
	}
}

// Where an endless game decides, the player keeps the score of a drawn one: White would take
// everything if he won endless games, and gets four points because he does not.
func TestGoMoverAvoids(t *testing.T) {
	p, err := weiqi.ParsePosition(".o.oo/ooxoo/oxxo./oxxxo/xxo.o")
	if err != nil {
		t.Fatal(err)
	}
	m := searcher(t, p.Size)
	choice, err := m.MoveWithin(t.Context(), p, nil, 20*time.Second)
	if want := (table.Value{Score: -4, Ranged: true, Lo: -25, Hi: -4}); err != nil || choice.Source != game.FromSearch || choice.Value != want {
		t.Fatalf("%+v, %v", choice, err)
	}
	next, err := weiqi.Rules{}.Play(p, choice.Move)
	if err != nil {
		t.Fatal(err)
	}
	if reply, err := m.MoveWithin(t.Context(), next, nil, 20*time.Second); err != nil || reply.Open || reply.Score != -4 {
		t.Errorf("after %s %+v, %v", p.Size.Name(choice.Move), reply, err)
	}
}

// Games beyond the tables are played to their end by legal moves, whatever the time, and
// nobody passes while there is much to play for.
func TestGoMoverPlaysOn(t *testing.T) {
	for _, size := range []board.Size{{Rows: 5, Cols: 5}, {Rows: 6, Cols: 6}} {
		m := searcher(t, size)
		p := weiqi.NewPosition(size)
		var earlier []weiqi.Position
		for n := range 40 {
			choice, err := m.MoveWithin(t.Context(), p, earlier, 2*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if n < 4 && choice.Move == weiqi.Pass {
				t.Errorf("%s: a pass at move %d", size, n+1)
			}
			if choice.Open && choice.Source == game.FromSearch {
				t.Errorf("%s: a move that is not proven says so: %+v", size, choice)
			}
			earlier = append(earlier, p)
			if p, err = (weiqi.Rules{}).Play(p, choice.Move); err != nil {
				t.Fatal(err)
			}
			if p.Over() {
				break
			}
		}
	}
}
