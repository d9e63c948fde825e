package web

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// gate limits the work that runs at a time. Further work waits in a queue and can ask for
// its place. No client gets more than its share, and when the queue is full, work is
// refused.
type gate struct {
	slots, queue, perClient int

	mu      sync.Mutex
	running int
	waiting []*ticket
	clients map[string]int
	empty   sync.WaitGroup // nothing runs or waits
}

func newGate(slots, queue, perClient int) *gate {
	return &gate{slots: slots, queue: queue, perClient: perClient, clients: map[string]int{}}
}

// The reasons to refuse work.
var (
	errShare = errors.New("this client has reached its limit of requests: wait until one of them ends, or stop one")
	errFull  = errors.New("the server is busy and its queue is full: ask again in a while")
)

// ticket is a place in the queue, then a slot.
type ticket struct {
	gate   *gate
	client string
	in     chan struct{} // closed when the slot is free
	moved  chan struct{} // gets a value when the place may have changed
	inside bool
}

// enter takes a ticket. The caller must call leave.
func (g *gate) enter(client string) (*ticket, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.clients[client] >= g.perClient:
		return nil, errShare
	case g.running >= g.slots && len(g.waiting) >= g.queue:
		return nil, errFull
	}
	g.clients[client]++
	g.empty.Add(1)
	t := &ticket{gate: g, client: client, in: make(chan struct{}), moved: make(chan struct{}, 1)}
	g.waiting = append(g.waiting, t)
	g.admit()
	return t, nil
}

// admit fills the slots. The caller holds the lock.
func (g *gate) admit() {
	for g.running < g.slots && len(g.waiting) > 0 {
		next := g.waiting[0]
		g.waiting = g.waiting[1:]
		g.running++
		next.inside = true
		close(next.in)
	}
	for _, t := range g.waiting {
		select {
		case t.moved <- struct{}{}:
		default:
		}
	}
}

// place counts from 1; 0 is inside.
func (t *ticket) place() int {
	t.gate.mu.Lock()
	defer t.gate.mu.Unlock()
	return slices.Index(t.gate.waiting, t) + 1
}

// reportEvery is the longest silence of a stream that waits.
const reportEvery = 15 * time.Second

// wait returns when the slot is free, or with the error of the context. It reports the
// place at first, whenever it changes, and every reportEvery.
func (t *ticket) wait(ctx context.Context, report func(place int)) error {
	for last := 0; ; {
		select {
		case <-t.in:
			return ctx.Err()
		default:
		}
		if place := t.place(); place > 0 && place != last {
			last = place
			report(place)
		}
		select {
		case <-t.in:
		case <-t.moved:
		case <-time.After(reportEvery):
			last = 0 // or a proxy takes the stream for dead
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// leave gives the slot, or the place in the queue, to the next.
func (t *ticket) leave() {
	g := t.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.inside {
		g.running--
	} else {
		g.waiting = slices.DeleteFunc(g.waiting, func(other *ticket) bool { return other == t })
	}
	if g.clients[t.client]--; g.clients[t.client] == 0 {
		delete(g.clients, t.client)
	}
	g.empty.Done()
	g.admit()
}

// counts returns how much work runs and waits.
func (g *gate) counts() (running, waiting int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.running, len(g.waiting)
}
