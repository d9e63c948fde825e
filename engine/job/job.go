// Package job runs long work: its limits, its plan, its reports of progress, its checkpoint,
// and the error with the results so far if it is stopped. The other packages under engine do
// the work.
package job

import (
	"context"
	"errors"
	"sync"
	"time"

	"tengen/internal/solver"
)

// Cache stands for a file in the user's cache, wherever the packages under engine take the
// name of a file. "" always stands for no file.
const Cache = "auto"

// Plan says what a search will use.
type Plan struct {
	Method string
	Limits
	Resumed bool   // from a checkpoint
	Past    uint64 // positions searched by the runs that are resumed
	Slow    string // why the search may take very long, as a clause; "" for other searches

	// Under superko: the legal boards, and the memory that they and the threads take before
	// the table.
	Boards int
	Fixed  int64
}

// Work is long work under way. Its reports and saves end before Run returns.
type Work struct {
	done    chan struct{}
	running sync.WaitGroup
	save    func() // at the end; nil if nothing is saved
}

// Run does work within a time limit. If time, context or memory stops it early, the error is
// *Stopped with the results so far.
func Run(ctx context.Context, limits Limits, known func() string, work func(ctx context.Context, w *Work) error) error {
	ctx, cancel := limits.Context(ctx)
	defer cancel()
	w := &Work{done: make(chan struct{})}
	err := work(ctx, w)
	close(w.done)
	w.running.Wait()
	if w.save != nil {
		w.save()
	}
	if err == nil || !IsStop(err) {
		return err
	}
	return &Stopped{Cause: err, Known: known()}
}

// IsStop reports whether an error means that work ended before its answer.
func IsStop(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, solver.ErrMemory)
}

// Usual is the default interval of reports.
const Usual = 250 * time.Millisecond

// Report calls look at an interval, from another goroutine, until the work ends. An interval
// of 0 is Usual.
func (w *Work) Report(every time.Duration, look func()) {
	if every <= 0 {
		every = Usual
	}
	w.running.Go(func() {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-w.done:
				return
			case <-tick.C:
				look()
			}
		}
	})
}

const (
	saveFirst = 5 * time.Second
	saveEvery = 30 * time.Second
)

// Save calls save after five seconds, then at an interval, and at the end. An interval of 0 is
// half a minute. It is counted from the end of one save, so that a slow disk is not busy all
// the time.
func (w *Work) Save(every time.Duration, save func()) {
	w.save = save
	if every <= 0 {
		every = saveEvery
	}
	w.running.Go(func() {
		for wait := min(saveFirst, every); ; wait = every {
			select {
			case <-w.done:
				return
			case <-time.After(wait):
				save()
			}
		}
	})
}
