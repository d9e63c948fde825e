// Package sums solves NoGo on small boards by taking positions apart into independent
// regions. It is boolean negamax over sums of regions in normal form, with bounds that
// add up, exact values of small regions, and a table of thresholds that all threads
// share. Moves are ordered by the room they leave and by their past results.
//
// docs/regions.md explains the ideas. The package parses no text and prints nothing.
package sums

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"

	"tengen/board"
	"tengen/internal/movenet"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver"
	"tengen/nogo"
)

// switches are the parts of the search that can be switched off. No part changes an
// answer.
type switches struct {
	early, history, mobility, learned, policy, bounds, exact, small, split, cancel, table bool
}

func (s *switches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "etc", On: &s.early},       // enhanced transposition cutoff: all moves are looked up before one is searched
		{Name: "history", On: &s.history}, // the history heuristic and killer moves
		{Name: "mobility", On: &s.mobility},
		{Name: "judge", On: &s.learned}, // the learned ordering
		{Name: "policy", On: &s.policy}, // the network that orders moves of large positions
		{Name: "static", On: &s.bounds},
		{Name: "exact", On: &s.exact},
		{Name: "small", On: &s.small}, // positions of at most eight points are played out in machine words
		{Name: "split", On: &s.split},
		{Name: "cancel", On: &s.cancel},
		{Name: "tt", On: &s.table},
	}
}

// Parts names the features that Options.Without can switch off.
func Parts() []string { return solver.Names(new(switches).features()) }

// Options of a solver. The zero value is usable.
type Options struct {
	Memory  int64 // at most this many bytes of table; 0 means one gibibyte
	Threads int   // 0 means one for each processor
	Without []string
	// Many says that questions about several positions share the table. The table is
	// then made larger.
	Many bool
	// Points, if not 0, is the number of playable points in the positions that will be
	// asked about. A table that is too large is slow at first: every page of it is
	// cleared on first use.
	Points int
	// Profile counts positions by their open points.
	Profile bool

	// Observer, if set, receives examples from the search, which must have one thread.
	Observer Observer
	// Recorder, if set, receives examples for the policy network. The search must have
	// one thread.
	Recorder Recorder
	// Net is the policy network, if not the one in the program.
	Net *movenet.Net
}

// Solver answers questions about boards of one size.
type Solver struct {
	solver.Team[*worker]
	size    board.Size
	layout  region.Layout
	layouts map[board.Size]region.Layout // of the boards of sums
	on      switches
	exports exports
	net     *movenet.Net

	profiled bool
}

var (
	_ solver.Shared      = (*Solver)(nil)
	_ solver.Inspectable = (*Solver)(nil)
)

// exactPoints is the size up to which regions are evaluated exactly.
const exactPoints = 3

// Takes reports whether boards of a size can be solved.
func Takes(size board.Size) bool { return size.Points() <= region.MaxPoints && size.Small() }

// New prepares a solver for one board size.
func New(size board.Size, o Options) (*Solver, error) {
	if !Takes(size) {
		return nil, fmt.Errorf("method sums takes boards of up to %d points and 64 padded cells, %s is larger", region.MaxPoints, size)
	}
	s := &Solver{size: size, layout: region.NewLayout(size), net: o.Net, profiled: o.Profile}
	if err := solver.Switch("method sums", s.on.features(), o.Without); err != nil {
		return nil, err
	}
	s.Kept = 4
	s.SetExport(0)
	if err := s.Open(tableBytes(cmp.Or(o.Points, size.Points()), o.Many, cmp.Or(o.Memory, solver.DefaultMemory)), o.Threads, s.newWorker); err != nil {
		return nil, err
	}
	s.Workers[0].observer = o.Observer
	if o.Recorder != nil {
		s.Workers[0].recorder = o.Recorder
		s.Workers[0].policy = s.newPolicy()
	}
	return s, nil
}

// tableBytes is the size of the table for a number of points. The nodes of a solution
// grow by a factor of about 2.4 per point, from half a million at twenty. All moves of
// a board take four times the nodes of one solution.
func tableBytes(points int, many bool, memory int64) int64 {
	want := 32 * 0.6e6 * math.Pow(2.4, float64(points-20))
	if many {
		want *= 4
	}
	return solver.TableBytes(want, 16<<20, memory)
}

