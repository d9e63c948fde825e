package cluster

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"
	"time"

	"tengen/board"
)

// heard waits until the feed has something.
func heard(t *testing.T, f *Feed, what string, is func([]Heard, error) bool) []Heard {
	t.Helper()
	for {
		list, changed, problem := f.Searches()
		if is(list, problem) {
			return list
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("%s is not heard: %+v, %v", what, list, problem)
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

// A feed hears of a search until its answer, with what is decided of every move; one that
// comes later hears the answer.
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
		list := heard(t, f, "the answer", func(list []Heard, _ error) bool { return len(list) == 1 && list[0].Done })
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
	heard(t, f, "a search", func(list []Heard, _ error) bool { return len(list) == 1 })
	server.Close()
	heard(t, f, "the end of the server", func(_ []Heard, problem error) bool { return problem != nil })
	server, err = Listen(address, "", folder)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	heard(t, f, "the server", func(_ []Heard, problem error) bool { return problem == nil })
	say(t, server.URL(), Status{Search: "two"})
	heard(t, f, "another search", func(list []Heard, _ error) bool { return len(list) == 2 })
}

// Searches under way come first, then the latest, and the oldest are forgotten.
func TestOrderOfAFeed(t *testing.T) {
	f := NewFeed()
	now := time.Now()
	for i := range mostHeard + 5 {
		f.take(Status{Search: string(rune('a' + i)), At: now, Done: i != 7}, now.Add(time.Duration(i)*time.Minute))
	}
	list, _, _ := f.Searches()
	if len(list) != mostHeard || list[0].Search != "h" || list[1].Search != string(rune('a'+mostHeard+4)) {
		t.Errorf("%d searches, %q and %q first", len(list), list[0].Search, list[1].Search)
	}
	if h := (Heard{Status{}, now.Add(-time.Hour)}); !h.Silent() {
		t.Error("an hour is no silence")
	}
}
