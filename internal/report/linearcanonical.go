package report

import (
	"context"
	"fmt"
	"time"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/solve"
	"tengen/internal/strip"
	"tengen/nogo"
)

func linearCanonicalExperiment() Experiment {
	return Experiment{
		Name:   "linear-canonical",
		Shows:  "NoGo: canonical forms of empty rows, where CGSuite stopped at 1×16",
		Source: linearPaper + ", section 8.3",
		Points: Range{Least: 1, Most: 18, Usual: 13, Paper: 16, Beyond: 17},
		run:    filled("Canonical forms of empty rows", linearCanonical),
	}
}

const (
	publishedForm  = 16        // the longest row whose canonical form CGSuite has found
	publishedStops = 1_201_194 // of that form
)

func linearCanonical(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max + 1
	arena := cgt.New(cgt.Limits{Games: 64 << 20, Memory: max(s.Memory, 4<<30)})
	values := strip.NewValues(arena)
	defer context.AfterFunc(ctx, arena.Stop)()
	for points := 1; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		empty, err := strip.At(points, 0)
		if err != nil {
			return err
		}
		at := time.Now()
		form, err := values.Of(empty)
		if err != nil {
			if ctx.Err() != nil {
				err = stoppedAt(ctx, row(points))
			}
			return err
		}
		s.done++
		stops := arena.StopCount(form)
		if points == publishedForm {
			r.fact(row(points)+": stops of the canonical form", stops, publishedStops)
			r.news(row(points)+": time of the canonical form, several minutes in the paper", seconds(time.Since(at)))
		} else {
			r.news(row(points)+": stops of the canonical form", stops)
		}
	}
	size := board.Size{Rows: 1, Cols: publishedForm}
	request := solve.Request{Position: nogo.NewPosition(size), Progress: s.report}
	request.Threads, request.Memory = 1, s.Memory
	result, err := solve.NoGo(ctx, request)
	if err != nil {
		return err
	}
	r.fact(fmt.Sprintf("the winner of %s, from scratch", row(publishedForm)), result.Winner, board.Black.Wins())
	r.cost(row(publishedForm)+": milliseconds of the search, without a database", milliseconds(result.Elapsed)*1000, 30, "", "times depend on the machine and its load")
	r.Notes = []string{"Stops are the plays of a form up to the first number. CGSuite had no memory for 1×17."}
	return nil
}
