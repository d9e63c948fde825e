package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"tengen/solver"
	"tengen/solver/superko"
)

// SuperkoParts lists what can be switched off, and on, in the search under superko.
func SuperkoParts() []string { return superko.Parts }

// superkoRun is one question under superko under way.
type superkoRun struct {
	request  GoRequest
	solver   *superko.Solver
	question superko.Question
	start    time.Time
	bounds   superko.Answer
	result   *GoResult
}

func (request GoRequest) solveBySearch(ctx context.Context, result *GoResult) error {
	if request.Endless != EndlessDrawn {
		return errors.New("under superko no game is endless: leave out what one would count")
	}
	plan, err := Request{Memory: request.Memory, Threads: request.Threads}.plan()
	if err != nil {
		return err
	}
	s, err := superko.New(request.Position.Size, superko.Options{
		Rules: request.Rules, Memory: plan.Memory, Threads: plan.Threads, With: request.With, Without: request.Without,
	})
	if err != nil {
		return err
	}
	if request.Started != nil {
		request.Started(plan)
	}
	r := superkoRun{
		request: request, solver: s, start: time.Now(), result: result,
		question: superko.Question{Start: request.Position, Moves: request.Moves},
	}
	halt := r.background()
	err = r.search(ctx)
	r.finish()
	if err == nil {
		result.Line, err = s.Variation(ctx, r.question)
	}
	halt()
	return r.stopped(err)
}

// search finds the score and, if they are asked for, those of the moves.
func (r *superkoRun) search(ctx context.Context) (err error) {
	if r.bounds, err = r.solver.Solve(ctx, r.question); err != nil {
		return err
	}
	r.result.Known, r.result.Score, r.result.Conjectural = true, r.bounds.Low, r.bounds.Conjectural
	if !r.request.EachMove {
		return nil
	}
	moves, err := r.solver.Moves(ctx, r.question)
	r.result.Moves = []GoMove{}
	for _, m := range moves {
		r.result.Moves = append(r.result.Moves, GoMove{m.Point, GoValue{Score: m.Score}})
	}
	byScore(r.result.Moves, r.result.Position.ToPlay)
	return err
}

// finish notes the costs of the search proper, before the line adds its own.
func (r *superkoRun) finish() {
	stats := r.solver.Stats()
	r.result.Nodes, r.result.Memory, r.result.Elapsed = stats.Nodes, stats.Bytes, time.Since(r.start)
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
	stats := r.solver.Stats()
	return progressOf(solver.Stats{Nodes: stats.Nodes, Stored: stats.Stored, Bytes: stats.Bytes}, r.start)
}

// stopped wraps an error that means "no answer yet", and passes others on.
func (r *superkoRun) stopped(err error) error {
	if err == nil || !isStop(err) {
		return err
	}
	known := fmt.Sprintf("the score is not known after %d positions, it lies between %d and %d", r.result.Nodes, r.bounds.Low, r.bounds.High)
	if r.result.Known {
		known = fmt.Sprintf("the score is %d, but not all that was asked for is known", r.result.Score)
	}
	return &Stopped{Cause: err, Known: known}
}
