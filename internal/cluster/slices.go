package cluster

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// span is a range of things that are counted through, the end excluded.
type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s span) len() int { return s.To - s.From }

// slicer cuts a range into slices that take about half a second each, and keeps account
// of them.
type slicer struct {
	name  string // that those of its jobs begin with
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

// without leaves out what is done already.
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

// back puts a slice that was not done to the others.
func (s *slicer) back(id string) {
	s.todo = append([]span{s.out[id]}, s.todo...)
	delete(s.out, id)
}

// finish strikes a slice off.
func (s *slicer) finish(id string, seconds float64) {
	n := s.out[id].len()
	delete(s.out, id)
	s.done += n
	s.pace.took(n, seconds)
}

func (s *slicer) over() bool { return len(s.todo) == 0 && len(s.out) == 0 }

// pace is how many things go into a job so that it takes about half a second.
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

// sliceJob asks for a slice of something that is made of objects.
type sliceJob struct {
	span
	Needs []object `json:"needs"`
}

// sharing is a task in slices that are done in any order and kept in the store until all
// are. R is what comes of a slice.
type sharing[R any] struct {
	m      *master
	kind   kind
	name   string // of the whole, unlike any other of this search
	needs  []supply
	layer  string // for people, if there are several
	add    func(s span, worker string, result R) (enough bool, err error)
	enough bool
	again  func() error // hands needs out once more
	slicer
}

// keptSlice is a slice in the store.
type keptSlice[R any] struct {
	span
	Worker string `json:"worker"`
	Result R      `json:"result"`
}

// share goes through so many things in slices.
func (t *sharing[R]) share(ctx context.Context, things int, p pace) error {
	t.slicer = newSlicer(t.m.nonce+"-"+t.name, things, p)
	if err := t.restore(); err != nil {
		return err
	}
	t.again = func() error { return t.hand(ctx) }
	if err := t.again(); err != nil {
		return err
	}
	if err := t.m.run(ctx, t); err != nil {
		return err
	}
	return t.m.store.clear(t.m.account(), answerBucket)
}

// restore takes in what an earlier run has kept.
func (t *sharing[R]) restore() error {
	var done []span
	err := each(t.m.store, answerBucket, func(key string, k keptSlice[R]) error {
		if !strings.HasPrefix(key, t.name+"-") {
			return nil
		}
		done = append(done, k.span)
		enough, err := t.add(k.span, k.Worker, k.Result)
		t.enough = t.enough || enough
		return err
	})
	t.slicer.without(done)
	return err
}

// hand gives workers what they need, or what is missing of it.
func (t *sharing[R]) hand(ctx context.Context) error {
	for _, n := range t.needs {
		if err := t.m.hub.put(ctx, t.m.search, n, func() { t.m.tell(t, false) }); err != nil {
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

func (t *sharing[R]) take(r result) ([]string, error) {
	slice, ok := t.out[r.ID]
	switch {
	case !ok || r.Kind != t.kind:
		return nil, nil
	case r.Missing:
		t.back(r.ID)
		return nil, t.again()
	case r.Failure != "":
		return nil, fmt.Errorf("worker %s cannot do a job: %s", r.Worker, r.Failure)
	case len(r.Slice) == 0: // dropped
		t.back(r.ID)
		return nil, nil
	}
	k := keptSlice[R]{span: slice, Worker: r.Worker}
	if err := json.Unmarshal(r.Slice, &k.Result); err != nil {
		return nil, fmt.Errorf("worker %s has sent what makes no sense: %w", r.Worker, err)
	}
	enough, err := t.add(slice, r.Worker, k.Result)
	if err == nil {
		err = t.m.store.put(t.m.account(), answerBucket, fmt.Sprintf("%s-%012d", t.name, slice.From), k)
	}
	if err != nil {
		return nil, err
	}
	t.enough = t.enough || enough
	t.finish(r.ID, r.Seconds)
	return nil, nil
}

func (t *sharing[R]) report(s *Status) {
	s.Question, s.Phase, s.Layer = t.m.about.Question, string(t.kind), t.layer
	s.Part, s.Whole = uint64(t.slicer.done), uint64(t.whole)
}
