package job

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/internal/solver"
)

// Stopped is the error of work that ended before its answer. The result that is returned with
// it has what is known.
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
		fmt.Fprintf(&b, "; it can be resumed from %s", s.Checkpoint)
	}
	if s.Advice != "" {
		b.WriteString("; " + s.Advice)
	}
	return b.String()
}

func (s *Stopped) Unwrap() error { return s.Cause }
