package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/weiqi"
)

func superkoIdentitiesExperiment() Experiment {
	return Experiment{
		Name:   "superko-identities",
		Shows:  "Go under superko: what is true of every empty board",
		Source: superkoPaper + ", theorems 1 and 3, corollary 1, conjecture 1 and figure 5",
		Points: Range{Least: 2, Most: 12, Usual: 9, Paper: 9, Beyond: 12},
		run:    filled("Empty boards under positional superko", superkoIdentities),
	}
}

func superkoIdentities(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max + 2
	var one, three, corollary, conjecture trials
	for points := 2; points <= s.Max; points++ {
		request := superkoRow(points)
		request.EachMove = true
		found, err := s.solveSuperko(ctx, row(points), request)
		if err != nil {
			return err
		}
		scores := map[board.Point]int{}
		for _, m := range found.moves {
			scores[m.Move] = m.Score
		}
		where := fmt.Sprintf("%s: %v", row(points), scores)
		one.try(found.score >= 0, where)
		three.try(scores[weiqi.Pass] == -found.score, where)
		corollary.try(scores[0] <= -scores[1], where)
		conjecture.try(scores[0] <= scores[1], where)
	}
	for _, size := range []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 2, Cols: 4}} {
		request := superkoRow(2)
		request.Position = weiqi.NewPosition(size)
		found, err := s.solveSuperko(ctx, size.String(), request)
		if err != nil {
			return err
		}
		one.try(found.score >= 0, size.String())
	}
	r.claim("theorem 1: the empty board is worth 0 or more", one.checked, one.failed, "")
	r.claim("theorem 3: a first pass turns the score round", three.checked, three.failed, "")
	r.claim("corollary 1: the end cell is worth no more than minus its neighbour", corollary.checked, corollary.failed, "")
	r.claim("conjecture 1 on the empty board: the end cell is no better than its neighbour", conjecture.checked, conjecture.failed, "")
	return nil
}
