package value

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
)

// CompareRequest asks how two sums of games compare.
type CompareRequest struct {
	G, H Sum
	By   Method
	job.Limits
	Strips string // database for the search on rows

	Progress func(job.Progress)
}

// Order is how two games compare.
type Order string

// The orders. Unordered games are confused with each other: neither is at least the other.
const (
	Greater   Order = ">"
	Less      Order = "<"
	Equal     Order = "="
	Unordered Order = "||"
)

// Comparison is the answer. Unknown fields are empty.
type Comparison struct {
	Order      Order
	Difference Sum         // G − H
	Outcome    cgt.Outcome // of the difference, if the order is known

	// First has what follows if Black and if White moves first in the difference.
	First [2]SolveResult

	// The canonical forms of G and H, where the answer was found by them.
	G, H string

	By      Method
	Nodes   uint64 // positions searched, or canonical forms made
	Elapsed time.Duration
}

// orders are those of the outcomes of a difference.
var orders = map[cgt.Outcome]Order{cgt.L: Greater, cgt.R: Less, cgt.P: Equal, cgt.N: Unordered}

// fewPoints is the number of playable points up to which differences are compared by
// canonical forms without being asked: they take no time, and tell more.
const fewPoints = 12

// Compare answers a request: by canonical forms where the games are small or no boards, and
// otherwise by solving the difference with either side to move. Errors are as those of
// solve.NoGo; what was known when a search was stopped comes with *job.Stopped.
func Compare(ctx context.Context, request CompareRequest) (Comparison, error) {
	ctx, cancel := request.Limits.Context(ctx)
	defer cancel()
	start := time.Now()
	if len(request.G) == 0 || len(request.H) == 0 {
		return Comparison{}, errors.New("a comparison needs two games")
	}
	c := Comparison{Difference: request.G.Minus(request.H)}
	by := request.By
	if by == ByChoice && openPoints(c.Difference.Positions()) <= fewPoints {
		by = ByForms
	}
	err := c.find(ctx, request, by)
	if errors.Is(err, cgt.ErrLimit) && request.By == ByChoice {
		if err = c.find(ctx, request, BySums); err != nil && !isStopped(err) {
			err = fmt.Errorf("neither way leads to an answer: %w", err)
		}
	}
	c.Elapsed = time.Since(start)
	return c, err
}

func isStopped(err error) bool {
	var stopped *job.Stopped
	return errors.As(err, &stopped)
}

// find solves the difference with either side to move first.
func (c *Comparison) find(ctx context.Context, request CompareRequest, by Method) error {
	c.First = [2]SolveResult{}
	c.Nodes = 0
	for first := range board.Colour(2) {
		result, err := Solve(ctx, SolveRequest{
			Sum: c.Difference, ToPlay: first, EachMove: true, By: by,
			Limits: request.Limits, Strips: request.Strips, Progress: request.Progress,
		})
		if err != nil && !isStopped(err) {
			return err
		}
		c.First[first], c.By = result, result.By
		c.Nodes += result.Nodes
		c.conclude()
		if err != nil {
			return c.stopped(err)
		}
	}
	if c.By == ByForms {
		return c.addForms(request)
	}
	return nil
}

// conclude finds the order once both winners are known.
func (c *Comparison) conclude() {
	black, white := c.First[board.Black].Winner, c.First[board.White].Winner
	if black == board.NoWinner || white == board.NoWinner {
		return
	}
	c.Outcome = cgt.P
	if black.Is(board.Black) {
		c.Outcome |= cgt.L
	}
	if white.Is(board.White) {
		c.Outcome |= cgt.R
	}
	c.Order = orders[c.Outcome]
}

// stopped says what is left of the four orders.
func (c *Comparison) stopped(err error) error {
	known := "the order is not known"
	switch winner := c.First[board.Black].Winner; {
	case c.Order != "":
		known = fmt.Sprintf("G %s H, but not every move is decided", c.Order)
	case winner.Is(board.Black):
		known = fmt.Sprintf("moving first black wins the difference, so the order is %s or %s", Greater, Unordered)
	case winner.Is(board.White):
		known = fmt.Sprintf("moving first black loses the difference, so the order is %s or %s", Less, Equal)
	}
	var s *job.Stopped
	errors.As(err, &s)
	return &job.Stopped{Cause: s.Cause, Known: known}
}

// addForms spells the two games.
func (c *Comparison) addForms(request CompareRequest) error {
	limits, err := request.Limits.Settle()
	if err != nil {
		return err
	}
	v := newValuer(c.Difference, limits.Memory)
	for _, side := range []struct {
		sum  Sum
		text *string
	}{{request.G, &c.G}, {request.H, &c.H}} {
		g, err := v.ofSum(side.sum)
		if err != nil {
			return err
		}
		*side.text = v.arena.String(g)
	}
	return nil
}
