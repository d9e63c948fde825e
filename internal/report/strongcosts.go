package report

import (
	"context"

	"tengen/tablebase"
)

func strongCostsExperiment() Experiment {
	return Experiment{
		Name:   "strong-costs",
		Shows:  "Go under basic ko: sweeps, depth, time and size of the result file",
		Source: strongPaper + ", the tables of results and the slide on time and depth",
		Points: Range{Least: 4, Most: 22, Usual: 12, Paper: 21, Beyond: 22},
		run:    filled("What a strong solution of Go costs", strongCosts),
	}
}

func strongCosts(ctx context.Context, s *session, r *Report) error {
	boards := strongTo(s.Max)
	s.all = len(boards)
	for _, b := range boards {
		if err := s.begin(ctx, b.name()); err != nil {
			return err
		}
		built, err := s.buildTable(ctx, b.Size, tablebase.Drawn, true)
		if err != nil {
			return err
		}
		stats, err := built.Stats(ctx)
		built.close()
		if err != nil {
			return err
		}
		s.done++
		r.explained(b.name()+": depth of the search, and sweeps", built.cost.Sweeps, b.depth, "a sweep is not a ply")
		r.cost(b.name()+": time", milliseconds(built.cost.Elapsed), b.seconds, " s", "times depend on the machine and its load")
		r.cost(b.name()+": bytes of the result file", float64(built.info.Bytes), float64(resultBytes(b)), "", "a file of frames has a directory")
		r.news(b.name()+": moves of the longest win", stats.Longest)
	}
	r.Notes = []string{"A published file has five bits for each move of each state: the number of states times the points and the pass. Ours keeps one score for each board with a side to play and derives the moves. The longest win counts passes; the winner hurries and the loser does not."}
	return nil
}

// resultBytes is the size of the published result file: 5 bits for every move of a state.
func resultBytes(b strongBoard) int { return (5*b.states*(b.Points()+1) + 7) / 8 }
