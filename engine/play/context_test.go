package play_test

import (
	"context"
	"errors"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/weiqi"
)

func TestCancelledCallsEnd(t *testing.T) {
	ownCache(t)
	ended, cancel := context.WithCancel(t.Context())
	size := sizeOf(t, "2x3")
	m := goMover(t, play.GoOptions{Table: job.Cache, Size: size})
	cancel()
	for _, kind := range play.Kinds() {
		if _, err := play.New(ended, play.Options{Kind: kind, Size: board.Size{Rows: 3, Cols: 3}}); !errors.Is(err, context.Canceled) {
			t.Errorf("a new player %s: %v", kind, err)
		}
	}
	if _, err := m.Move(ended, weiqi.NewPosition(size), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a move of Go: %v", err)
	}
	if line := m.Line(ended, weiqi.NewPosition(size), weiqi.Pass, nil); len(line) > 1 {
		t.Errorf("a line of Go goes on: %v", line)
	}
}
