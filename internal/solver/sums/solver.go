// Package sums solves NoGo on small boards by taking positions apart into
// independent regions: boolean negamax over sums of regions in normal form, with
// bounds that add up, exact values of small regions, a table of thresholds that
// all threads share, and moves ordered by the room they leave and by how they
// have fared.
//
// docs/regions.md explains the ideas. The package parses no text and prints nothing.
package sums

import (
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Parts names what Options.Without can switch off. No part changes an answer.
var Parts = []string{"etc", "history", "mobility", "judge", "static", "exact", "split", "cancel", "tt"}

// Options of a solver. The zero value is usable.
type Options struct {
	Memory  int64 // at most this many bytes of table; 0 means one gibibyte
	Threads int   // 0 means one for each processor
	Without []string

	// Observer, if there is one, learns from the search, which must have one thread.
	Observer Observer
}

// Solver is a table and the workers that share it.
type Solver struct {
	size    board.Size
	layout  region.Layout
	table   *lockless.Table
	rules   rules
	exact   int
	workers []*worker
	stop    atomic.Bool
	lone    solver.Bench[*worker] // for WinningMove, each with a stop flag of its own
	extra   atomic.Uint64
	probes  atomic.Uint64
}

var _ solver.Solver = (*Solver)(nil)

// exactPoints is the size up to which regions are evaluated exactly.
const exactPoints = 3

// Takes reports whether boards of a size can be solved.
func Takes(size board.Size) bool { return size.Points() <= region.MaxPoints && size.Small() }

// New prepares a solver for one board size.
func New(size board.Size, o Options) (*Solver, error) {
	if !Takes(size) {
		return nil, fmt.Errorf("method sums takes boards of up to %d points and 64 padded cells, %s is larger", region.MaxPoints, size)
	}
	s := &Solver{
		size:   size,
		layout: region.NewLayout(size),
		rules:  rules{early: true, history: true, mobility: true, judge: true, bounds: true, split: true, cancel: true, table: true},
		exact:  exactPoints,
	}
	for _, name := range o.Without {
		if err := s.without(name); err != nil {
			return nil, err
		}
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	t, err := lockless.New(tableBytes(size.Points(), o.Memory))
	if err != nil {
		return nil, err
	}
	s.table = t
	if o.Threads <= 0 {
		o.Threads = runtime.NumCPU()
	}
	var m *solver.Marks
	if o.Threads > 1 {
		m = new(solver.Marks)
	}
	for range o.Threads {
		s.workers = append(s.workers, s.newWorker(m, &s.stop))
	}
	s.workers[0].observer = o.Observer
	return s, nil
}

// tableBytes is what a board is worth: the nodes of its solution grow by about
// 2.4 for every point, from half a million at twenty.
func tableBytes(points int, memory int64) int64 {
	const least = 16 << 20
	want := 32 * 0.6e6 * math.Pow(2.4, float64(points-20))
	return max(min(int64(min(want, 1<<50)), memory), min(least, memory))
}

func (s *Solver) without(name string) error {
	r := &s.rules
	flags := []*bool{&r.early, &r.history, &r.mobility, &r.judge, &r.bounds, nil, &r.split, &r.cancel, &r.table}
	switch i := slices.Index(Parts, name); {
	case i < 0:
		return fmt.Errorf("method sums has no part %q; it has %s", name, strings.Join(Parts, ", "))
	case name == "exact":
		s.exact = 0
	default:
		*flags[i] = false
	}
	return nil
}

func (s *Solver) newWorker(m *solver.Marks, stop *atomic.Bool) *worker {
	return &worker{
		grid: s.layout.Grid, points: s.size.Points(), table: s.table, marks: m, rules: s.rules, exact: s.exact,
		values: make(map[region.Key]value),
		stop:   stop, cut: noCut,
	}
}

// Close frees the table.
func (s *Solver) Close() error {
	s.table.Close()
	return nil
}

// Stats may be called while Solve runs.
func (s *Solver) Stats() solver.Stats {
	st := solver.Stats{
		Nodes:    s.extra.Load(),
		Stored:   s.table.Stored(),
		Capacity: s.table.Capacity(),
		Bytes:    s.table.Bytes(),
	}
	probes := s.probes.Load()
	for _, w := range s.workers {
		probes += w.AddTo(&st)
	}
	st.ErrorBound = float64(probes) * s.table.FalseMatch()
	return st
}

// savedEffort leaves out of a saved table what is found again in a few nodes.
const savedEffort = 4

// Save writes the table, but for what is quickly found again.
func (s *Solver) Save(w io.Writer) error { return s.table.Save(w, savedEffort) }

// Load reads what Save wrote.
func (s *Solver) Load(r io.Reader) error { return s.table.Load(r) }

// Solve answers a query with all threads.
func (s *Solver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	if q.Position.Size != s.size {
		return solver.Answer{}, fmt.Errorf("a solver for %s was asked about a %s board", s.size, q.Position.Size)
	}
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	run := func(q solver.Query) int { return s.run(ctx, q) }
	if q.Limited && s.rules.table {
		// Who loses the plain game cannot win it sooner, and what the table
		// learns of it cuts most of what follows.
		plain := q
		plain.Limited = false
		run(plain)
	}
	outcome := run(q)
	if outcome == unknown {
		return solver.Answer{}, solver.Interrupted(ctx)
	}
	if outcome == lost {
		return solver.Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
	}
	move, err := s.findMove(ctx, q, s.workers[0], run)
	return solver.Answer{Winner: q.ToPlay, Move: move}, err
}

// run searches a query with all workers.
func (s *Solver) run(ctx context.Context, q solver.Query) int {
	return solver.Race(ctx, &s.stop, len(s.workers), func(i int) int {
		defer s.workers[i].Publish()
		return s.workers[i].solve(s.layout, q)
	})
}

// solve searches a query alone.
func (w *worker) solve(l region.Layout, q solver.Query) int {
	w.load(l, q)
	f := &w.frames[0]
	if outcome := w.decided(f.sum, q.ToPlay); outcome != unknown {
		return outcome
	}
	if outcome := w.probe(f.key, f.n, q.ToPlay); outcome != unknown {
		return outcome
	}
	defer w.flush()
	return w.search(0)
}

// load makes a query the root.
func (w *worker) load(l region.Layout, q solver.Query) {
	w.rules.limited, w.attacker, w.cut = q.Limited, q.Attacker, noCut
	r := region.Of(w.grid, l.Stones(q.Position))
	root := &w.root
	w.fresh.used = 0
	root.count, root.free, root.allow = 0, [2]int{}, allowance(q)
	w.place(&r, root, &w.fresh)
	w.frames[0].sum = root
	root.total()
	w.frames[0].last, w.frames[0].reply = 0, 0
	if root.points == w.points {
		w.frames[0].reply = l.Bit(opening(q.Position.Size))
	}
	w.enter(0, q.ToPlay)
}

// allowance is how many moves the defender may make: the attacker makes the last.
// No game is longer than the board has points.
func allowance(q solver.Query) int {
	plies := min(q.Plies, region.MaxPoints)
	if q.ToPlay == q.Attacker {
		return (plies+1)/2 - 1
	}
	return plies / 2
}

// findMove finds a move that wins a position known to be won: one that bounds
// or table show, or else by searching the position again.
func (s *Solver) findMove(ctx context.Context, q solver.Query, w *worker, run func(solver.Query) int) (board.Point, error) {
	var open []board.Point
	for p := range q.Position.Legal(q.ToPlay).Points() {
		next := q.After(p)
		w.load(s.layout, next)
		f := &w.frames[0]
		outcome := w.decided(f.sum, next.ToPlay)
		if outcome == unknown {
			outcome = w.probe(f.key, f.n, next.ToPlay)
		}
		switch outcome {
		case lost:
			return p, nil
		case unknown:
			open = append(open, p)
		}
	}
	if p, ok := s.searchMove(q, w); ok {
		return p, nil
	}
	// A free move wins, which has no point of its own, or the search was stopped.
	for _, p := range open {
		switch run(q.After(p)) {
		case lost:
			return p, nil
		case unknown:
			return board.NoPoint, solver.Interrupted(ctx)
		}
	}
	return board.NoPoint, fmt.Errorf("no winning move found in %s, which was solved as won: please report this", q.Position)
}

// searchMove searches a position whether or not the table knows its outcome, for the
// sake of the move.
func (s *Solver) searchMove(q solver.Query, w *worker) (board.Point, bool) {
	w.load(s.layout, q)
	defer w.flush()
	if w.search(0) != won {
		return board.NoPoint, false
	}
	for p := range q.Position.Legal(q.ToPlay).Points() {
		if s.layout.Bit(p) == w.frames[0].reply {
			return p, true
		}
	}
	return board.NoPoint, false
}

// WinningMove finds a winning move of c, who is known to win. Any number of
// goroutines may call it at a time, but not while Solve runs.
func (s *Solver) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	w, ok := s.lone.Take()
	if !ok {
		w = s.newWorker(nil, new(atomic.Bool))
	}
	defer s.lone.Put(w)
	w.stop.Store(false)
	defer solver.Watch(ctx, w.stop)()
	before, probes := w.Nodes, w.Probes
	move, err := s.findMove(ctx, solver.Query{Position: p, ToPlay: c}, w, func(q solver.Query) int { return w.solve(s.layout, q) })
	s.extra.Add(w.Nodes - before)
	s.probes.Add(w.Probes - probes)
	return move, err
}
