package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/nogo"
)

// session runs the searches of one experiment.
type session struct {
	Options
	experiment string
	step       string // the search under way, or the last one
	done, all  int    // steps
	database   string // what the searches on single rows use
	warnings   []string
}

// search is one question and what the answer cost.
type search struct {
	winner    board.Colour
	moves     []engine.MoveResult
	positions uint64
	elapsed   time.Duration
	profile   *engine.Profile
	over      bool // given up after positions, which is then the limit
}

// unlimited lets a search run as long as it takes.
const unlimited = 0

// solve answers one question. A search over the limit is given up. It counts as
// given up even if it ended before that was noticed, so that reports repeat.
func (s *session) solve(ctx context.Context, step string, request engine.Request, limit uint64) (search, error) {
	s.step = step
	// An easy question is answered before the engine looks at the context.
	if ctx.Err() != nil {
		return search{}, &engine.Stopped{Cause: ctx.Err(), Known: step + " was not searched"}
	}
	request.Strips, request.Threads, request.Memory = s.Strips, s.Threads, s.Memory
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	var over atomic.Bool
	request.Progress = func(p engine.Progress) {
		switch {
		case p.Phase == engine.PhaseLine:
			cancel() // no report shows a principal variation
		case limit != unlimited && p.Nodes > limit:
			over.Store(true)
			cancel()
		}
		s.tell(p)
	}
	result, err := engine.Solve(inner, request)
	s.done++
	s.warn(result.Warnings)
	if limit != unlimited && result.Nodes > limit || over.Load() && ctx.Err() == nil {
		return search{over: true, positions: limit, elapsed: result.Elapsed}, nil
	}
	if err != nil {
		return search{}, err
	}
	return search{
		winner: result.Winner, moves: result.Moves, positions: result.Nodes,
		elapsed: result.Elapsed, profile: result.Profile,
	}, nil
}

func (s *session) tell(p engine.Progress) {
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
func afterSecond(points int) engine.Request {
	size := board.Size{Rows: 1, Cols: points}
	return engine.Request{Position: nogo.NewPosition(size), Moves: []board.Point{size.At(0, 1)}}
}

// describeStrips notes which database the searches on single rows use: their
// counts depend on it.
func (s *session) describeStrips(ctx context.Context) error {
	if s.Strips == "" {
		s.database = "none"
		return nil
	}
	strips, err := s.openStrips(ctx)
	switch {
	case err != nil && s.Strips == engine.CachedStrips && ctx.Err() == nil:
		s.database = "none" // the searches do without, and warn
		return nil
	case err != nil:
		return err
	}
	defer strips.Close()
	info := strips.Info()
	s.database = fmt.Sprintf("bounds of strips with up to %d points, values of those with up to %d", info.Max, info.Simplest)
	return nil
}

func (s *session) openStrips(ctx context.Context) (*engine.Strips, error) {
	path := s.Strips
	switch path {
	case "":
		return nil, errors.New("a database of strips is needed here: name a file, or leave the choice to the program")
	case engine.CachedStrips:
		path = ""
	}
	strips, err := engine.OpenStrips(ctx, path)
	if err != nil && ctx.Err() != nil {
		return nil, &engine.Stopped{Cause: ctx.Err(), Known: "the database of strips is not open"}
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
