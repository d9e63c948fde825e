// Package job is the shell around long work: its limits, the plan it is announced with,
// the reports on its way, the checkpoint that it is saved in, and the error that says
// what was known when it was stopped. The other packages under engine do the work.
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

// Plan is what a search is going to use.
type Plan struct {
	Method string
	Limits
	Resumed bool   // from a checkpoint
	Past    uint64 // positions searched by the runs that are resumed

	// Under superko, the legal boards, and the part of the memory that they and the
	// threads take before anything is remembered.
	Boards int
	Fixed  int64
}

// Work is long work under way. What runs beside it ends before Run returns.
type Work struct {
	done    chan struct{}
	running sync.WaitGroup
	save    func() // at the end; nil if nothing is saved
}

// Run does work within a time limit. If it is stopped before its end, by the time, by the
// context or for want of memory, the error is *Stopped with what was known by then.
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

// Usual is how often long work is reported on if nothing else is said.
const Usual = 250 * time.Millisecond

// Report calls look at an interval, from another goroutine, until the work ends.
func (w *Work) Report(every time.Duration, look func()) {
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

// Save calls save after five seconds, so that work that is killed soon has something to
// show, then at an interval, and at the end. An interval of 0 is half a minute; it is
// counted from the end of one save, so that a slow disk does not save all the time.
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
