// Package linear solves NoGo on a single row, and sums of such rows. It is boolean
// negamax over sums of strips. Short strips are replaced by their values in
// canonical form, values are added where the sum stays small, and long strips are
// bounded by integers.
//
// Method sums uses it for boards of one row. docs/linear.md explains the ideas. The
// package parses no text and prints nothing.
package linear

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/strip"
	"tengen/nogo"
)

// switches are the parts of the search that can be switched off. No part changes an
// answer.
type switches struct {
	early, mobility, middle, values, static, cancel, table bool
}

func (s *switches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "etc", On: &s.early},         // looking every move up in the table before any is searched
		{Name: "mobility", On: &s.mobility}, // trying first the moves that leave the opponent little room
		{Name: "pitm", On: &s.middle},       // without mobility: trying the middle of the longest strip first
		{Name: "seg", On: &s.values},        // replacing short strips by their values
		{Name: "static", On: &s.static},     // bounds, by counting and from the database
		{Name: "cancel", On: &s.cancel},     // dropping a strip together with its inverse
		{Name: "tt", On: &s.table},          // the table
	}
}

// Parts names the features that Options.Without can switch off.
func Parts() []string { return solver.Names(new(switches).features()) }

// MaxPoints is the longest row the solver takes.
const MaxPoints = 62

// Options of a solver. The zero value is usable.
type Options struct {
	Points   int   // of the longest row that will be asked about, for the size of the table; 0 means MaxPoints
	Memory   int64 // at most this many bytes; 0 means one gibibyte
	Threads  int   // 0 means one for each processor
	Without  []string
	Database *strip.DB // nil to go without
	Profile  bool      // count what the search meets
}

// Solver answers questions about rows and sums of strips.
type Solver struct {
	solver.Team[*worker]
	on       switches
	database *strip.DB
	points   int
	memory   int64 // of the values of one worker
	profiled bool
}

var (
	_ solver.Solver      = (*Solver)(nil)
	_ solver.Inspectable = (*Solver)(nil)
)

// New prepares a solver.
func New(o Options) (*Solver, error) {
	if o.Points == 0 {
		o.Points = MaxPoints
	}
	if o.Points > MaxPoints {
		return nil, fmt.Errorf("rows of up to %d points can be solved, %d are too many", MaxPoints, o.Points)
	}
	memory, threads := cmp.Or(o.Memory, solver.DefaultMemory), solver.Threads(o.Threads)
	s := &Solver{
		database: o.Database,
		profiled: o.Profile,
		points:   o.Points,
		memory:   min(memory/4/int64(threads), 1<<29),
	}
	if err := solver.Switch("the search on rows", s.on.features(), o.Without); err != nil {
		return nil, err
	}
	s.Kept = 3
	if err := s.Open(tableBytes(o.Points, memory-s.memory*int64(threads)), threads, s.newWorker); err != nil {
		return nil, err
	}
	return s, nil
}

// tableBytes is the size of the table for a row. The nodes grow by a factor of
// about 1.7 per point, from some ten thousand at 24.
func tableBytes(points int, memory int64) int64 {
	return solver.TableBytes(25e4*math.Pow(1.7, float64(points-24)), 4<<20, memory)
}

func (s *Solver) newWorker() (*worker, error) {
	v, err := newValues(s.database, s.points, s.memory, s.on.static)
	if err != nil {
		return nil, err
	}
	w := &worker{on: s.on, values: v, cache: make([]cached, cacheSize)}
	w.Forget = !s.on.table
	if s.profiled {
		w.profile = new(Profile)
	}
	return w, nil
}

// Profile returns the counts of all searches so far. It must not be called while a
// search runs.
func (s *Solver) Profile() Profile {
	var p Profile
	for _, w := range s.Workers {
		if w.profile != nil {
			p.add(w.profile)
		}
	}
	return p
}

var errLimited = errors.New("the search on rows does not support a limit on the moves")

// Solve answers a query about a board of one row or column with all threads.
func (s *Solver) Solve(ctx context.Context, q solver.Query) (solver.Answer, error) {
	if q.Limited {
		return solver.Answer{}, errLimited
	}
	sum, err := stripsOf(q.Position)
	if err != nil {
		return solver.Answer{}, err
	}
	defer s.Begin(ctx)()
	return solver.AnswerFor(ctx, q, s.run(ctx, sum, 0, q.ToPlay), func() (board.Point, error) {
		run := func(sum []strip.Strip, free int, c board.Colour) solver.Outcome { return s.run(ctx, sum, free, c) }
		return finder(s.Workers[0], run).Find(ctx, q)
	})
}

