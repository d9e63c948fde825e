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

// Feed keeps the latest status of each master, for any number of readers.
type Feed struct {
	mu       sync.Mutex
	searches map[string]Report
	problem  error         // why nothing can be read now
	changed  chan struct{} // closed at the next change
}

// Report is a status, and when it was received here. Clocks of other machines may be wrong.
type Report struct {
	Status
	Received time.Time
}

// Gone reports whether the master is gone: its last status is too old.
func (r Report) Gone() bool { return !r.Done && time.Since(r.Received) > gone }

// mostReports is how many searches a feed keeps, the latest.
const mostReports = 20

// NewFeed makes an empty feed.
func NewFeed() *Feed {
	return &Feed{searches: map[string]Report{}, changed: make(chan struct{})}
}

// Add adds a status that was published just now.
func (f *Feed) Add(s Status) { f.add(s, time.Now()) }

func (f *Feed) add(s Status, received time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.searches[s.Search]; ok && known.At.Equal(s.At) {
		return
	}
	f.searches[s.Search] = Report{s, received}
	if len(f.searches) > mostReports {
		delete(f.searches, f.list()[mostReports].Search)
	}
	f.signal()
}

// setProblem notes why masters cannot be followed; nil means that they can.
func (f *Feed) setProblem(problem error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if (problem == nil) != (f.problem == nil) {
		f.signal()
	}
	f.problem = problem
}

func (f *Feed) signal() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Searches lists the searches that are known: first those under way, in a stable order,
// then the others, the latest first. The channel is closed at the next change. The error
// says why nothing can be read now.
func (f *Feed) Searches() (list []Report, changed <-chan struct{}, problem error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list(), f.changed, f.problem
}

func (f *Feed) list() (list []Report) {
	for _, h := range f.searches {
		list = append(list, h)
	}
	over := func(h Report) int {
		if h.Done || h.Gone() {
			return 1
		}
		return 0
	}
	slices.SortFunc(list, func(a, b Report) int {
		return cmp.Or(cmp.Compare(over(a), over(b)), over(a)*b.Received.Compare(a.Received), cmp.Compare(a.Search, b.Search))
	})
	return list
}

// Follow adds every status to a feed until the context ends. It waits for a server that
// goes away.
func (w *Watcher) Follow(ctx context.Context, f *Feed) {
	for ctx.Err() == nil {
		err := w.follow(ctx, f)
		if ctx.Err() != nil {
			return
		}
		f.setProblem(err)
		_ = w.hub.prepare(ctx)
		wait(ctx, tick)
	}
}

var errServerGone = errors.New("the NATS server does not answer")

// follow returns when the server has been away: the stream of updates does not report that.
func (w *Watcher) follow(ctx context.Context, f *Feed) error {
	kept, err := w.hub.stream.Stream(ctx, "KV_"+statusBucket)
	if err != nil {
		return fmt.Errorf("the status cannot be read: %w", err)
	}
	// The clock of the server says how old a status is.
	began, server := time.Now(), kept.CachedInfo().TimeStamp
	updates, err := w.hub.status.Watch(ctx, statusKey+">")
	if err != nil {
		return fmt.Errorf("the status cannot be read: %w", err)
	}
	defer func() {
		if w.hub.conn.IsConnected() { // or it would wait for the server
			_ = updates.Stop()
		}
	}()
	f.setProblem(nil)
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
				f.setProblem(errServerGone)
			case away: // it may have lost its files
				return errServerGone
			}
		case entry, open := <-updates.Updates():
			switch {
			case !open:
				return errServerGone
			case entry == nil: // the status that was there has been read
				fresh = true
			case entry.Operation() == jetstream.KeyValuePut:
				var s Status
				if json.Unmarshal(entry.Value(), &s) != nil {
					continue
				}
				received := time.Now()
				if !fresh {
					received = began.Add(-max(server.Sub(entry.Created()), 0))
				}
				f.add(s, received)
			}
		}
	}
}
