package report

import (
	"context"
	"fmt"

	"tengen/internal/strip"
	"tengen/internal/text"
)

func linearSimplestExperiment() Experiment {
	return Experiment{
		Name:   "linear-simplest",
		Shows:  "NoGo: simplest equal games of strips by points",
		Source: linearPaper + ", sections 5.2 and 5.3",
		Points: Range{Least: 3, Most: 13, Usual: publishedPoints, Paper: publishedPoints, Beyond: 13},
		run:    filled("Strips and their simplest equal games", linearSimplest),
	}
}

func linearSimplest(ctx context.Context, s *session, r *Report) error {
	s.all = 1
	if err := s.begin(ctx, fmt.Sprintf("a database to %d points", s.Max)); err != nil {
		return err
	}
	db, err := strip.Make(ctx, strip.Options{Max: s.Max, Simplest: s.Max, Threads: s.Threads, Memory: s.Memory})
	if err != nil {
		if ctx.Err() != nil {
			err = stoppedAt(ctx, s.step)
		}
		return err
	}
	defer db.Close()
	s.done = 1
	values, own := map[uint32]bool{}, 0
	for points := 1; points <= s.Max; points++ {
		before := len(values)
		for code := range strip.Count(points) {
			x, err := strip.At(points, code)
			if err != nil {
				return err
			}
			if value, ok := db.Value(x); ok {
				values[value] = true
			}
			if simplest, ok := db.Simplest(x); ok && simplest == x {
				own++
			}
		}
		r.news(fmt.Sprintf("%s: values that no shorter strip has, of %s strips", text.Plural(points, "point"), show(strip.Count(points))), len(values)-before)
	}
	var one trials
	one.try(own == len(values), fmt.Sprintf("%d strips for %d values", own, len(values)))
	r.claim(fmt.Sprintf("each of the %s values to %d points has one strip that is its own simplest equal", show(len(values)), s.Max), one.checked, one.failed, "")
	frequent, err := db.MostFrequent(ctx, min(s.Max, publishedPoints), 1)
	if err != nil {
		return err
	}
	for _, f := range frequent {
		if s.Max >= publishedPoints {
			r.fact("the simplest strip of the most frequent value to 8 points", f.Simplest, publishedValues[0].simplest)
		}
	}
	r.Notes = []string{fmt.Sprintf("The paper has simplest equals of all strips to %d points, and to 13 from among 18 games. `linear-values` has its table 1.", publishedPoints)}
	return nil
}
