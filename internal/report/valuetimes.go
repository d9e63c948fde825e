package report

import (
	"context"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/play"
)

func valueTimesExperiment() Experiment {
	return Experiment{
		Name:   "value-times",
		Shows:  "NoGo: answer times of the value player on 9×9",
		Source: valuePaper + ", section V.A",
		Points: Range{Least: 81, Most: 81, Usual: 81, Paper: 81},
		run:    filled("Answer times of the value player on 9×9", valueTimes),
	}
}

// valueBudget is what the value player may spend on a move: its own two seconds, or a share
// of them that keeps a quick run short.
func (s *session) valueBudget() play.Budget {
	if s.quick() {
		return play.Budget{Playouts: quickPlayouts}
	}
	return play.Budget{Time: 2 * time.Second}
}

func valueTimes(ctx context.Context, s *session, r *Report) error {
	if err := s.begin(ctx, "a game against itself"); err != nil {
		return err
	}
	player := contestant{kind: play.Value, budget: s.valueBudget()}
	g, err := s.playGame(ctx, board.Size{Rows: 9, Cols: 9}, nil, [2]contestant{player, player}, 1)
	if err != nil {
		return err
	}
	slices.Sort(g.times)
	r.news("median of all moves", seconds(g.times[len(g.times)/2]))
	if slowest := g.times[len(g.times)-1]; player.budget.Time == 0 {
		r.news("slowest move, with 300 playouts instead of 2 seconds", seconds(slowest))
	} else {
		r.cost("slowest move", milliseconds(slowest), 2, " s", "the search notices the end of its time a little late")
	}
	r.Notes = []string{"The paper says that every answer comes within 2 seconds. A quick run gives the comparison of equal values 300 playouts, so its times are not beside the paper's; at other scales it gets 2 seconds."}
	return nil
}
