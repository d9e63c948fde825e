package cluster

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
	"tengen/internal/cluster/tree"
)

// attacker is a connection of somebody who may publish whatever they like.
func (s *system) attacker() *hub {
	s.t.Helper()
	h, err := connect(s.t.Context(), Access{URL: s.server.URL(), Name: "attacker"})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(h.close)
	return h
}

// Results that come again, of another epoch, another search, another version or for other
// jobs change nothing: neither the answer nor what it is said to have cost.
func TestReplayedResults(t *testing.T) {
	s := newSystem(t)
	h := s.attacker()
	seen := map[string]result{}
	s.hire(func(o *WorkerOptions) {
		// Twice all results so far come again.
		o.forge = func(r *result) {
			seen[r.ID] = *r
			if len(seen) != 10 && len(seen) != 20 {
				return
			}
			for _, id := range slices.Sorted(maps.Keys(seen)) {
				again := seen[id]
				publishResult(t, h, again)
				again.Epoch++
				publishResult(t, h, again)
				again = seen[id]
				again.Protocol--
				publishResult(t, h, again)
				again = seen[id]
				again.Outcome, again.Opened, again.Branches = -again.Outcome, false, nil
				again.ID = strings.TrimSuffix(again.ID, "-0") + "-7" // of an epoch to come
				again.Epoch = 7
				publishResult(t, h, again)
			}
		}
	})
	q := Question{Position: empty(t, hard()), ToPlay: board.Black}
	o := s.options()
	a, err := Solve(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	nodes := uint64(0)
	for _, r := range seen {
		nodes += r.Nodes
	}
	if a.Nodes > nodes || a.Jobs > uint64(len(seen)) || a.Epoch != 0 || len(a.Banned) > 0 {
		t.Errorf("%d jobs with %d nodes are counted, %d with %d were done; epoch %d, banned %q", a.Jobs, a.Nodes, len(seen), nodes, a.Epoch, a.Banned)
	}
	if len(seen) < 10 {
		t.Errorf("only %d results: nothing was replayed", len(seen))
	}
}

func publishResult(t *testing.T, h *hub, r result) {
	if err := h.publish(t.Context(), resultSubject+r.Search, r); err != nil {
		t.Error(err)
	}
}

// The results of a search whose answers were all taken back are those of another epoch, and
// those of another question have other names.
func TestResultsOfAnotherEpochAreNoNews(t *testing.T) {
	_, p, end, err := simulateBoard(Question{Position: empty(t, "3x4"), ToPlay: board.Black}, 1, Measured, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	j, ok := p.next()
	if !ok {
		t.Fatal("no job")
	}
	good := result{Protocol: protocol, Search: "simulation", ID: j.ID, Kind: solving, Worker: "w", Key: j.Key, Outcome: tree.Won}
	if !p.news(good) {
		t.Fatal("the answer is no news")
	}
	for name, change := range map[string]func(*result){
		"epoch in its name": func(r *result) { r.ID = j.Key.String() + "-1" },
		"kind":              func(r *result) { r.Kind = batching },
		"other position":    func(r *result) { r.Key.ToPlay = board.White },
		"not asked": func(r *result) {
			r.Key = r.Key.After(p.size, 0)
			r.ID = r.Key.String() + "-0"
		},
		"nothing": func(r *result) { r.Outcome = tree.Unknown },
	} {
		r := good
		change(&r)
		if p.news(r) {
			t.Errorf("%s: it is news", name)
		}
	}
	if _, err := p.take(good); err != nil {
		t.Fatal(err)
	}
	if p.news(good) {
		t.Error("the same answer is news twice")
	}
}

// Jobs, results and heartbeats of another version are put aside, and the log names it.
func TestOtherVersions(t *testing.T) {
	s := newSystem(t)
	h := s.attacker()
	for name, data := range map[string][]byte{
		"job":    marshal(t, job{Protocol: protocol + 1, Search: "s", ID: "1", Kind: batching, Batch: []question{{1, "...", "black"}}}),
		"result": marshal(t, result{Protocol: protocol - 1, Search: "s", ID: "1", Kind: solving, Worker: "w"}),
		"beat":   marshal(t, heartbeat{Protocol: protocol + 1, Worker: "w"}),
	} {
		_, e1 := decodeJob(data)
		_, e2 := decodeResult(data)
		_, e3 := decodeHeartbeat(data)
		for _, err := range []error{e1, e2, e3} {
			if err == nil || !strings.Contains(err.Error(), "version") {
				t.Errorf("a %s of another version: %v", name, err)
			}
		}
	}
	if err := h.publish(t.Context(), jobSubject+"s.1", job{Protocol: protocol + 1, Search: "s", ID: "1", Kind: batching, Batch: []question{{1, "...", "black"}}}); err != nil {
		t.Fatal(err)
	}
	s.hire(nil)
	awaitEmptyQueues(t, s) // the worker puts it aside, and does not try it again and again
	awaitPoison(t, h, 1)

	// A program of another version is refused as a whole.
	if _, err := h.status.Put(t.Context(), "protocol", []byte(strconv.Itoa(protocol+1))); err != nil {
		t.Fatal(err)
	}
	_, err := Solve(t.Context(), Question{Position: empty(t, "3x4"), ToPlay: board.Black}, s.options())
	if err == nil || !strings.Contains(err.Error(), "use the same tengen everywhere") {
		t.Errorf("a master on a server of another version: %v", err)
	}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// awaitPoison waits until messages were put aside.
func awaitPoison(t *testing.T, h *hub, least uint64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		if n := poisonedMessages(t, h); n >= least {
			return
		} else if ctx.Err() != nil {
			t.Fatalf("%d messages were put aside, not %d", n, least)
		}
		wait(ctx, 10*time.Millisecond)
	}
}

func poisonedMessages(t *testing.T, h *hub) uint64 {
	t.Helper()
	stream, err := h.stream.Stream(t.Context(), poisonStream)
	if err != nil {
		t.Fatal(err)
	}
	info, err := stream.Info(t.Context(), jetstream.WithSubjectFilter(poisonSubject+">"))
	if err != nil {
		t.Fatal(err)
	}
	return info.State.Msgs
}
