package report

import (
	"context"
	"fmt"

	"tengen/engine/solve"
)

func superkoProlongedExperiment() Experiment {
	return Experiment{
		Name:   "superko-prolonged",
		Shows:  "Go under superko: long lines of best play on 1×8",
		Source: superkoPaper + ", the caption of figure 12",
		Points: Range{Least: hardestPoints, Most: hardestPoints, Usual: hardestPoints, Paper: hardestPoints},
		run:    filled("Lines on 1×8 in which the end is put off", superkoProlonged),
	}
}

func superkoProlonged(ctx context.Context, s *session, r *Report) error {
	s.all = len(publishedProlonged)
	for _, line := range publishedProlonged {
		request := superkoRow(hardestPoints, line[:2]...)
		request.Line, request.Follow = solve.LineWanted, cellPoints(line[2:])
		found, err := s.solveSuperko(ctx, fmt.Sprintf("the line of %d stones", len(line)), request)
		if err != nil {
			return err
		}
		r.fact("1×8 after 1 4: score", found.score, publishedHardest[2].score)
		r.fact(fmt.Sprintf("the line of %d stones", len(line)), bestPlay(found.line), "best play")
		if found.line != nil {
			r.news(fmt.Sprintf("the line of %d stones: passes in it", len(line)), len(found.line)+2-len(line))
		}
	}
	r.Notes = []string{superkoNote}
	return nil
}
