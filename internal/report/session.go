package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/value"
	"tengen/nogo"
)

// session runs the searches of one experiment.
type session struct {
	Options
	experiment string
	step       string // the present search, or the last one
	done, all  int    // steps
	database   string // the database of strips that searches on single rows use, in words
	warnings   []string
}

// search is the answer to one question and its cost.
type search struct {
	winner    board.Colour
	moves     []solve.Move
	positions uint64
	elapsed   time.Duration
	profile   *solve.Profile
	over      bool // stopped; positions is the limit
}

// unlimited sets no limit.
const unlimited = 0

// solve answers one question. A search over the limit is stopped. A search that ends before
// the limit is noticed counts as stopped too, so that reports are the same in every run.
func (s *session) solve(ctx context.Context, step string, request solve.Request, limit uint64) (search, error) {
	s.step = step
	// The engine answers an easy question without checking the context, so it
	// is checked here.
	if ctx.Err() != nil {
		return search{}, &job.Stopped{Cause: ctx.Err(), Known: step + " was not searched"}
	}
	request.Strips, request.Threads, request.Memory = s.Strips, s.Threads, s.Memory
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var over atomic.Bool
	request.Progress = func(p solve.Progress) {
		switch {
		case p.Phase == job.PhaseLine:
			cancel() // no report shows a principal variation
		case limit != unlimited && p.Nodes > limit:
			over.Store(true)
			cancel()
		}
		s.report(p)
	}
	result, err := solve.NoGo(inner, request)
	s.done++
	s.warn(result.Warnings)
	if limit != unlimited && result.Nodes > limit || over.Load() && ctx.Err() == nil {
		return search{over: true, positions: limit, elapsed: result.Elapsed}, nil
	}
	if err != nil {
		return search{}, err
	}
	return search{
		winner: result.Winner.Colour(), moves: result.Moves, positions: result.Nodes,
		elapsed: result.Elapsed, profile: result.Profile,
	}, nil
}

func (s *session) report(p solve.Progress) {
	if s.Progress != nil {
		s.Progress(Progress{Experiment: s.experiment, Step: s.step, Done: s.done, All: s.all, Search: p})
	}
}

func (s *session) warn(warnings []string) {
	for _, w := range warnings {
		if !slices.Contains(s.warnings, w) {
			s.warnings = append(s.warnings, w)
		}
	}
}

// afterSecond asks about a row after Black has played its second point, the
// opening of the paper's experiments.
func afterSecond(points int) solve.Request {
	size := board.Size{Rows: 1, Cols: points}
	return solve.Request{Position: nogo.NewPosition(size), Moves: []board.Point{size.At(0, 1)}}
}

// describeStrips sets the text about the database that searches on single rows
// use. Their counts depend on it.
func (s *session) describeStrips(ctx context.Context) error {
	if s.Strips == "" {
		s.database = "none"
		return nil
	}
	strips, err := s.openStrips(ctx)
	switch {
	case err != nil && s.Strips == job.Cache && ctx.Err() == nil:
		s.database = "none" // the searches warn about it
		return nil
	case err != nil:
		return err
	}
	defer strips.Close()
	info := strips.Info()
	s.database = fmt.Sprintf("bounds of strips with up to %d points, values of those with up to %d", info.Max, info.Simplest)
	return nil
}

func (s *session) openStrips(ctx context.Context) (*value.Strips, error) {
	if s.Strips == "" {
		return nil, errors.New("a database of strips is needed here: name a file, or take the one in the cache")
	}
	strips, err := value.OpenStrips(ctx, s.Strips)
	if err != nil && ctx.Err() != nil {
		return nil, &job.Stopped{Cause: ctx.Err(), Known: "the database of strips is not open"}
	}
	return strips, err
}

// notes are the paragraphs that every report ends with.
func (s *session) notes() []string {
	var list []string
	if s.database != "" {
		list = append(list, fmt.Sprintf("Database of strips: %s.", s.database))
	}
	switch {
	case s.done == 0:
	case s.Threads == 1:
		list = append(list, "One thread: positions repeat exactly, times do not.")
	default:
		list = append(list, fmt.Sprintf("%d threads: positions and times differ from run to run.", s.Threads))
	}
	return append(list, s.warnings...)
}

// begin starts a step that asks the engine nothing.
func (s *session) begin(ctx context.Context, step string) error {
	if ctx.Err() != nil {
		return stoppedAt(ctx, step)
	}
	s.step = step
	s.report(solve.Progress{})
	return nil
}

// stoppedAt is the error of a step that the context has ended.
func stoppedAt(ctx context.Context, step string) error {
	return &job.Stopped{Cause: ctx.Err(), Known: step + " was not finished"}
}

// filled makes a report by comparisons alone.
func filled(title string, fill func(context.Context, *session, *Report) error) func(context.Context, *session) (Report, error) {
	return func(ctx context.Context, s *session) (Report, error) {
		r := Report{Title: title}
		err := fill(ctx, s, &r)
		if err != nil && len(r.Compared) == 0 {
			return Report{}, err
		}
		return r, err
	}
}
