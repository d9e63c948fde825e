package solver

import "sync"

// Idle holds workers that are not in use. They keep their experience. A
// sync.Pool would drop workers at unpredictable times, and then the same
// questions of one goroutine would not take the same search every time.
type Idle[W any] struct {
	mu      sync.Mutex
	workers []W
}

// Take returns the worker that was put back last, if there is one.
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

// Clear drops the workers.
func (p *Idle[W]) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = nil
}

// Put gives a worker back.
func (p *Idle[W]) Put(w W) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.workers = append(p.workers, w)
}
