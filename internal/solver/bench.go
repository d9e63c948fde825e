package solver

import "sync"

// Bench holds workers that are not at work. They keep their experience, which a
// sync.Pool would drop at times that nobody can foresee: what one goroutine asks
// for is to be found in the same way every time.
type Bench[W any] struct {
	mu   sync.Mutex
	idle []W
}

// Take is the worker that was put back last, if there is one.
func (b *Bench[W]) Take() (w W, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.idle) == 0 {
		return w, false
	}
	w = b.idle[len(b.idle)-1]
	b.idle = b.idle[:len(b.idle)-1]
	return w, true
}

// Put takes a worker back.
func (b *Bench[W]) Put(w W) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle = append(b.idle, w)
}
