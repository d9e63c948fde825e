package analyse_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/weiqi"
)

func goQuestion(t *testing.T, text string) analyse.Question {
	t.Helper()
	p, err := weiqi.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return analyse.Question{Rules: game.Go{}, Start: p, Lines: true}
}

func areaAnalyst(t *testing.T) *analyse.Analyst {
	t.Helper()
	a, err := analyse.New(analyse.Options{Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

// A late position of 5×5 is settled with all its moves, without a table.
func TestGoBeyondTheTables(t *testing.T) {
	a := areaAnalyst(t)
	got, err := a.Analyse(t.Context(), goQuestion(t, ".xo../xxoo./.xo.o/xxoo./.xo.."), nil)
	if err != nil || !got.Settled() || got.Best.Score != -5 || got.Best.By != analyse.BySearch || got.Best.Name == "" {
		t.Fatalf("%+v, %v", got.Best, err)
	}
	if len(got.Best.Line) < 2 {
		t.Errorf("the line is %v", got.Best.Line)
	}
	for _, f := range got.Moves {
		if f.Open || f.Score > -5 {
			t.Errorf("%+v is better than the position", f)
		}
	}
}

// A score that depends on what an endless game counts is settled with its range, by search
// and from the store.
func TestGoRangesBeyondTheTables(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	for _, by := range []analyse.Basis{analyse.BySearch, analyse.ByStore} {
		a, err := analyse.New(analyse.Options{Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Store: path})
		if err != nil {
			t.Fatal(err)
		}
		for endless, score := range map[table.Endless]int{table.EndlessDrawn: 0, table.EndlessLost: 0, table.EndlessWon: 1} {
			q := goQuestion(t, "x.xx./oooxx/oooxo/xo.o./.oxxo")
			q.Endless = endless
			got, err := a.Analyse(t.Context(), q, nil)
			want := table.Value{Score: score, Ranged: true, Lo: 0, Hi: 1}
			if err != nil || !got.Settled() || got.Best.Value != want || got.Best.Name == "" {
				t.Fatalf("%v: %+v, %v", by, got.Best, err)
			}
			if by == analyse.ByStore && got.Best.By != by {
				t.Errorf("the score is by %s", got.Best.By)
			}
			for _, f := range got.Moves {
				if f.Open || f.Score > score {
					t.Errorf("%+v is better than the position", f)
				}
			}
		}
		a.Close()
	}
}

// An analysis that is stopped has the bounds so far and a move to play, and the reports on
// the way only narrow them.
func TestGoBoundsAreStreamed(t *testing.T) {
	a := areaAnalyst(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	low, high := -25, 25
	got, err := a.Analyse(ctx, goQuestion(t, "..x../.xxo./.xoo./xxo../.xo.."), func(u analyse.Update) {
		best := u.Now.Best
		if best.Grade == analyse.GradeBounded {
			if best.Lo < low || best.Hi > high {
				t.Errorf("bounds went from [%d, %d] to [%d, %d]", low, high, best.Lo, best.Hi)
			}
			low, high = best.Lo, best.Hi
		}
	})
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) {
		t.Fatal(err)
	}
	if got.Best.Name == "" {
		t.Error("no move is recommended")
	}
	if err != nil && got.Best.Grade == analyse.GradeBounded && !strings.Contains(err.Error(), "the score is ") {
		t.Errorf("%v tells no bounds", err)
	}
}

// Boards that nothing here can solve are refused in one sentence.
func TestGoBeyondTheSearch(t *testing.T) {
	a := areaAnalyst(t)
	_, err := a.Analyse(t.Context(), analyse.Question{Rules: game.Go{}, Start: weiqi.NewPosition(board.Size{Rows: 7, Cols: 7})}, nil)
	if err == nil || !strings.Contains(err.Error(), "49 points: tables go to 22 and the search of Go to 36") {
		t.Error(err)
	}
}
