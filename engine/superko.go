package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/solver"
	"tengen/internal/solver/superko"
	"tengen/internal/text"
)

// SuperkoPart is a piece of the search under superko that can be switched off and on.
type SuperkoPart struct {
	Name  string
	Does  string
	Usual bool // on unless it is switched off
	part  superko.Part
}

// Speaks reports whether the part can have an effect on a board.
func (p SuperkoPart) Speaks(size board.Size) bool { return p.part.Speaks(size) }

// SuperkoParts lists what can be switched off, and on, in the search under superko.
func SuperkoParts() []SuperkoPart {
	var parts []SuperkoPart
	for _, p := range superko.Parts() {
		parts = append(parts, SuperkoPart{p.Name, p.Does, p.Usual, p})
	}
	return parts
}

// Names that stand for several parts to switch on, as far as they speak of the board.
const (
	SuperkoTheorems = superko.AllTheorems // every part that is not usual, but for the conjecture
	SuperkoAll      = superko.AllParts    // every part that is not usual
)

// SuperkoGroups lists these names.
func SuperkoGroups() []string { return []string{SuperkoTheorems, SuperkoAll} }

// superkoRun is one question under superko under way.
type superkoRun struct {
	request  GoRequest
	plan     Plan
	question superko.Question
	solver   atomic.Pointer[superko.Solver] // nil while the boards are listed
	start    time.Time
	result   *GoResult

	decided, classes atomic.Int64 // of the moves; no classes before they are searched
}

func (request GoRequest) solveBySearch(ctx context.Context, result *GoResult) error {
	r := superkoRun{request: request, result: result, question: superko.Question{Start: request.Position, Moves: request.Moves}}
	options, err := r.prepare()
	if err != nil {
		return err
	}
	if request.Started != nil {
		request.Started(r.plan)
	}
	r.start = time.Now()
	halt := r.background()
	defer halt()
	s, err := superko.New(ctx, request.Position.Size, options)
	if err != nil {
		result.Elapsed = time.Since(r.start)
		return r.stopped(err)
	}
	r.solver.Store(s)
	err = r.search(ctx)
	r.finish()
	if err == nil {
		err = r.line(ctx)
	}
	return r.stopped(err)
}

// prepare checks everything that can be checked before work begins.
func (r *superkoRun) prepare() (superko.Options, error) {
	request := r.request
	if request.Endless != EndlessDrawn {
		return superko.Options{}, errors.New("under superko no game is endless: leave out what one would count")
	}
	var err error
	if r.plan.Limits, err = request.settle(); err != nil {
		return superko.Options{}, err
	}
	options := superko.Options{
		Rules: request.Rules, Memory: r.plan.Memory, Threads: r.plan.Threads, With: request.With, Without: request.Without,
	}
	footprint, err := options.Check(request.Position.Size)
	if small := (*superko.TooSmall)(nil); errors.As(err, &small) {
		err = fmt.Errorf("the %s boards of %s and what the threads need (%d) take %s before anything is remembered, and the limit is %s: give more memory or fewer threads",
			text.Thousands(small.Boards), small.Size, options.Threads, text.Bytes(small.Bytes), text.Bytes(small.Memory))
	}
	if err == nil {
		err = r.question.Check()
	}
	if err != nil {
		return options, err
	}
	r.plan.Boards, r.plan.Fixed = footprint.Boards, footprint.Bytes
	r.result.Warnings = options.Idle(request.Position.Size)
	points := request.Position.Size.Points()
	r.result.GoValue = GoValue{Open: true, Lo: -points, Hi: points}
	return options, nil
}

// search finds the score and, if they are asked for, those of the moves, each to the
// end, in the way of an analysis.
func (r *superkoRun) search(ctx context.Context) error {
	s := r.solver.Load()
	i, err := newInquiry(Question{Rules: game.Go{Rules: r.request.Rules}, Start: r.request.Position, Moves: r.request.Moves, Alone: !r.request.EachMove}, nil)
	if err != nil {
		return err
	}
	err = i.searchScores(ctx, s, untilDecided, func() {}, func(n int, a superko.Answer) {
		if n == whole {
			r.result.Depth = s.Stats().Depth
			if r.request.EachMove {
				r.classes.Store(int64(len(i.classes)))
			}
		}
		r.result.Conjectural = r.result.Conjectural || a.Exact() && a.Conjectural
		r.decided.Store(int64(i.decidedMoves()))
	})
	r.classes.Store(0)
	r.result.GoValue, r.result.Known = i.root.GoValue, i.root.Grade == GradeExact
	if r.request.EachMove {
		r.result.Moves = scoredMoves(i)
	}
	return err
}