// NewSum prepares a solver for sums of boards of these sizes. Wins answers its
// questions.
func NewSum(sizes []board.Size, o Options) (*Solver, error) {
	layouts, grid, ok := region.Together(sizes)
	if !ok {
		return nil, fmt.Errorf("method sums takes sums of boards of up to %d points each that fit 64 padded cells when they lie on each other, %v do not", region.MaxPoints, sizes)
	}
	s := &Solver{layouts: layouts, layout: region.Layout{Grid: grid}}
	if err := solver.Switch("method sums", s.on.features(), o.Without); err != nil {
		return nil, err
	}
	s.Kept = 4
	s.SetExport(0)
	points := 0
	for _, size := range sizes {
		points += size.Points()
	}
	return s, s.Open(tableBytes(points, o.Many, cmp.Or(o.Memory, solver.DefaultMemory)), o.Threads, s.newWorker)
}

// Wins reports whether c, to move, wins the sum of positions and free moves, those of
// Black positive.
func (s *Solver) Wins(ctx context.Context, positions []nogo.Position, free int, c board.Colour) (bool, error) {
	regions := make([]region.Region, len(positions))
	points := 0
	for i, p := range positions {
		l := s.layouts[p.Size]
		regions[i] = region.Of(l.Grid, l.Stones(p))
		points += bits.OnesCount64(regions[i].Points())
	}
	// A side with more free moves than there are points wins anyway.
	free = max(min(free, points+1), -points-1)
	if points+max(free, -free) > region.MaxPoints {
		return false, fmt.Errorf("method sums takes sums with up to %d points open and free moves, this one has %d", region.MaxPoints, points+max(free, -free))
	}
	defer s.Begin(ctx)()
	outcome := s.Run(ctx, func(w *worker) solver.Outcome { return w.solveSum(regions, free, c) })
	if outcome == unknown {
		return false, solver.Interrupted(ctx)
	}
	return outcome == won, nil
}

// solveSum searches a sum with one worker.
func (w *worker) solveSum(regions []region.Region, free int, c board.Colour) solver.Outcome {
	w.Limited = false
	w.fresh.Used = 0
	w.root.Clear()
	for i := range regions {
		w.Place(&regions[i], &w.root, &w.fresh)
	}
	w.root.Free[board.Black] += free
	w.root.Finish()
	f := &w.frames[0]
	f.sum, f.last, f.killer = &w.root, 0, 0
	w.enter(0, c)
	if outcome := w.decided(&w.root, c); outcome != unknown {
		return outcome
	}
	if outcome := w.probe(w.At(0), c); outcome != unknown {
		return outcome
	}
	defer w.flush()
	return w.search(0)
}

func (s *Solver) newWorker() (*worker, error) {
	w := &worker{on: s.on, points: s.size.Points(), exports: &s.exports}
	if s.profiled {
		w.profile = new(profile)
	}
	if s.on.policy && s.size.Points() >= policyBoard && movenet.Knows(s.size) {
		w.policy = s.newPolicy()
	}
	w.Searcher.Forget = !s.on.table
	w.Builder = s.newBuilder(w)
	return w, nil
}

func (s *Solver) newBuilder(w *worker) sum.Builder {
	o := sum.Options{Bounds: s.on.bounds, Split: s.on.split, Cancel: s.on.cancel}
	if s.on.exact {
		o.Exact = exactPoints
	}
	return sum.NewBuilder(s.layout.Grid, o, &w.Nodes)
}

// Forget empties the table and the workers' experience. Afterwards the solver searches
// as a new one does; only the counts go on. Only Stats may be called meanwhile.
func (s *Solver) Forget() {
	s.Clear()
	for _, w := range s.Workers {
		w.Builder = s.newBuilder(w)
		clear(w.history[:])
		clear(w.counter[:])
		for i := range w.frames {
			w.frames[i].killer = 0
		}
	}
}

// Solve answers a query with all threads.
func (s *Solver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	if err := s.check(q); err != nil {
		return solver.Answer{}, err
	}
	defer s.Begin(ctx)()
	return solver.AnswerFor(ctx, q, s.outcome(ctx, q), func() (board.Point, error) {
		run := func(q solver.Query) solver.Outcome { return s.run(ctx, q) }
		return s.finder(s.Workers[0], run).Find(ctx, q)
	})
}

