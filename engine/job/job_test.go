package job_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"
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

// note is a search whose whole table is a text.
type note string

func (n *note) Save(w io.Writer) error {
	_, err := io.WriteString(w, string(*n))
	return err
}

func (n *note) Load(r io.Reader) error {
	text, err := io.ReadAll(r)
	*n = note(text)
	return err
}

// question is the header of its checkpoint.
type question struct {
	Question string
	Work     job.Cost `json:"work"`
}

func (q question) With(spent job.Cost) any {
	q.Work = spent
	return q
}

func (q question) Differs(from []byte) string {
	var other question
	if err := json.Unmarshal(from, &other); err != nil {
		return err.Error()
	}
	if other.Question != q.Question {
		return "it asks " + other.Question
	}
	return ""
}

// A program with a search of its own needs a Saver and a Header, and nothing else.
func TestCheckpointOfAnotherProgram(t *testing.T) {
	path := filepath.Join(t.TempDir(), "checkpoint")
	resume := func(asked string) (found note, spent job.Cost, err error) {
		c, err := job.OpenCheckpoint(path, question{Question: asked}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Release()
		err = c.Resume(func(_ bool, earlier job.Cost) (job.Saver, error) {
			spent = earlier
			return &found, nil
		})
		if err == nil && found == "" {
			table := note("half of it")
			if err := c.Save(job.Cost{Nodes: 7}, &table); err != nil || c.Saved() != path {
				t.Errorf("%v, saved in %q", err, c.Saved())
			}
		}
		return found, spent, err
	}
	if found, spent, err := resume("why"); found != "" || spent.Nodes != 0 || err != nil {
		t.Errorf("before there is a file: %q, %+v, %v", found, spent, err)
	}
	if found, spent, err := resume("why"); found != "half of it" || spent.Nodes != 7 || err != nil {
		t.Errorf("%q, %+v, %v", found, spent, err)
	}
	if _, _, err := resume("how"); err == nil || !strings.Contains(err.Error(), "it asks why") {
		t.Errorf("another question: %v", err)
	}
	none, err := job.OpenCheckpoint("", question{}, nil)
	if err != nil || none.Save(job.Cost{}, new(note)) != nil || none.Saved() != "" {
		t.Errorf("without a file: %v", err)
	}
}

func TestReportsAtTheUsualInterval(t *testing.T) {
	err := job.Run(t.Context(), job.Limits{}, nil, func(_ context.Context, w *job.Work) error {
		w.Report(0, func() {})
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
