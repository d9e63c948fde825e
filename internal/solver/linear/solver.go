// Package linear solves NoGo on a single row, and sums of such rows: boolean
// negamax over sums of strips, in which short strips are replaced by their
// values in canonical form, values are added where that stays small, and long
// strips are bounded by integers.
//
// It is what the method sums does on boards of one row. docs/linear.md explains
// the ideas. The package parses no text and prints nothing.
package linear

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/internal/strip"
	"tengen/nogo"
)

// Parts names what Options.Without can switch off. No part changes an answer.
//
//	etc       looking every move up in the table before any is searched
//	mobility  trying moves first that leave the opponent little room
//	pitm      without mobility: trying the middle of the longest strip first
//	seg       values in the place of short strips
//	static    bounds, by counting and out of the database
//	cancel    dropping a strip together with its inverse
//	tt        the table
var Parts = []string{"etc", "mobility", "pitm", "seg", "static", "cancel", "tt"}

// MaxPoints is the longest row the solver takes.
const MaxPoints = 62

// Options of a solver. The zero value is usable.
type Options struct {
	Points   int   // of the longest game to be asked about, for the size of the table; 0 means MaxPoints
	Memory   int64 // at most this many bytes; 0 means one gibibyte
	Threads  int   // 0 means one for each processor
	Without  []string
	Database *strip.DB // nil to go without
	Profile  bool      // count what the search meets
}

// Solver is a table and the workers that share it.
type Solver struct {
	table    *lockless.Table
	rules    rules
	database *strip.DB
	points   int
	memory   int64 // of the values of one worker
	profiled bool
	workers  []*worker
	stop     atomic.Bool
	lone     solver.Bench[*worker] // for WinningMove, each with a stop flag of its own
	extra    atomic.Uint64
	probes   atomic.Uint64
}

var _ solver.Solver = (*Solver)(nil)

