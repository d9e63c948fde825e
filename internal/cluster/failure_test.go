package cluster

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"tengen/board"
)

// failAlways is a worker whose memory does not suffice for anything.
func failAlways(r *result) {
	*r = result{Protocol: r.Protocol, Search: r.Search, ID: r.ID, Epoch: r.Epoch, Kind: r.Kind, Worker: r.Worker, Key: r.Key, Failure: "out of memory"}
}

// A worker that can do nothing does not keep the others from doing it.
func TestFailingWorkerStopsNobody(t *testing.T) {
	s := newSystem(t)
	s.hire(func(o *WorkerOptions) { o.forge = failAlways })
	s.hire(nil)
	q := Question{Position: empty(t, "2x8"), ToPlay: board.Black, Proof: true}
	a, err := Solve(t.Context(), q, s.options())
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
	checkProof(t, a)
	if len(a.Banned) > 0 || a.Epoch > 0 {
		t.Errorf("%q are banned as liars, epoch %d", a.Banned, a.Epoch)
	}
	list := listOf(40, board.Size{Rows: 3, Cols: 4})
	s = newSystem(t)
	s.hire(func(o *WorkerOptions) { o.forge = failAlways })
	s.hire(nil)
	o := s.options()
	o.lines = 4
	var out bytes.Buffer
	if _, err := SolveList(t.Context(), readList(t, list), &out, o); err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, out.String(), 40)
}

