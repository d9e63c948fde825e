package job_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"tengen/engine/job"
)

// Reports and saves run beside the work and not after it, and there is a save at the end.
func TestNothingRunsAfterTheWork(t *testing.T) {
	var working atomic.Bool
	var reports, saves atomic.Int64
	reported := make(chan struct{}, 1)
	working.Store(true)
	err := job.Run(t.Context(), job.Limits{}, func() string { return "" }, func(_ context.Context, w *job.Work) error {
		w.Report(time.Millisecond, func() {
			if !working.Load() {
				t.Error("a report came after the work")
			}
			reports.Add(1)
			select {
			case reported <- struct{}{}:
			default:
			}
		})
		w.Save(time.Hour, func() { saves.Add(1) })
		<-reported
		return nil
	})
	working.Store(false)
	if err != nil || reports.Load() == 0 || saves.Load() != 1 {
		t.Errorf("%d reports, %d saves, %v", reports.Load(), saves.Load(), err)
	}
}

// A stop says what was known; another error is passed on as it is.
func TestStops(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		err  error
		says string // "" if it is no stop
	}{
		{context.Canceled, "interrupted; little is known"},
		{context.DeadlineExceeded, "the time is up; little is known"},
		{job.ErrMemory, job.ErrMemory.Error() + "; little is known"},
		{broken, ""},
		{nil, ""},
	} {
		err := job.Run(t.Context(), job.Limits{}, func() string { return "little is known" }, func(context.Context, *job.Work) error { return c.err })
		var stopped *job.Stopped
		switch {
		case !errors.Is(err, c.err):
			t.Errorf("%v became %v", c.err, err)
		case errors.As(err, &stopped) != (c.says != ""):
			t.Errorf("%v is a stop: %t", c.err, stopped != nil)
		case stopped != nil && stopped.Error() != c.says:
			t.Errorf("%q, not %q", stopped, c.says)
		}
	}
}

func TestMeter(t *testing.T) {
	m := job.NewMeter(100)
	if rate := m.Rate(100); rate != 0 {
		t.Errorf("nothing was counted, and the rate is %g", rate)
	}
	if rate := m.Rate(200); rate <= 0 {
		t.Errorf("the rate is %g", rate)
	}
}
