package analyse_test

import (
	"context"
	"errors"
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/game"
)

// Recall knows the results of an analysis without a search, and nothing before it.
func TestRecall(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	analyst, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	for _, q := range []analyse.Question{
		{Rules: game.NoGo{}, Start: game.NewPosition(board.Size{Rows: 3, Cols: 3})},
		{Rules: game.Go{}, Start: game.NewPosition(board.Size{Rows: 2, Cols: 3})},
	} {
		before, err := analyst.Recall(t.Context(), q)
		if err != nil || before.Settled() || before.Nodes != 0 {
			t.Errorf("%s: %+v %v", q.Rules, before, err)
		}
		found, err := analyst.Analyse(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := analyst.Recall(t.Context(), q)
		if err != nil || !again.Settled() || again.Best.Winner != found.Best.Winner || again.Best.Score != found.Best.Score || again.Nodes != 0 {
			t.Errorf("%s: %+v %v", q.Rules, again.Best, err)
		}
	}
}

func TestCancelledRecall(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	analyst, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	two := board.Size{Rows: 2, Cols: 3}
	if err := analyst.Prepare(t.Context(), two); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, q := range []analyse.Question{
		{Rules: game.NoGo{}, Start: game.NewPosition(board.Size{Rows: 5, Cols: 5})},
		{Rules: game.Go{}, Start: game.NewPosition(two)},
	} {
		var stopped *job.Stopped
		if _, err := analyst.Recall(ended, q); !errors.Is(err, context.Canceled) || !errors.As(err, &stopped) {
			t.Errorf("%s: %v", q.Rules, err)
		}
	}
}
