package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Feed keeps what masters say, for any number of listeners.
type Feed struct {
	mu       sync.Mutex
	searches map[string]Heard
	problem  error
	changed  chan struct{} // closed when there is news
}

// Heard is what a master has said, and when that was heard here. Clocks of other machines
// may be wrong.
type Heard struct {
	Status
	When time.Time
}

// Silent reports whether the master has said nothing for so long that it is not there.
func (h Heard) Silent() bool { return !h.Done && time.Since(h.When) > gone }

// mostHeard is how many searches a feed keeps, the latest.
const mostHeard = 20

// NewFeed has heard nothing yet.
func NewFeed() *Feed {
	return &Feed{searches: map[string]Heard{}, changed: make(chan struct{})}
}

// Tell takes what a master has just said.
func (f *Feed) Tell(s Status) { f.take(s, time.Now()) }

func (f *Feed) take(s Status, when time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.searches[s.Search]; ok && known.At.Equal(s.At) {
		return
	}
	f.searches[s.Search] = Heard{s, when}
	if len(f.searches) > mostHeard {
		delete(f.searches, f.list()[mostHeard].Search)
	}
	f.news()
}

// lost says that masters cannot be heard, or with nil that they can again.
func (f *Feed) lost(problem error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if (problem == nil) != (f.problem == nil) {
		f.news()
	}
	f.problem = problem
}

func (f *Feed) news() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Searches are those that are known: first those under way, in an order that stays, then
// the latest. The channel is closed when there is news, and the error is why nothing is
// heard now.
func (f *Feed) Searches() (list []Heard, changed <-chan struct{}, problem error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list(), f.changed, f.problem
}

func (f *Feed) list() (list []Heard) {
	for _, h := range f.searches {
		list = append(list, h)
	}
	over := func(h Heard) int {
		if h.Done || h.Silent() {
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(a, b Heard) int {
		return cmp.Or(cmp.Compare(over(a), over(b)), over(a)*b.When.Compare(a.When), cmp.Compare(a.Search, b.Search))
	})
	return list
}

// Follow hands everything that masters say to a feed until the context ends. A server that
// goes away is waited for.
func (w *Watcher) Follow(ctx context.Context, f *Feed) {
	for ctx.Err() == nil {
		err := w.follow(ctx, f)
		if ctx.Err() != nil {
			return
		}
		f.lost(err)
		_ = w.hub.prepare(ctx)
		wait(ctx, tick)
	}
}

var errServerGone = errors.New("the NATS server does not answer")

// follow goes on until the server has been away, which the stream of updates does not say.
func (w *Watcher) follow(ctx context.Context, f *Feed) error {
	updates, err := w.hub.status.Watch(ctx, statusKey+">")
	if err != nil {
		return fmt.Errorf("the status cannot be read: %w", err)
	}
	defer func() {
		if w.hub.conn.IsConnected() { // else it would wait for the server
			_ = updates.Stop()
		}
	}()
	f.lost(nil)
	look := time.NewTicker(tick)
	defer look.Stop()
	for fresh, away := false, false; ; {
		select {
		case <-ctx.Done():
			return nil
		case <-look.C:
			switch there := w.hub.conn.IsConnected(); {
			case !there:
				away = true
				f.lost(errServerGone)
			case away: // it may have lost its files
				return errServerGone
			}
		case entry, open := <-updates.Updates():
			switch {
			case !open:
				return errServerGone
			case entry == nil: // what was there has been told
				fresh = true
			case entry.Operation() == jetstream.KeyValuePut:
				var s Status
				if json.Unmarshal(entry.Value(), &s) != nil {
					continue
				}
				when := time.Now()
				if !fresh && s.At.Before(when) {
					when = s.At
				}
				f.take(s, when)
			}
		}
	}
}
