package proof

import (
	"context"
	"runtime"
	"sync"
)

// sweep visits the ranges [from, to) of a list in ascending order on several
// goroutines. After an error no later range is started, but every earlier one
// is finished. So the error returned, that of the earliest failing range, does
// not depend on timing. Progress gets the number of items done, from one
// goroutine at a time.
type sweep struct {
	threads  int
	total    int
	stride   int
	progress func(done int)

	mu     sync.Mutex
	next   int
	done   int
	failed int // start of the earliest failing range
	err    error
}

func (w *sweep) run(ctx context.Context, visit func(worker, from, to int) error) error {
	var group sync.WaitGroup
	for worker := range w.threads {
		group.Go(func() {
			for {
				from, ok := w.begin(ctx)
				if !ok {
					return
				}
				to := min(from+w.stride, w.total)
				w.end(from, to, visit(worker, from, to))
			}
		})
	}
	group.Wait()
	if w.err != nil {
		return w.err
	}
	return ctx.Err()
}

func (w *sweep) begin(ctx context.Context) (from int, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next >= w.total || w.err != nil || ctx.Err() != nil {
		return 0, false
	}
	from = w.next
	w.next += w.stride
	return from, true
}

func (w *sweep) end(from, to int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil && (w.err == nil || from < w.failed) {
		w.failed, w.err = from, err
	}
	w.done += to - from
	if w.progress != nil {
		w.progress(w.done)
	}
}

// threadsOr is the number asked for, or one per processor if that is 0.
func threadsOr(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}
