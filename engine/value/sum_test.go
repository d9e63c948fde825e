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