// New prepares a solver.
func New(o Options) (*Solver, error) {
	if o.Points == 0 {
		o.Points = MaxPoints
	}
	if o.Points > MaxPoints {
		return nil, fmt.Errorf("rows of up to %d points can be solved, %d are too many", MaxPoints, o.Points)
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.Threads <= 0 {
		o.Threads = runtime.NumCPU()
	}
	s := &Solver{
		rules:    rules{early: true, mobility: true, middle: true, values: true, static: true, cancel: true, table: true},
		database: o.Database,
		profiled: o.Profile,
		points:   o.Points,
		memory:   min(o.Memory/4/int64(o.Threads), 1<<29),
	}
	for _, name := range o.Without {
		if err := s.without(name); err != nil {
			return nil, err
		}
	}
	t, err := lockless.New(tableBytes(o.Points, o.Memory-s.memory*int64(o.Threads)))
	if err != nil {
		return nil, err
	}
	s.table = t
	if err := s.hire(o.Threads); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// tableBytes is what a row is worth: the nodes grow by about 1.7 for every point,
// from some ten thousand at 24.
func tableBytes(points int, memory int64) int64 {
	const least = 4 << 20
	want := 25e4 * math.Pow(1.7, float64(points-24))
	return max(min(int64(min(want, 1<<50)), memory), min(least, memory))
}

func (s *Solver) without(name string) error {
	r := &s.rules
	flags := []*bool{&r.early, &r.mobility, &r.middle, &r.values, &r.static, &r.cancel, &r.table}
	i := slices.Index(Parts, name)
	if i < 0 {
		return fmt.Errorf("the search on rows has no part %q; it has %s", name, strings.Join(Parts, ", "))
	}
	*flags[i] = false
	return nil
}

// hire makes the workers.
func (s *Solver) hire(threads int) error {
	var m *solver.Marks
	if threads > 1 {
		m = new(solver.Marks)
	}
	for range threads {
		w, err := s.newWorker(m, &s.stop)
		if err != nil {
			return err
		}
		s.workers = append(s.workers, w)
	}
	return nil
}

func (s *Solver) newWorker(m *solver.Marks, stop *atomic.Bool) (*worker, error) {
	v, err := newValues(s.database, s.points, s.memory, s.rules.static)
	if err != nil {
		return nil, err
	}
	w := &worker{
		table: s.table, marks: m, rules: s.rules, values: v,
		cache: make([]cached, cacheSize), stop: stop, cut: noCut,
	}
	if s.profiled {
		w.profile = new(Profile)
	}
	return w, nil
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

// Profile is what the searches have met so far, not while one runs.
func (s *Solver) Profile() Profile {
	var p Profile
	for _, w := range s.workers {
		if w.profile != nil {
			p.add(w.profile)
		}
	}
	return p
}

// savedEffort leaves out of a saved table what is found again in a few nodes.
const savedEffort = 3

// Save writes the table, but for what is quickly found again.
func (s *Solver) Save(w io.Writer) error { return s.table.Save(w, savedEffort) }

// Load reads what Save wrote.
func (s *Solver) Load(r io.Reader) error { return s.table.Load(r) }

var errLimited = errors.New("the search on rows knows no limit on the moves")

// Solve answers a query about a board of one row or column with all threads.
func (s *Solver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	if q.Limited {
		return solver.Answer{}, errLimited
	}
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	run := func(sum []strip.Strip, c board.Colour) int { return s.run(ctx, sum, c) }
	sum, err := stripsOf(q.Position)
	if err != nil {
		return solver.Answer{}, err
	}
	switch run(sum, q.ToPlay) {
	case unknown:
		return solver.Answer{}, solver.Interrupted(ctx)
	case lost:
		return solver.Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
	}
	move, err := s.findMove(ctx, q, s.workers[0], run)
	return solver.Answer{Winner: q.ToPlay, Move: move}, err
}

// Wins reports whether c, to move, wins a sum of strips.
func (s *Solver) Wins(ctx context.Context, sum []strip.Strip, c board.Colour) (bool, error) {
	points := 0
	for _, part := range sum {
		points += part.Points()
	}
	if points > MaxPoints {
		return false, fmt.Errorf("sums of up to %d empty points can be solved, %d are too many", MaxPoints, points)
	}
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	outcome := s.run(ctx, sum, c)
	if outcome == unknown {
		return false, solver.Interrupted(ctx)
	}
	return outcome == won, nil
}

// run searches a sum with all workers.
func (s *Solver) run(ctx context.Context, sum []strip.Strip, c board.Colour) int {
	return solver.Race(ctx, &s.stop, len(s.workers), func(i int) int {
		defer s.workers[i].Publish()
		return s.workers[i].solve(sum, c)
	})
}

// stripsOf takes a board of one row, or of one column, apart.
func stripsOf(p nogo.Position) ([]strip.Strip, error) {
	if min(p.Size.Rows, p.Size.Cols) != 1 || p.Size.Points() > MaxPoints {
		return nil, fmt.Errorf("the search on rows takes boards from 1x1 to 1x%d, not %s", MaxPoints, p.Size)
	}
	return strip.Reduce(strings.ReplaceAll(p.String(), "/", ""))
}

// solve searches a sum alone.
func (w *worker) solve(sum []strip.Strip, c board.Colour) int {
	if outcome := w.glance(sum, c); outcome != unknown {
		return outcome
	}
	return w.search(0)
}

// glance makes a sum the root and tells its outcome if no search is needed.
func (w *worker) glance(sum []strip.Strip, c board.Colour) int {
	w.cut = noCut
	f := w.at(0)
	f.sum.clear()
	for _, part := range sum {
		w.placeStrip(part, &f.sum)
	}
	f.sum.total()
	f.enter(c)
	if outcome := f.sum.decided(c); outcome != unknown {
		return outcome
	}
	return w.probe(f.key, f.n)
}

// findMove finds a move that wins a position known to be won: one that bounds
// or table show, or else by searching.
func (s *Solver) findMove(ctx context.Context, q solver.Query, w *worker, run func([]strip.Strip, board.Colour) int) (board.Point, error) {
	type candidate struct {
		point board.Point
		sum   []strip.Strip
	}
	var open []candidate
	o := q.ToPlay.Opponent()
	for p := range q.Position.Legal(q.ToPlay).Points() {
		sum, err := stripsOf(q.After(p).Position)
		if err != nil {
			return board.NoPoint, err
		}
		switch w.glance(sum, o) {
		case lost:
			return p, nil
		case unknown:
			open = append(open, candidate{p, sum})
		}
	}
	for _, c := range open {
		switch run(c.sum, o) {
		case lost:
			return c.point, nil
		case unknown:
			return board.NoPoint, solver.Interrupted(ctx)
		}
	}
	return board.NoPoint, fmt.Errorf("no winning move found in %s, which was solved as won: please report this", q.Position)
}

// WinningMove finds a winning move of c, who is known to win. Any number of
// goroutines may call it at a time, but not while Solve runs.
func (s *Solver) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	w, ok := s.lone.Take()
	if !ok {
		var err error
		if w, err = s.newWorker(nil, new(atomic.Bool)); err != nil {
			return board.NoPoint, err
		}
	}
	defer s.lone.Put(w)
	w.stop.Store(false)
	defer solver.Watch(ctx, w.stop)()
	before, probes := w.Nodes, w.Probes
	move, err := s.findMove(ctx, solver.Query{Position: p, ToPlay: c}, w, w.solve)
	s.extra.Add(w.Nodes - before)
	s.probes.Add(w.Probes - probes)
	return move, err
}