func (s *Solver) check(q solver.Query) error {
	if q.Position.Size != s.size {
		return fmt.Errorf("a solver for %s was asked about a %s board", s.size, q.Position.Size)
	}
	return nil
}

// outcome searches a query with all threads.
func (s *Solver) outcome(ctx context.Context, q solver.Query) solver.Outcome {
	if q.Limited && s.on.table {
		// A side that loses the plain game cannot win it within a limit. The table
		// entries of the plain search also cut most of the limited search.
		plain := q
		plain.Limited = false
		s.run(ctx, plain)
	}
	return s.run(ctx, q)
}

func (s *Solver) run(ctx context.Context, q solver.Query) solver.Outcome {
	return s.Run(ctx, func(w *worker) solver.Outcome { return w.solve(s.layout, q) })
}

// solve searches a query with one worker.
func (w *worker) solve(l region.Layout, q solver.Query) solver.Outcome {
	if outcome := w.glance(l, q); outcome != unknown {
		return outcome
	}
	defer w.flush()
	return w.search(0)
}

// glance sets a query as the root and returns its outcome if no search is needed.
func (w *worker) glance(l region.Layout, q solver.Query) solver.Outcome {
	w.load(l, q)
	if outcome := w.decided(&w.root, q.ToPlay); outcome != unknown {
		return outcome
	}
	return w.probe(w.At(0), q.ToPlay)
}

// load sets a query as the root.
func (w *worker) load(l region.Layout, q solver.Query) {
	w.Limited, w.Attacker = q.Limited, q.Attacker
	stones := l.Stones(q.Position)
	if w.policy != nil {
		w.policy.stones = stones
	}
	r := region.Of(w.Grid, stones)
	w.fresh.Used = 0
	w.root.Clear()
	w.root.Allow = allowance(q)
	w.Place(&r, &w.root, &w.fresh)
	w.root.Finish()
	f := &w.frames[0]
	f.sum, f.last, f.killer = &w.root, 0, 0
	if w.root.Points == w.points {
		f.killer = l.Bit(opening(q.Position.Size))
	}
	w.enter(0, q.ToPlay)
}

// allowance is the number of moves that the defender may make: the attacker makes the
// last move. No game is longer than the number of points.
func allowance(q solver.Query) int {
	plies := min(q.Plies, region.MaxPoints)
	if q.ToPlay == q.Attacker {
		return (plies+1)/2 - 1
	}
	return plies / 2
}

// finder looks for winning moves with a worker. It searches the rest by run.
func (s *Solver) finder(w *worker, run func(solver.Query) solver.Outcome) solver.Finder {
	return solver.Finder{
		Glance: func(q solver.Query) solver.Outcome { return w.glance(s.layout, q) },
		Again:  func(q solver.Query) (board.Point, bool) { return s.searchMove(q, w) },
		Search: run,
	}
}

// searchMove searches a position for its winning move, even if the table knows its
// outcome.
func (s *Solver) searchMove(q solver.Query, w *worker) (board.Point, bool) {
	w.load(s.layout, q)
	defer w.flush()
	if w.search(0) != won {
		return board.NoPoint, false
	}
	for p := range q.Position.Legal(q.ToPlay).Points() {
		if s.layout.Bit(p) == w.frames[0].killer {
			return p, true
		}
	}
	return board.NoPoint, false
}

// WinningMove finds a winning move of c, who is known to win. Any number of
// goroutines may call it at a time, but not while Solve runs.
func (s *Solver) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	return s.Alone(ctx, func(w *worker) (board.Point, error) {
		run := func(q solver.Query) solver.Outcome { return w.solve(s.layout, q) }
		return s.finder(w, run).Find(ctx, solver.Query{Position: p, ToPlay: c})
	})
}

// Settled returns the moves that the bounds and the table decide. It may be called
// while Solve runs.
func (s *Solver) Settled(q solver.Query) (won, lost board.Set) {
	if q.Position.Size != s.size {
		return won, lost
	}
	return s.Look(q, func(w *worker, q solver.Query) solver.Outcome { return w.glance(s.layout, q) })
}

// Path is the line that the first worker is searching.
func (s *Solver) Path() []board.Point {
	var path []board.Point
	for _, bit := range s.Workers[0].Trail() {
		for _, p := range s.size.All() {
			if s.layout.Bit(p) == bit {
				path = append(path, p)
			}
		}
	}
	return path
}
