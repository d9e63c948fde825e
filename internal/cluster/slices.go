package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.etcd.io/bbolt"
)

// span is a range of numbers. The end is excluded.
type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s span) len() int { return s.To - s.From }

// slicer cuts a range into slices that take about half a second each. It knows which are
// done, out and still to do.
type slicer struct {
	name  string // the names of its jobs begin with it
	whole int
	done  int
	given int // slices given out
	todo  []span
	out   map[string]span
	pace  pace
}

func newSlicer(name string, whole int, p pace) slicer {
	s := slicer{name: name, whole: whole, out: map[string]span{}, pace: p}
	if whole > 0 {
		s.todo = []span{{0, whole}}
	}
	return s
}

// without leaves out the slices that are done already.
func (s *slicer) without(done []span) {
	slices.SortFunc(done, func(a, b span) int { return cmp.Compare(a.From, b.From) })
	s.todo, s.done = nil, 0
	at := 0
	for _, d := range append(done, span{s.whole, s.whole}) {
		if at < d.From {
			s.todo = append(s.todo, span{at, d.From})
		}
		s.done += d.len()
		at = d.To
	}
}

// cut is the next slice, with the name of its job.
func (s *slicer) cut() (id string, slice span, ok bool) {
	if len(s.todo) == 0 {
		return "", span{}, false
	}
	slice = s.todo[0]
	if most := slice.From + s.pace.size(); most < slice.To {
		slice.To = most
		s.todo[0].From = most
	} else {
		s.todo = s.todo[1:]
	}
	s.given++
	id = fmt.Sprintf("%s-%d", s.name, s.given)
	s.out[id] = slice
	return id, slice, true
}

// back returns a slice that was not done.
func (s *slicer) back(id string) {
	s.todo = append([]span{s.out[id]}, s.todo...)
	delete(s.out, id)
}

// finish marks a slice as done.
func (s *slicer) finish(id string, seconds float64) {
	n := s.out[id].len()
	delete(s.out, id)
	s.done += n
	s.pace.took(n, seconds)
}

// undo marks a slice that was done as still to do.
func (s *slicer) undo(slice span) {
	s.todo = append([]span{slice}, s.todo...)
	s.done -= slice.len()
}

func (s *slicer) over() bool { return len(s.todo) == 0 && len(s.out) == 0 }

// pace chooses how many things go into a job, so that it takes about half a second.
type pace struct {
	least, most int
	each        float64 // seconds for one
}

func (p *pace) took(things int, seconds float64) {
	if things == 0 {
		return
	}
	now := seconds / float64(things)
	if p.each == 0 {
		p.each = now
	}
	p.each = 0.7*p.each + 0.3*now
}

func (p *pace) size() int {
	if p.each == 0 {
		return p.least
	}
	const target = 0.5
	return min(max(int(target/p.each), p.least), p.most)
}

// sliceJob asks for a slice of one or several files.
type sliceJob struct {
	span
	Needs []object `json:"needs"`
}

// sharing is a task in slices. They are done in any order, and their results, of type R, are
// in the store until all are done.
//
// A worker may lie. The master does the first slice of every worker again, and those of the
// sample. A liar is banned, and all its slices go to others.
type sharing[R any] struct {
	m     *master
	kind  kind
	name  string // unlike that of any other task of this search
	needs []supply
	layer string // for people, if there are several
	// add takes the result of a slice, a first or a corrected one. It reports whether no more
	// slices are needed.
	add func(s span, result R) (enough bool, err error)
	// again does a slice, or a part of it, without a worker. It returns why the result is
	// false, or "", and the right result where it has one.
	again func(s span, result R) (why string, right *R, err error)
	// suspect reports whether a result must be checked.
	suspect func(s span, result R) bool
	// banned is called when a worker has lied, if it is set. An error ends the task.
	banned func(worker string) error

	enough   bool
	supply   func() error // puts needs on the server once more
	authors  map[int]author
	checks   SliceChecks
	everyone map[string]bool // workers whose first slice was checked
	slicer
}

// author is a slice and its worker.
type author struct {
	span
	worker string
}

// SliceChecks counts the slices of an answer and those that the master has checked.
type SliceChecks struct {
	Slices  int      `json:"slices"`
	Again   int      `json:"checked_again"` // of them, by the master itself
	Workers []string `json:"workers"`       // who did the others
	Banned  []string `json:"banned,omitempty"`
}

// keptSlice is a slice in the store.
type keptSlice[R any] struct {
	span
	Worker string `json:"worker"`
	Result R      `json:"result"`
}

// share does a number of things in slices.
func (t *sharing[R]) share(ctx context.Context, things int, p pace) error {
	t.slicer = newSlicer(t.m.nonce+"-"+t.name, things, p)
	t.authors, t.everyone = map[int]author{}, map[string]bool{}
	if err := t.restore(); err != nil {
		return err
	}
	t.supply = func() error { return t.hand(ctx) }
	if err := t.supply(); err != nil {
		return err
	}
	if err := t.m.run(ctx, t); err != nil {
		return err
	}
	t.checks.Slices, t.checks.Banned = len(t.authors), t.m.about.Banned
	workers := map[string]bool{}
	for _, a := range t.authors {
		workers[a.worker] = true
	}
	delete(workers, byMaster)
	t.checks.Workers = slices.Sorted(maps.Keys(workers))
	return t.m.store.clear(t.m.account(), answerBucket)
}

