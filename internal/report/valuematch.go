package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/play"
)

func valueMatchExperiment() Experiment {
	return Experiment{
		Name:   "value-match",
		Shows:  "NoGo: the value player against plain tree search",
		Source: valuePaper + ", table I",
		Points: Range{Least: 25, Most: 81, Usual: 81, Paper: 81},
		run: filled("The value player against `uct`", func(ctx context.Context, s *session, r *Report) error {
			share, err := s.valueMatch(ctx, r, play.UCT)
			if err == nil {
				why := "another opponent: OASE-NoGo is not to be had"
				r.explained("games won, against OASE-NoGo V1.1 there and `uct` here", share, "96.5 %", why)
				r.explained("games won, against its advanced edition there and `uct` here", share, "95 %", why)
				for i := range r.Compared {
					r.Compared[i].Cost = true // games are no fact of the rules
				}
			}
			return err
		}),
	}
}

func valueOursExperiment() Experiment {
	return Experiment{
		Name:   "value-ours",
		Shows:  "NoGo: the value player against our tree search",
		Source: valuePaper + ", which has no such match",
		Points: Range{Least: 25, Most: 81, Usual: 81, Paper: 81},
		run: filled("The value player against `mcts`", func(ctx context.Context, s *session, r *Report) error {
			share, err := s.valueMatch(ctx, r, play.MCTS)
			if err == nil {
				r.news("games won by the value player", share)
			}
			return err
		}),
	}
}

// valueMatch plays games of the value player against another with the same budget, after two
// moves that differ from game to game, with alternating colours. It returns the share won.
func (s *session) valueMatch(ctx context.Context, r *Report, against play.Kind) (string, error) {
	side := 9
	if s.Max < 81 {
		side = 5
	}
	size := board.Size{Rows: side, Cols: side}
	games := 6
	if s.Scale != "" && s.Scale != Quick {
		games = 200
	}
	s.all = games
	won := 0
	ours, theirs := contestant{play.Value, s.valueBudget()}, contestant{against, s.valueBudget()}
	for n := range games {
		if err := s.begin(ctx, fmt.Sprintf("game %d", n+1)); err != nil {
			return "", err
		}
		contestants, mine := [2]contestant{ours, theirs}, board.Black
		if n%2 == 1 {
			contestants, mine = [2]contestant{theirs, ours}, board.White
		}
		all := size.All()
		begin := []board.Point{all[(n/2*7)%len(all)], all[(n/2*11+len(all)/2)%len(all)]}
		g, err := s.playGame(ctx, size, begin, contestants, uint64(n)+1)
		if err != nil {
			return "", err
		}
		s.done++
		if g.winner == mine {
			won++
		}
	}
	budget := "2 seconds"
	if ours.budget.Time == 0 {
		budget = "300 playouts"
	}
	r.Notes = []string{fmt.Sprintf("%d games on %s with %s a move for both, the first two moves given and each begun twice, with the colours exchanged. The paper has 200 games from the empty board of 9×9.", games, size, budget)}
	r.news("games won, of those played", fmt.Sprintf("%d of %d", won, games))
	return fmt.Sprintf("%.4g %%", 100*float64(won)/float64(games)), nil
}
