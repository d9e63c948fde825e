package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/nogo"
	"tengen/weiqi"
)

// Every question is refused for the same limits in the same words.
func TestLimitsRefused(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 2}
	questions := map[string]func(engine.Limits) error{
		"solve": func(l engine.Limits) error {
			_, err := engine.Solve(t.Context(), engine.Request{Position: nogo.NewPosition(size), Limits: l})
			return err
		},
		"analysis": func(l engine.Limits) error {
			_, err := engine.NewAnalyst(engine.AnalystOptions{Limits: l})
			return err
		},
		"sum": func(l engine.Limits) error {
			_, err := engine.SolveSum(t.Context(), engine.SumRequest{Sum: engine.SumOf(nogo.NewPosition(board.Size{Rows: 1, Cols: 2})), Limits: l})
			return err
		},
		"value": func(l engine.Limits) error {
			_, err := engine.FindValue(t.Context(), engine.ValueRequest{Sum: engine.SumOf(nogo.NewPosition(size)), Limits: l})
			return err
		},
		"go": func(l engine.Limits) error {
			_, err := engine.SolveGo(t.Context(), engine.GoRequest{Position: weiqi.NewPosition(size), Rules: weiqi.Rules{Ko: weiqi.Positional}, Limits: l})
			return err
		},
		"table": func(l engine.Limits) error {
			_, _, err := engine.BuildTable(t.Context(), engine.TableRequest{Size: size, Path: t.TempDir() + "/table", Limits: l})
			return err
		},
		"strips": func(l engine.Limits) error {
			_, _, err := engine.BuildStrips(t.Context(), engine.StripsRequest{Max: 2, Simplest: 2, Path: t.TempDir() + "/strips", Limits: l})
			return err
		},
		"mover": func(l engine.Limits) error {
			_, err := engine.NewMover(engine.MoverOptions{Size: size, Limits: l})
			return err
		},
	}
	for want, limits := range map[string]engine.Limits{
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
	_, err := engine.Solve(t.Context(), engine.Request{
		Position: nogo.NewPosition(board.Size{Rows: 5, Cols: 5}), Limits: engine.Limits{Memory: testMemory, Time: 20 * time.Millisecond},
	})
	var stopped *engine.Stopped
	if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("5×5 in a moment: %v", err)
	}
}
