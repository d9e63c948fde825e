package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

func rectanglesWithinExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-within",
		Shows:  "NoGo: the number of moves that a win takes",
		Source: rectanglePaper + ", section 4.2",
		Points: Range{Least: 4, Most: 25, Usual: 15, Paper: 25},
		run:    filled("How long Black's win takes", rectanglesWithin),
	}
}

// publishedWithin has the number of distinct openings of 5×5 that win within a number of moves.
var publishedWithin = []struct{ moves, openings int }{{19, 0}, {21, 6}}

func rectanglesWithin(ctx context.Context, s *session, r *Report) error {
	boards := sizes(min(s.Max, 15))
	s.all = len(boards) + 2
	for _, b := range boards {
		if winner, _ := publishedWinner(b.Size); winner != board.Black || b.Rows == 1 {
			s.done++
			continue
		}
		moves := 1
		for won := false; !won; moves += 2 {
			found, err := s.within(ctx, b, moves, false)
			if err != nil {
				return err
			}
			if won = found.winner == board.Black; won {
				break
			}
		}
		r.news(b.name()+": moves of the game that Black needs", moves)
	}
	if s.Max < 25 {
		return nil
	}
	five := rectangle{Size: board.Size{Rows: 5, Cols: 5}}
	for _, limit := range publishedWithin {
		found, err := s.within(ctx, five, limit.moves, true)
		if err != nil {
			return err
		}
		won := board.Set{}
		for _, m := range found.moves {
			if m.Winner == board.Black.Wins() {
				won.Add(m.Move)
			}
		}
		r.fact(fmt.Sprintf("5×5: distinct openings that win within %d moves", limit.moves), len(five.Orbits(won, five.Symmetries())), limit.openings)
	}
	return nil
}

// within asks whether Black wins a board in a number of moves.
func (s *session) within(ctx context.Context, b rectangle, moves int, each bool) (search, error) {
	return s.solve(ctx, fmt.Sprintf("%s within %d moves", b.name(), moves), solve.Request{
		Position: nogo.NewPosition(b.Size), Within: &solve.Within{Moves: moves, Attacker: board.Black}, EachMove: each,
	}, unlimited)
}