// scoredMoves lists the moves, those that are solved first.
func scoredMoves(i *inquiry) []GoMove {
	solved, open := []GoMove{}, []GoMove{}
	for _, f := range i.each() {
		move := GoMove{f.Move, f.GoValue, i.position.Size}
		if move.Open {
			open = append(open, move)
		} else {
			solved = append(solved, move)
		}
	}
	byScore(solved, i.toPlay)
	return append(solved, open...)
}

// finish notes the costs of the search proper, before the line adds its own.
func (r *superkoRun) finish() {
	stats := r.solver.Load().Stats()
	r.result.Nodes, r.result.Elapsed = stats.Nodes, time.Since(r.start)
	r.result.Memory = r.plan.Fixed + stats.Bytes
	if stats.Sweeps > 0 {
		r.result.Full = true
		r.result.Warnings = append(r.result.Warnings, fmt.Sprintf("proofs had to be forgotten %s times, since %s of memory were full: with more it would be faster",
			text.Thousands(stats.Sweeps), text.Bytes(r.plan.Memory)))
	}
}

// line looks for a short line of best play, or for the one to follow.
func (r *superkoRun) line(ctx context.Context) error {
	request, s := r.request, r.solver.Load()
	if request.Line == LineNone || request.Line == LineUsual && slices.Contains(request.Without, "tt") {
		return nil
	}
	begun := time.Now()
	var err error
	if request.Follow != nil {
		r.result.Line, err = s.Follow(ctx, r.question, request.Follow)
	} else {
		r.result.Line, err = s.Short(ctx, r.question)
	}
	r.result.LineNodes, r.result.LineElapsed = s.Stats().Nodes-r.result.Nodes, time.Since(begun)
	if err != nil && isStop(err) && request.Line == LineUsual {
		r.result.Warnings = append(r.result.Warnings, "a line was not found before the search was stopped")
		return nil
	}
	return err
}

// background starts the reports on the way, and returns what ends them.
func (r *superkoRun) background() (halt func()) {
	done := make(chan struct{})
	var running sync.WaitGroup
	if r.request.Progress != nil {
		running.Go(func() { report(done, r.start, r.progress, r.request.Progress) })
	}
	return func() {
		close(done)
		running.Wait()
	}
}

func (r *superkoRun) progress() Progress {
	s := r.solver.Load()
	if s == nil {
		return Progress{Phase: PhaseBoards, Elapsed: time.Since(r.start)}
	}
	stats := s.Stats()
	p := progressOf(solver.Stats{
		Nodes: stats.Nodes, Stored: stats.Stored, Bytes: r.plan.Fixed + stats.Bytes, RootDone: int(r.decided.Load()), RootMoves: int(r.classes.Load()),
	}, r.start)
	p.Proven = &Proven{stats.Low, stats.High, stats.Asked, stats.ToPlay, stats.Depth, stats.Sweeps > 0}
	return p
}

// stopped wraps an error that means "no answer yet", and passes others on.
func (r *superkoRun) stopped(err error) error {
	if err == nil || !isStop(err) {
		return err
	}
	return &Stopped{Cause: err, Known: r.known()}
}

// known says in one clause how far the search came.
func (r *superkoRun) known() string {
	points := r.request.Position.Size.Points()
	switch s := r.solver.Load(); {
	case s == nil:
		return fmt.Sprintf("the %s boards of %s were not all listed yet", text.Thousands(r.plan.Boards), r.request.Position.Size)
	case !r.result.Known:
		after := fmt.Sprintf("after %s positions", text.Thousands(r.result.Nodes))
		if bounds := text.Bounds(r.result.Lo, r.result.Hi, points); bounds != "" {
			return fmt.Sprintf("the score is %s %s", bounds, after)
		}
		return "nothing is proven yet " + after
	case r.request.EachMove && slices.ContainsFunc(r.result.Moves, func(m GoMove) bool { return m.Open }):
		open := 0
		for _, m := range r.result.Moves {
			if m.Open {
				open++
			}
		}
		return fmt.Sprintf("%s, but %d of %d moves are not solved", text.Verdict(r.result.Score), open, len(r.result.Moves))
	}
	return text.Verdict(r.result.Score) + ", but there is no line yet"
}
