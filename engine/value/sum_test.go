package value_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/nogo"
)

// Solve returns after its last report, not during it.
func TestSumWaitsForItsReports(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	returned, early := make(chan struct{}), make(chan bool, 1)
	first := true
	_, err := value.Solve(ctx, value.SolveRequest{
		Sum: value.Of(nogo.NewPosition(board.Size{Rows: 4, Cols: 6})), By: value.BySums,
		Limits: job.Limits{Memory: 64 << 20, Threads: 1},
		Progress: func(job.Progress) {
			if !first {
				return
			}
			first = false
			cancel()
			select {
			case <-returned:
				early <- true
			case <-time.After(time.Second):
				early <- false
			}
		},
	})
	close(returned)
	if stopped := (*job.Stopped)(nil); !errors.As(err, &stopped) {
		t.Fatal(err)
	}
	if <-early {
		t.Error("Solve returned while Progress was running")
	}
}

func TestSumsThatAreNotSolved(t *testing.T) {
	for _, test := range []struct {
		sum      string
		by       value.Method
		sentence string
	}{
		{"1x63", value.ByChoice, "the strips of the sum have 63 points: the limit is 62"},
		{"1x63 + 1x3", value.BySums, "the strips of the sum have 66 points: the limit is 62"},
		{"1x3 + 1x63", value.BySums, "the strips of the sum have 66 points: the limit is 62"},
		{"2x2 + 2x2", "guess", `there is no method "guess" to solve a sum: choose search or forms`},
	} {
		sum, err := value.Parse(test.sum)
		if err != nil {
			t.Fatal(err)
		}
		_, err = value.Solve(t.Context(), value.SolveRequest{Sum: sum, By: test.by, Limits: job.Limits{Memory: 1 << 20, Threads: 1}})
		if err == nil || err.Error() != test.sentence {
			t.Errorf("%s: %v, want %q", test.sum, err, test.sentence)
		}
	}
}
