package retro

import (
	"context"
	"sync"
	"sync/atomic"

	"tengen/internal/yield"
)

// team runs work in numbered chunks on several threads.
type team struct {
	ctx     context.Context
	threads int
}

// run does all chunks 0 … n-1, or returns the context's error when it ends first.
func (t *team) run(n int, do func(thread, chunk int)) error {
	t.runFrom(0, n, func() bool { return false }, do)
	return t.ctx.Err()
}

// runFrom does the chunks first … n-1 until the context ends or a pause is
// due. It returns the first chunk that was not started. Every started chunk
// is finished.
func (t *team) runFrom(first, n int, pause func() bool, do func(thread, chunk int)) int {
	var next atomic.Int64
	next.Store(int64(first))
	var wait sync.WaitGroup
	for thread := range t.threads {
		wait.Go(func() {
			for t.ctx.Err() == nil && !pause() {
				chunk := int(next.Add(1)) - 1
				if chunk >= n {
					return
				}
				do(thread, chunk)
				yield.Now()
			}
		})
	}
	wait.Wait()
	return min(int(next.Load()), n)
}
