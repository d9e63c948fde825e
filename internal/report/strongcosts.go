package report

import "context"

func strongCostsExperiment() Experiment {
	return Experiment{
		Name:   "strong-costs",
		Shows:  "Go under basic ko: sweeps, depth, time and size of the result file",
		Source: strongPaper + ", the tables of results and the slide on time and depth",
		Points: Range{Least: 4, Most: 22, Usual: 16, Paper: 21, Beyond: 22},
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
		built, err := s.openTable(ctx, b.Size)
		if err != nil {
			return err
		}
		longest, err := longestWin(ctx, built)
		built.close()
		if err != nil {
			return err
		}
		s.done++
		if cost := built.cost; cost.Sweeps > 0 {
			r.explained(b.name()+": depth of the search, and sweeps", cost.Sweeps, b.depth, "a sweep is not a ply")
			r.cost(b.name()+": time", milliseconds(cost.Elapsed), b.seconds, " s", "times depend on the machine and its load")
		}
		r.cost(b.name()+": bytes of the result file", float64(built.info.Bytes), float64(resultBytes(b)), "", "a file of frames has a directory")
		if longest > 0 {
			r.news(b.name()+": moves of the longest win", longest)
		}
	}
	r.Notes = []string{"A published file has five bits for each move of each state: the number of states times the points and the pass. Ours keeps one score for each board with a side to play and derives the moves. Tables to 12 points have distances, which take time and bytes of their own. The longest win counts passes; the winner hurries and the loser does not."}
	return nil
}

// longestWin is 0 for a table without distances.
func longestWin(ctx context.Context, built *builtTable) (int, error) {
	if !built.Header().Distance {
		return 0, nil
	}
	stats, err := built.Stats(ctx)
	return stats.Longest, err
}

// resultBytes is the size of the published result file: 5 bits for every move of a state.
func resultBytes(b strongBoard) int { return (5*b.states*(b.Points()+1) + 7) / 8 }
