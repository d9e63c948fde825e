package solver

import "sync"

// Idle holds workers that are not at work. They keep their experience, which a
// sync.Pool would drop at times that nobody can foresee: what one goroutine asks
// for is to be found in the same way every time.
type Idle[W any] struct {
	mu      sync.Mutex
	workers []W
}

// Take is the worker that was put back last, if there is one.
func (p *Idle[W]) Take() (w W, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.workers) == 0 {
		return w, false
	}
	w = p.workers[len(p.workers)-1]
	p.workers = p.workers[:len(p.workers)-1]
	return w, true
}

// Clear dismisses the workers.
func (p *Idle[W]) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = nil
}

// Put takes a worker back.
func (p *Idle[W]) Put(w W) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = append(p.workers, w)
}