// If everybody fails, the master says so in a sentence, and the same command goes on when
// somebody is there who can: nothing that failed comes back.
func TestEverybodyFails(t *testing.T) {
	s := newSystem(t)
	fire := s.hire(func(o *WorkerOptions) { o.forge = failAlways })
	q := Question{Position: empty(t, "2x8"), ToPlay: board.Black}
	o := s.options()
	_, err := Solve(t.Context(), q, o)
	if err == nil || !strings.Contains(err.Error(), "no worker can do a job") || !strings.Contains(err.Error(), "out of memory") {
		t.Fatalf("the error is %v", err)
	}
	fire()
	s.hire(nil)
	a, err := Solve(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
}

// A job fails at one worker: it goes out again, and only a worker that fails three times in
// a row is sent away. If all fail at the same job, it is given up.
func TestFailuresAreCounted(t *testing.T) {
	var post sentJobs
	d := newDispatcher(nil, "search", log(t), nil)
	defer d.examiner.close()
	d.transport = &post
	for _, name := range []string{"a", "b"} {
		d.workers[name] = &member{heartbeat: heartbeat{Worker: name}, seen: time.Now()}
	}
	for _, id := range []string{"1", "2"} {
		if err := d.send(t.Context(), job{ID: id, Kind: solving}); err != nil {
			t.Fatal(err)
		}
	}
	acknowledged := 0
	fail := func(worker, id string, change ...func(*result)) error {
		t.Helper()
		r := result{Search: "search", ID: id, Worker: worker, Kind: solving, Failure: "broken"}
		for _, c := range change {
			c(&r)
		}
		return d.take(nothing{}, delivered{result: r, kept: func() error { acknowledged++; return nil }})
	}
	for range 2 {
		if err := fail("a", "1"); err != nil {
			t.Fatal(err)
		}
	}
	if d.banned["a"] || d.sent["1"] == nil || !d.sent["1"].lost {
		t.Fatal("two failures are not three, and the job must go out again")
	}
	// An answer in between makes up for them.
	if err := d.take(nothing{}, delivered{result: result{Search: "search", ID: "2", Worker: "a", Kind: solving, Outcome: 1}, kept: func() error { return nil }}); err != nil {
		t.Fatal(err)
	}
	if err := fail("a", "1"); err != nil || d.banned["a"] {
		t.Fatalf("%v, banned %t", err, d.banned["a"])
	}
	if err := d.find(t.Context()); err != nil || len(post) != 3 || post[2].ID != "1" {
		t.Fatalf("%v: %v were sent", err, post)
	}
	if err := fail("b", "1"); err == nil || !strings.Contains(err.Error(), "no worker can do a job") {
		t.Errorf("all have failed, and the error is %v", err)
	}
	if acknowledged != 4 {
		t.Errorf("%d of 4 failures are acknowledged", acknowledged)
	}
}

// nothing is a task that takes every result.
type nothing struct{}

func (nothing) next() (job, bool)               { return job{}, false }
func (nothing) news(result) bool                { return false }
func (nothing) take(r result) ([]string, error) { return nil, nil }
func (nothing) done() bool                      { return false }
func (nothing) ahead() int                      { return 0 }
func (nothing) report(*Status)                  {}

// stumbling is a task that panics.
type stumbling struct{ nothing }

func (stumbling) take(result) ([]string, error) { panic("a key off the board") }

// A result that the master stumbles over is put aside, and its job goes out again.
func TestMasterStumbles(t *testing.T) {
	s := newSystem(t)
	h := s.attacker()
	var post sentJobs
	d := newDispatcher(h, "search", log(t), nil)
	defer d.examiner.close()
	d.transport = &post
	if err := d.send(t.Context(), job{ID: "1", Kind: solving}); err != nil {
		t.Fatal(err)
	}
	d.workers["other"] = &member{seen: time.Now()}
	kept := false
	err := d.take(stumbling{}, delivered{result: result{Search: "search", ID: "1", Worker: "w", Kind: solving}, data: []byte("data"), kept: func() error { kept = true; return nil }})
	if err != nil || !kept || !d.sent["1"].lost {
		t.Errorf("%v, acknowledged %t", err, kept)
	}
	awaitPoison(t, h, 1)

	// So is any other message that a handler stumbles over.
	h.guarded(log(t), "fact", func(*nats.Msg) { panic("a fact") })(&nats.Msg{Data: []byte("data")})
	awaitPoison(t, h, 2)
}

// A job that nobody comes back from is handed back undone when it has been taken too often,
// and one that the server does not deliver any more is sent once more.
func TestJobIsTakenTooOften(t *testing.T) {
	s := newSystem(t)
	w := joinAsWorker(t, s, "w")
	r := w.answer(t.Context(), searchJob(t, "s", "3x4", 0), mostTaken+1)
	if !r.Spoilt || r.Failure == "" {
		t.Errorf("it was done once more: %+v", r)
	}
	if r := w.answer(t.Context(), searchJob(t, "s", "3x4", 0), mostTaken); r.Spoilt {
		t.Error("it was given up too early")
	}
	consumer, err := w.hub.workers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if n := consumer.CachedInfo().Config.MaxDeliver; n != mostDelivered {
		t.Errorf("a job is delivered %d times", n)
	}

	if testing.Short() {
		return // it takes a while until a job is missed
	}

	// Somebody takes the jobs of a search and hands them back until they are not delivered
	// any more.
	h := s.attacker()
	var once sync.Once
	o := s.options()
	o.Progress = func(now Status) {
		once.Do(func() {
			// Without a worker there is no job: the attacker says that it is one, again and
			// again, since the master may not hear it yet, or may forget it.
			data := marshal(t, heartbeat{Protocol: protocol, Worker: "attacker"})
			go func() {
				for taken := 0; taken < mostDelivered; {
					if err := h.conn.Publish(heartbeatSubject, data); err != nil {
						t.Error(err)
						return
					}
					batch, err := consumer.Fetch(1, jetstream.FetchMaxWait(time.Second))
					if err != nil {
						continue
					}
					for m := range batch.Messages() {
						_ = m.Nak()
						taken++
					}
				}
				s.hire(nil)
			}()
		})
	}
	q := Question{Position: empty(t, "3x4"), ToPlay: board.Black}
	a, err := Solve(t.Context(), q, o)
	if err != nil {
		t.Fatal(err)
	}
	if want := plain(t, q).Winner; a.Winner != want || slices.Contains(a.Banned, "w") {
		t.Errorf("%s wins, not %s", a.Winner, want)
	}
}
