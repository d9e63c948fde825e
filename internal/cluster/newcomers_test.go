package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
)

// endless is a task with any number of jobs, of which a number must be done.
type endless struct{ given, left int }

func (p *endless) next() (job, bool)                 { p.given++; return job{ID: fmt.Sprint(p.given)}, true }
func (p *endless) take(result) (i []string, e error) { p.left--; return nil, nil }
func (p *endless) news(result) bool                  { return false }
func (p *endless) done() bool                        { return p.left == 0 }
func (p *endless) ahead() int                        { return 1 }
func (p *endless) report(*Status)                    {}

// Heartbeats alone make no worker, under any number of names. Jobs go out for a few of them,
// and those that answer one are workers.
func TestBeatsOfStrangersAreNoWorkers(t *testing.T) {
	var post sentJobs
	d := newDispatcher(nil, "search", log(t), nil)
	d.transport = &post
	for i := range 2 * mostNewcomers {
		d.takeHeartbeat(heartbeat{Protocol: protocol, Worker: fmt.Sprintf("stranger-%d", i)})
	}
	for _, name := range []string{"", "a b", "a.b", "\x1b[2J", string(make([]byte, 1000))} {
		if _, err := decodeHeartbeat(marshal(t, heartbeat{Protocol: protocol, Worker: name})); err == nil {
			t.Errorf("%q is taken as the name of a worker", name)
		}
	}
	if len(d.workers) != 0 || len(d.newcomers) != mostNewcomers {
		t.Errorf("%d workers, %d names are remembered", len(d.workers), len(d.newcomers))
	}
	task := &endless{left: 1000}
	for range 3 {
		if err := d.fill(t.Context(), task); err != nil {
			t.Fatal(err)
		}
	}
	if len(post) != mostOnTrial {
		t.Errorf("%d jobs are out for strangers", len(post))
	}
	// A result without an answer, or of a job that is not out, makes no worker.
	if err := d.take(task, delivered{result: result{Search: "search", ID: "2", Worker: "stranger-3"}, kept: func() error { return nil }}); err != nil || len(d.workers) != 0 {
		t.Errorf("%d workers, %v", len(d.workers), err)
	}
	kept := func() error { return nil }
	if err := d.take(task, delivered{result: result{Search: "search", ID: "none", Worker: "stranger-1", Outcome: 1}, kept: kept}); err != nil || len(d.workers) != 0 {
		t.Errorf("%d workers, %v", len(d.workers), err)
	}
	if err := d.take(task, delivered{result: result{Search: "search", ID: "3", Worker: "stranger-2", Outcome: 1}, kept: kept}); err != nil || len(d.workers) != 1 || d.workers["stranger-2"] == nil {
		t.Errorf("%d workers, %v", len(d.workers), err)
	}
}

// failingNewcomers is a dispatcher with newcomers and no worker, and a function that has one
// of them fail at a job.
func failingNewcomers(t *testing.T, names ...string) (d *dispatcher, out *sentJobs, fail func(name, id string) error) {
	t.Helper()
	out = new(sentJobs)
	d = newDispatcher(nil, "search", log(t), nil)
	t.Cleanup(d.examiner.close)
	d.transport = out
	for _, name := range names {
		d.takeHeartbeat(heartbeat{Protocol: protocol, Worker: name})
	}
	for _, id := range []string{"1", "2", "3"} {
		if err := d.send(t.Context(), job{ID: id, Kind: solving}); err != nil {
			t.Fatal(err)
		}
	}
	return d, out, func(name, id string) error {
		t.Helper()
		r := result{Search: "search", ID: id, Worker: name, Kind: solving, Failure: "out of memory"}
		return d.take(nothing{}, delivered{result: r, kept: func() error { return nil }})
	}
}

// A newcomer that fails the same first job three times is banned. Its job goes to another
// newcomer, and the search goes on.
func TestFailingNewcomerDoesNotEndTheSearch(t *testing.T) {
	d, out, fail := failingNewcomers(t, "bad", "good")
	for i := range mostFailures {
		if d.banned["bad"] {
			t.Fatalf("it is banned after %d failures", i)
		}
		if err := fail("bad", "1"); err != nil {
			t.Fatalf("failure %d ends the search: %v", i+1, err)
		}
		d.takeHeartbeat(heartbeat{Protocol: protocol, Worker: "bad"}) // it goes on meanwhile
	}
	if !d.banned["bad"] || d.member("bad") != nil || d.member("good") == nil {
		t.Fatalf("banned %v, newcomers %v", d.banned, d.newcomers)
	}
	if err := d.find(t.Context()); err != nil || (*out)[len(*out)-1].ID != "1" {
		t.Errorf("the job is not sent again: %v, %v", err, *out)
	}
	if err := d.take(nothing{}, delivered{result: result{Search: "search", ID: "1", Worker: "good", Kind: solving, Outcome: 1}, kept: func() error { return nil }}); err != nil || d.workers["good"] == nil {
		t.Errorf("the other newcomer cannot do it: %v", err)
	}
}