// byMaster is the worker of slices that the master had to do itself. No worker can have
// this name.
const byMaster = "(master)"

// restore reads the slices of an earlier run from the store.
func (t *sharing[R]) restore() error {
	var done []span
	err := each(t.m.store, answerBucket, func(key string, k keptSlice[R]) error {
		if !strings.HasPrefix(key, t.name+"-") {
			return nil
		}
		if k.From < 0 || k.To < k.From || k.To > t.whole {
			return fmt.Errorf("the store is damaged at %s: a slice is from %d to %d of %d", key, k.From, k.To, t.whole)
		}
		done = append(done, k.span)
		t.authors[k.From] = author{k.span, k.Worker}
		enough, err := t.add(k.span, k.Result)
		t.enough = t.enough || enough
		return err
	})
	t.slicer.without(done)
	return err
}

// hand puts the files that workers need on the server, or their missing parts.
func (t *sharing[R]) hand(ctx context.Context) error {
	for _, n := range t.needs {
		if err := t.m.hub.put(ctx, t.m.search, n, func() { t.m.publishStatus(t, false) }); err != nil {
			return err
		}
	}
	return nil
}

func (t *sharing[R]) ahead() int { return 1 }

func (t *sharing[R]) done() bool { return t.enough || t.over() }

func (t *sharing[R]) next() (job, bool) {
	id, slice, ok := t.cut()
	if !ok {
		return job{}, false
	}
	j := job{ID: id, Kind: t.kind, Slice: &sliceJob{span: slice}}
	for _, n := range t.needs {
		j.Slice.Needs = append(j.Slice.Needs, n.object)
	}
	return j, true
}

func (t *sharing[R]) news(r result) bool {
	_, ok := t.out[r.ID]
	return ok && r.Kind == t.kind
}

func (t *sharing[R]) take(r result) ([]string, error) {
	slice, ok := t.out[r.ID]
	switch {
	case !ok || r.Kind != t.kind:
		return nil, nonsense("a result of kind %s for job %s", r.Kind, r.ID)
	case r.Missing:
		t.back(r.ID)
		return nil, t.supply()
	case len(r.Slice) == 0: // cancelled
		t.back(r.ID)
		return nil, nil
	}
	k := keptSlice[R]{span: slice, Worker: r.Worker}
	if err := json.Unmarshal(r.Slice, &k.Result); err != nil {
		return nil, nonsense("%v", err)
	}
	why, right, err := t.check(k)
	if err != nil {
		return nil, err
	}
	if why != "" {
		if err := t.takeBack(r.Worker, why); err != nil {
			return nil, err
		}
		if right == nil {
			t.back(r.ID)
			return nil, nil
		}
	}
	if right != nil {
		k.Worker, k.Result = byMaster, *right
	}
	enough, err := t.add(slice, k.Result)
	if err == nil {
		err = t.m.store.put(t.m.account(), answerBucket, t.key(slice), k)
	}
	if err != nil {
		return nil, err
	}
	t.authors[slice.From] = author{slice, k.Worker}
	t.enough = t.enough || enough
	t.finish(r.ID, r.Seconds)
	return nil, nil
}

func (t *sharing[R]) key(s span) string { return fmt.Sprintf("%s-%012d", t.name, s.From) }

// check does a slice again if it is the first of a worker, or suspect, or by chance.
func (t *sharing[R]) check(k keptSlice[R]) (why string, right *R, err error) {
	if t.everyone[k.Worker] && !t.m.examiner.sample.has(t.key(k.span)) && !t.suspect(k.span, k.Result) {
		return "", nil, nil
	}
	t.everyone[k.Worker] = true
	t.checks.Again++
	return t.again(k.span, k.Result)
}

// takeBack bans a worker and has all its slices done again.
func (t *sharing[R]) takeBack(worker, why string) error {
	t.m.ban(worker, why)
	var lost []span
	for from, a := range t.authors {
		if a.worker == worker {
			lost = append(lost, a.span)
			delete(t.authors, from)
		}
	}
	err := t.m.store.update(t.m.account(), func(tx *bbolt.Tx) error {
		for _, s := range lost {
			if err := tx.Bucket(answerBucket).Delete([]byte(t.key(s))); err != nil {
				return err
			}
		}
		return nil
	})
	for _, s := range lost {
		t.slicer.undo(s)
	}
	t.m.log.Warn("slices are done again", "worker", worker, "slices", len(lost))
	if err == nil && t.banned != nil {
		err = t.banned(worker)
	}
	return err
}

func (t *sharing[R]) report(s *Status) {
	s.Question, s.Phase, s.Layer = t.m.about.Question, string(t.kind), t.layer
	s.Part, s.Whole = uint64(t.slicer.done), uint64(t.whole)
}
