package cluster

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// sentJobs are what a dispatcher has sent.
type sentJobs []job

func (l *sentJobs) send(_ context.Context, j job) error {
	*l = append(*l, j)
	return nil
}

func (l *sentJobs) cancel(string, string)  {}
func (l *sentJobs) dismiss(string, string) {}

// A job that a banned worker has answered goes out again at once.
func TestAnswerOfBannedWorkerIsNotTaken(t *testing.T) {
	var post sentJobs
	d := newDispatcher(nil, "search", log(t), nil)
	d.transport = &post
	if err := d.send(t.Context(), job{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	d.banned["liar"] = true
	kept := false
	r := delivered{result: result{Search: "search", ID: "1", Worker: "liar", Nodes: 1}, kept: func() error {
		kept = true
		return nil
	}}
	if err := d.take(nil, r); err != nil || !kept || d.jobs != 0 {
		t.Fatalf("the answer was taken: %v, %d jobs", err, d.jobs)
	}
	for range 2 {
		if err := d.find(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(post) != 2 || post[1].ID != "1" {
		t.Errorf("the job went out %d times, not twice", len(post))
	}
}

// keeping is a task that sees what the dispatcher has counted when a result is kept.
type keeping struct {
	nothing
	d    *dispatcher
	jobs uint64
	err  error
}

func (k *keeping) take(result) ([]string, error) {
	k.jobs = k.d.jobs
	return nil, k.err
}

// A result is counted in what is kept with it: a master that is killed right after that does
// not forget one job. A result that is refused is not counted.
func TestResultIsCountedWhereItIsKept(t *testing.T) {
	d := newDispatcher(nil, "search", log(t), nil)
	defer d.examiner.close()
	d.transport = &sentJobs{}
	k := &keeping{d: d}
	take := func(id string) {
		t.Helper()
		if err := d.send(t.Context(), job{ID: id}); err != nil {
			t.Fatal(err)
		}
		r := result{Search: "search", ID: id, Worker: "w", Kind: solving, Nodes: 5, Error: 0.5, Facts: 3}
		if err := d.take(k, delivered{result: r, kept: func() error { return nil }}); !errors.Is(err, k.err) {
			t.Fatal(err)
		}
	}
	take("1")
	if k.jobs != 1 {
		t.Errorf("%d jobs are kept with the first result", k.jobs)
	}
	k.err = &doubt{why: "it is false"}
	take("2")
	if d.jobs != 1 || d.nodes != 5 || d.errorBound != 0.5 || d.facts != 3 {
		t.Errorf("%d jobs, %d nodes, error %g, %d facts", d.jobs, d.nodes, d.errorBound, d.facts)
	}
}

// writing is a task that keeps the results of jobs in a store.
type writing struct {
	nothing
	store *store
}

func (w writing) take(r result) ([]string, error) {
	return nil, w.store.put(about{}, decidedBucket, r.ID, record{Worker: r.Worker})
}

// Results that have come together are written at once, and acknowledged when they are
// written: all of them, or none if that fails.
func TestResultsAreKeptTogether(t *testing.T) {
	s, _, err := openStore(filepath.Join(t.TempDir(), "store"), "question", "search")
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	d := newDispatcher(nil, "search", log(t), nil)
	d.transport, d.together = new(sentJobs), s.together
	acknowledged := 0
	var list []delivered
	for _, id := range []string{"1", "2", "3"} {
		if err := d.send(t.Context(), job{ID: id}); err != nil {
			t.Fatal(err)
		}
		list = append(list, delivered{result: result{Search: "search", ID: id, Worker: "a", Kind: solving, Outcome: 1}, kept: func() error {
			acknowledged++
			return nil
		}})
	}
	writes := func() int64 {
		stats := s.db.Stats().TxStats
		return stats.GetWrite()
	}
	before := writes()
	if err := d.take(writing{store: s}, list[:2]...); err != nil || acknowledged != 2 || len(d.sent) != 1 {
		t.Fatalf("%v, %d acknowledged, %d out", err, acknowledged, len(d.sent))
	}
	if at, _ := s.author("2"); at != "a" {
		t.Error("a result is not in the store")
	}
	together := writes() - before
	if err := d.take(writing{store: s}, list[2]); err != nil || acknowledged != 3 {
		t.Fatalf("%v, %d acknowledged", err, acknowledged)
	}
	if alone := writes() - before - together; together > alone {
		t.Errorf("two results took %d writes, one %d", together, alone)
	}
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if err := d.take(writing{store: s}, delivered{result: list[0].result, kept: list[0].kept}); err != nil || acknowledged != 4 {
		t.Fatalf("a result that nobody waits for: %v, %d acknowledged", err, acknowledged)
	}
	if err := d.send(t.Context(), job{ID: "1"}); err != nil {
		t.Fatal(err)
	}
	if err := d.take(writing{store: s}, list[0]); err == nil || acknowledged != 4 {
		t.Errorf("the store is closed: %v, %d acknowledged", err, acknowledged)
	}
}

// Results behind one that fails, or that takes long, are left and taken later.
func TestResultsAreLeft(t *testing.T) {
	d := newDispatcher(nil, "search", log(t), nil)
	d.transport = new(sentJobs)
	acknowledged := ""
	var list []delivered
	for _, id := range []string{"1", "2", "3"} {
		if err := d.send(t.Context(), job{ID: id}); err != nil {
			t.Fatal(err)
		}
		list = append(list, delivered{result: result{Search: "search", ID: id, Worker: "a", Kind: solving, Outcome: 1}, kept: func() error {
			acknowledged += id
			return nil
		}})
	}
	task := &keeping{d: d, err: &doubt{why: "a lie"}}
	if err := d.take(task, list...); err == nil || acknowledged != "1" || len(d.left) != 2 {
		t.Fatalf("%v, %s acknowledged, %d left", err, acknowledged, len(d.left))
	}
	task.err, d.patience = nil, -1
	for _, want := range []string{"12", "123"} {
		if err := d.take(task, d.arrived()...); err != nil || acknowledged != want || len(d.left) != 3-len(want) {
			t.Fatalf("%v, %s acknowledged, not %s, and %d left", err, acknowledged, want, len(d.left))
		}
	}
}