// Failures at different jobs count as well, and a cancelled job in between is no answer.
func TestFailuresOfNewcomerAreCounted(t *testing.T) {
	d, _, fail := failingNewcomers(t, "bad", "good")
	for _, id := range []string{"1", "2"} {
		if err := fail("bad", id); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.take(nothing{}, delivered{result: result{Search: "search", ID: "2", Worker: "bad", Kind: solving}, kept: func() error { return nil }}); err != nil || d.workers["bad"] != nil {
		t.Fatalf("a job without an answer makes a worker: %v", err)
	}
	if err := fail("bad", "3"); err != nil || !d.banned["bad"] {
		t.Errorf("%v, banned %t", err, d.banned["bad"])
	}
}

// The search ends when the last newcomer is banned, with the reason in the error.
func TestAllNewcomersFail(t *testing.T) {
	d, _, fail := failingNewcomers(t, "a", "b")
	var err error
	for i, name := range []string{"a", "b", "a", "b", "a", "b"} {
		if err != nil {
			t.Fatalf("it ends before failure %d: %v", i+1, err)
		}
		err = fail(name, fmt.Sprint(1+i/2)) // each at all three jobs
	}
	if !errors.Is(err, errFailed) || !strings.Contains(err.Error(), "out of memory") {
		t.Errorf("banned %v, and the error is %v", d.banned, err)
	}
	// So it does when all of them fail at one job.
	_, _, fail = failingNewcomers(t, "a", "b")
	for _, name := range []string{"a", "a", "b"} {
		if err = fail(name, "1"); name == "a" && err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(err, errFailed) {
		t.Errorf("all have failed at one job, and the error is %v", err)
	}
}

// A search with a crowd of names that do nothing counts those that work.
func TestStatusCountsThoseThatWork(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	o := s.options()
	o.Progress = func(now Status) {
		for i := range 100 {
			data, err := json.Marshal(heartbeat{Protocol: protocol, Worker: fmt.Sprintf("stranger-%d", i), Search: now.Search, Job: "0000"})
			if err != nil {
				t.Error(err)
			}
			_ = h.conn.Publish(heartbeatSubject, data)
		}
		if len(now.Workers) > 1 || len(now.Workers) == 1 && now.Workers[0].Name != "worker-1" {
			t.Errorf("%d workers: %+v", len(now.Workers), now.Workers)
		}
	}
	q := Question{Position: empty(t, "2x8"), ToPlay: board.Black}
	if a, err := Solve(t.Context(), q, o); err != nil || a.Winner != plain(t, q).Winner {
		t.Errorf("%v wins, %v", a.Winner, err)
	}
}

// Somebody takes a job, renews its lease for ever and says nothing. The job goes to
// another who is idle.
func TestJobHeldInSilenceGoesToAnother(t *testing.T) {
	s := newSystem(t)
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	consumer, err := h.workers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var side sync.WaitGroup
	defer side.Wait()
	defer stop()
	side.Go(func() {
		for ctx.Err() == nil { // until the master asks for something
			_ = h.conn.Publish(heartbeatSubject, []byte(fmt.Sprintf(`{"protocol":%d,"worker":"thief"}`, protocol)))
			batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(time.Second))
			if err != nil {
				t.Error(err)
				return
			}
			for m := range batch.Messages() {
				s.hire(nil)
				for ctx.Err() == nil {
					_ = m.InProgress()
					wait(ctx, lease/4)
				}
			}
		}
	})
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	within, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if a, err := Solve(within, q, s.options()); err != nil || a.Winner != board.White {
		t.Errorf("%v wins, %v", a.Winner, err)
	}
}

// A result cannot steer a terminal: not by its reason of a failure, and a worker whose name
// has such characters is refused.
func TestResultsArePrintable(t *testing.T) {
	s := newSystem(t)
	h, err := connect(t.Context(), Access{URL: s.server.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	ctx, cancel := context.WithCancel(t.Context())
	d := newDispatcher(h, "search", log(t), nil)
	stop, err := d.listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	defer cancel()
	for _, name := range []string{"a\x1b[2J", "b"} {
		if err := h.publish(ctx, resultSubject+"search", result{Protocol: protocol, Search: "search", ID: "1", Kind: solving, Worker: name, Failure: "no\x1b]0;memory\a"}); err != nil {
			t.Fatal(err)
		}
	}
	if r := <-d.results; r.Worker != "b" || r.Failure != `no\x1b]0;memory\a` {
		t.Errorf("%q, %q", r.Worker, r.Failure)
	}
}
