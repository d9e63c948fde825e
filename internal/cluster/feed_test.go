package cluster

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"tengen/board"
)

// await waits until a feed has something.
func await(t *testing.T, f *Feed, what string, is func([]Report, error) bool) []Report {
	t.Helper()
	for {
		list, changed, problem := f.Searches()
		if is(list, problem) {
			return list
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("%s does not come: %+v, %v", what, list, problem)
		}
	}
}

// follow starts a feed of what is said on a server, which ends with the test.
func follow(t *testing.T, url string) *Feed {
	t.Helper()
	w, err := Watch(t.Context(), Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	f := NewFeed()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Follow(ctx, f)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
		w.Close()
	})
	return f
}

// say leaves a status on a server, as a master does.
func say(t *testing.T, url string, s Status) {
	t.Helper()
	h, err := connect(t.Context(), Access{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	data, err := json.Marshal(s)
	if err == nil {
		_, err = h.status.Put(t.Context(), statusKey+s.Search, data)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A feed follows a search until its answer, with the outcome of every move. A later feed has
// the answer.
func TestFeed(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	f := follow(t, s.server.URL())
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black, EachMove: true, Proof: true}
	a, err := Solve(t.Context(), q, s.options())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []*Feed{f, follow(t, s.server.URL())} {
		list := await(t, f, "the answer", func(list []Report, _ error) bool { return len(list) == 1 && list[0].Done })
		last := list[0]
		if last.Phase != "proof" || last.Winner != a.Winner.String() || last.Position != q.Position.String() || last.ToPlay != "black" || len(last.Moves) != len(a.Moves) {
			t.Errorf("%+v", last)
		}
		for i, m := range a.Moves {
			if got := last.Moves[i]; got.Move != q.Position.Size.Name(m.Move) || got.Winner != m.Winner.String() {
				t.Errorf("%s is won by %s, and the feed says %+v", q.Position.Size.Name(m.Move), m.Winner, got)
			}
		}
	}
}

// A server that goes away is noticed, and so is its coming back.
func TestFeedWaitsForTheServer(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "nats")
	server, err := Listen("127.0.0.1:0", "", folder)
	if err != nil {
		t.Fatal(err)
	}
	address := server.inner.Addr().String()
	say(t, server.URL(), Status{Search: "one"})
	f := follow(t, server.URL())
	await(t, f, "a search", func(list []Report, _ error) bool { return len(list) == 1 })
	server.Close()
	await(t, f, "the end of the server", func(_ []Report, problem error) bool { return problem != nil })
	server, err = Listen(address, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	await(t, f, "the server", func(_ []Report, problem error) bool { return problem == nil })
	say(t, server.URL(), Status{Search: "two"})
	await(t, f, "another search", func(list []Report, _ error) bool { return len(list) == 2 })
}

// Searches under way come first, then the latest, and the oldest are forgotten.
func TestOrderOfAFeed(t *testing.T) {
	f := NewFeed()
	now := time.Now()
	for i := range mostReports + 5 {
		f.add(Status{Search: string(rune('a' + i)), At: now, Done: i != 7}, now.Add(time.Duration(i)*time.Minute))
	}
	list, _, _ := f.Searches()
	if len(list) != mostReports || list[0].Search != "h" || list[1].Search != string(rune('a'+mostReports+4)) {
		t.Errorf("%d searches, %q and %q first", len(list), list[0].Search, list[1].Search)
	}
	if h := (Report{Status{}, now.Add(-time.Hour)}); !h.Gone() {
		t.Error("an hour is no silence")
	}
}

// A master whose clock is hours behind or ahead has not fallen silent for who comes later.
func TestFeedOfMasterWithAnotherClock(t *testing.T) {
	s := newSystem(t)
	for search, hours := range map[string]time.Duration{"behind": -10, "ahead": 10} {
		say(t, s.server.URL(), Status{Search: search, At: time.Now().Add(hours * time.Hour)})
	}
	f := follow(t, s.server.URL())
	list := await(t, f, "both", func(list []Report, _ error) bool { return len(list) == 2 })
	for _, h := range list {
		if old := time.Since(h.Received); old < 0 || old > time.Minute {
			t.Errorf("%s was received %s ago", h.Search, old)
		}
	}
}
