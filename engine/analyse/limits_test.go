package analyse_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/engine/value"
	"tengen/game"
	"tengen/nogo"
	"tengen/weiqi"
)

// Every question is refused for the same limits in the same words.
func TestLimitsRefused(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 2}
	questions := map[string]func(job.Limits) error{
		"solve": func(l job.Limits) error {
			_, err := solve.NoGo(t.Context(), solve.Request{Position: nogo.NewPosition(size), Limits: l})
			return err
		},
		"analysis": func(l job.Limits) error {
			_, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache, Limits: l})
			return err
		},
		"sum": func(l job.Limits) error {
			_, err := value.Solve(t.Context(), value.SolveRequest{Sum: value.Of(nogo.NewPosition(board.Size{Rows: 1, Cols: 2})), Limits: l})
			return err
		},
		"value": func(l job.Limits) error {
			_, err := value.Find(t.Context(), value.Request{Sum: value.Of(nogo.NewPosition(size)), Limits: l})
			return err
		},
		"go": func(l job.Limits) error {
			_, err := solve.Go(t.Context(), solve.GoRequest{Table: job.Cache, Position: weiqi.NewPosition(size), Rules: weiqi.Rules{Ko: weiqi.Positional}, Limits: l})
			return err
		},
		"table": func(l job.Limits) error {
			_, _, err := table.Build(t.Context(), table.Request{Size: size, Path: t.TempDir() + "/table", Limits: l})
			return err
		},
		"strips": func(l job.Limits) error {
			_, _, err := value.BuildStrips(t.Context(), value.StripsRequest{Max: 2, Simplest: 2, Path: t.TempDir() + "/strips", Limits: l})
			return err
		},
		"mover": func(l job.Limits) error {
			_, err := play.New(t.Context(), play.Options{Size: size, Limits: l})
			return err
		},
	}
	for want, limits := range map[string]job.Limits{
		"memory cannot be negative":                {Memory: -1},
		"the number of threads cannot be negative": {Threads: -1},
		"the time cannot be negative":              {Time: -1},
		"257 threads are too many":                 {Threads: 257},
		"of memory is more than the":               {Memory: 1 << 60},
	} {
		for name, ask := range questions {
			if err := ask(limits); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s with %+v: %v, want %q", name, limits, err, want)
			}
		}
	}
}

func TestLimitOfTime(t *testing.T) {
	_, err := solve.NoGo(t.Context(), solve.Request{
		Position: nogo.NewPosition(board.Size{Rows: 5, Cols: 5}), Limits: job.Limits{Memory: testMemory, Time: 20 * time.Millisecond},
	})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("5×5 in a moment: %v", err)
	}
}

// An analyst divides its memory among searches. A part that is rounded to 0 must not stand for
// the default, which is gigabytes.
func TestAnalystWithTooLittleMemory(t *testing.T) {
	a := newAnalyst(t, analyse.Options{Limits: job.Limits{Memory: 1}})
	const want = "1 B of memory is too little for method sums, which needs 256.0 KiB at least"
	q := analyse.Question{Rules: game.NoGo{}, Start: game.NewPosition(board.Size{Rows: 3, Cols: 3})}
	if _, err := a.Analyse(t.Context(), q, nil); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