// Wins reports whether c, to move, wins a sum of strips.
func (s *Solver) Wins(ctx context.Context, sum []strip.Strip, c board.Colour) (bool, error) {
	return s.WinsBeside(ctx, sum, 0, c)
}

// WinsBeside is Wins with free moves beside the strips, those of Black positive.
func (s *Solver) WinsBeside(ctx context.Context, sum []strip.Strip, free int, c board.Colour) (bool, error) {
	points := 0
	for _, part := range sum {
		points += part.Points()
	}
	if points > MaxPoints {
		return false, fmt.Errorf("sums of up to %d empty points can be solved, %d are too many", MaxPoints, points)
	}
	// A side with more free moves than there are points wins anyway.
	free = max(min(free, points+1), -points-1)
	defer s.Begin(ctx)()
	outcome := s.run(ctx, sum, free, c)
	if outcome == unknown {
		return false, solver.Interrupted(ctx)
	}
	return outcome == won, nil
}

// run searches a sum with all workers.
func (s *Solver) run(ctx context.Context, sum []strip.Strip, free int, c board.Colour) solver.Outcome {
	return s.Run(ctx, func(w *worker) solver.Outcome { return w.solve(sum, free, c) })
}

// stripsOf takes a board of one row, or of one column, apart.
func stripsOf(p nogo.Position) ([]strip.Strip, error) {
	if min(p.Size.Rows, p.Size.Cols) != 1 || p.Size.Points() > MaxPoints {
		return nil, fmt.Errorf("the search on rows takes boards from 1x1 to 1x%d, not %s", MaxPoints, p.Size)
	}
	return strip.Reduce(strings.ReplaceAll(p.String(), "/", ""))
}

// solve searches a sum with one worker.
func (w *worker) solve(sum []strip.Strip, free int, c board.Colour) solver.Outcome {
	if outcome := w.glance(sum, free, c); outcome != unknown {
		return outcome
	}
	return w.search(0)
}

// glance sets a sum as the root and returns its outcome if no search is needed.
func (w *worker) glance(sum []strip.Strip, free int, c board.Colour) solver.Outcome {
	f := w.frame(0)
	f.sum.clear()
	f.sum.free = free
	for _, part := range sum {
		w.placeStrip(part, &f.sum)
	}
	f.sum.total()
	w.enter(0, c)
	if outcome := f.sum.Decided(c); outcome != unknown {
		return outcome
	}
	return w.Probe(w.At(0))
}

// finder looks for winning moves with a worker. It searches the rest by run.
func finder(w *worker, run func([]strip.Strip, int, board.Colour) solver.Outcome) solver.Finder {
	ask := func(look func([]strip.Strip, int, board.Colour) solver.Outcome) func(solver.Query) solver.Outcome {
		return func(q solver.Query) solver.Outcome {
			sum, err := stripsOf(q.Position)
			if err != nil {
				return unknown // never after a legal move in a position that was taken apart
			}
			return look(sum, 0, q.ToPlay)
		}
	}
	return solver.Finder{Glance: ask(w.glance), Search: ask(run)}
}

// WinningMove finds a winning move of c, who is known to win. Any number of
// goroutines may call it at a time, but not while Solve runs.
func (s *Solver) WinningMove(ctx context.Context, p nogo.Position, c board.Colour) (board.Point, error) {
	if _, err := stripsOf(p); err != nil {
		return board.NoPoint, err
	}
	return s.Alone(ctx, func(w *worker) (board.Point, error) {
		return finder(w, w.solve).Find(ctx, solver.Query{Position: p, ToPlay: c})
	})
}

// Settled returns the moves that the bounds and the table decide. It may be called
// while Solve runs.
func (s *Solver) Settled(q solver.Query) (won, lost board.Set) {
	if _, err := stripsOf(q.Position); err != nil || q.Limited {
		return won, lost
	}
	return s.Look(q, func(w *worker, q solver.Query) solver.Outcome { return finder(w, nil).Glance(q) })
}

// Path is always empty: the search moves in strips, which do not know their place
// on the row.
func (s *Solver) Path() []board.Point { return nil }
