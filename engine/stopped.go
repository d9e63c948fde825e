package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/text"
)

// Stopped is the error of a search that ended before its answer. The Result
// beside it holds what was known.
type Stopped struct {
	Cause      error  // of the context, or ErrMemory
	Known      string // what was found out, as a clause
	Checkpoint string // where the search can be resumed from; "" if nowhere
	Advice     string // what else could be done, as a clause; "" for nothing
}

// ErrMemory reports that a table is full and may not grow.
var ErrMemory = solver.ErrMemory

func (s *Stopped) Error() string {
	var b strings.Builder
	switch {
	case errors.Is(s.Cause, context.DeadlineExceeded):
		b.WriteString("the time is up")
	case errors.Is(s.Cause, context.Canceled):
		b.WriteString("interrupted")
	case errors.Is(s.Cause, solver.ErrMemory):
		b.WriteString(solver.ErrMemory.Error())
	default:
		b.WriteString(s.Cause.Error())
	}
	b.WriteString("; " + s.Known)
	if s.Checkpoint != "" {
		fmt.Fprintf(&b, "; the same command resumes from %s", s.Checkpoint)
	}
	if s.Advice != "" {
		b.WriteString("; " + s.Advice)
	}
	return b.String()
}

func (s *Stopped) Unwrap() error { return s.Cause }

// stopped wraps an error that means "no answer yet", and passes others on.
func (r *run) stopped(err error) error {
	if !isStop(err) {
		return err
	}
	s := &Stopped{Cause: err, Known: r.known()}
	if r.saved {
		s.Checkpoint = r.request.Checkpoint
	}
	return s
}

// isStop reports whether an error means that a search ended before its answer.
func isStop(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) || errors.Is(err, solver.ErrMemory)
}

// known says in one clause how far the search came.
func (r *run) known() string {
	positions := fmt.Sprintf("%s positions", text.Thousands(r.result.Nodes))
	if r.result.Resumed {
		positions += fmt.Sprintf(", %s of them in this run", text.Thousands(r.result.RunNodes))
	}
	switch {
	case r.won && r.request.proves() && r.phase == PhaseProof:
		return fmt.Sprintf("%s wins, but the certificate is not written", r.result.Winner)
	case r.won && r.request.Why != nil && r.phase == PhaseWhy:
		return fmt.Sprintf("%s wins, but why %s loses or wins is not found out", r.result.Winner, r.query.Position.Size.Name(r.request.Why.Move))
	case r.won && r.classes > 0:
		return fmt.Sprintf("%s wins, and %d of %d distinct moves are decided", r.result.Winner, r.decided, r.classes)
	case r.classes > 0:
		return fmt.Sprintf("the winner is not known, %d of %d distinct moves are decided after %s", r.decided, r.classes, positions)
	}
	if r.plan.Method == Endgame {
		positions += fmt.Sprintf("; %d points can be played on, and up to about %d are solved within a minute", playable(r.query.Position), endgamePoints)
	}
	return "the winner is not known after " + positions + r.settledClause()
}

// settledClause says which moves are settled, if any are. As long as the winner is not
// known these are moves that lose.
func (r *run) settledClause() string {
	list, done, all := r.result.Settled, 0, 0
	var names []string
	for _, class := range player.Classes(r.query.Position, r.query.ToPlay) {
		all++
		if slices.ContainsFunc(list, func(m MoveResult) bool { return m.Move == class[0] }) {
			done++
			names = append(names, r.query.Position.Size.Name(class[0]))
		}
	}
	if done == 0 {
		return ""
	}
	verb := "lose"
	if done == 1 {
		verb = "loses"
	}
	return fmt.Sprintf("; of %d distinct moves %s %s", all, text.List(names), verb)
}
