package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/boolean"
	"tengen/nogo"
)

func rectanglesSymmetryExperiment() Experiment {
	return Experiment{
		Name:   "rectangles-symmetry",
		Shows:  "NoGo: how often a move that makes 4×4 symmetric wins",
		Source: rectanglePaper + ", section 4.1",
		Points: Range{Least: 4, Most: 16, Usual: 16, Paper: 16},
		run:    filled("White moves that make the board symmetric", rectanglesSymmetry),
	}
}

func rectanglesSymmetry(ctx context.Context, s *session, r *Report) error {
	boards := []board.Size{{Rows: 2, Cols: 2}, {Rows: 2, Cols: 4}, {Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}}
	s.all = len(boards)
	for _, size := range boards {
		name := rectangle{Size: size}.name()
		if size.Points() > s.Max {
			continue
		}
		if err := s.begin(ctx, name); err != nil {
			return err
		}
		positions, wins, err := s.symmetricMoves(ctx, size)
		if err != nil {
			return err
		}
		s.done++
		share := fmt.Sprintf("%.1f %%", 100*float64(wins)/float64(max(1, positions)))
		if size.Points() < 16 {
			r.news(name+": positions, and share where the move wins", fmt.Sprintf("%s, %s", show(positions), share))
			continue
		}
		r.fact(name+": positions where a white move makes the board symmetric", positions, 24_708)
		r.fact(name+": share where the move wins", share, "85.3 %")
	}
	r.Notes = []string{"A board is symmetric here if a half turn maps it to itself with the colours exchanged. Positions are all legal ones with one black stone more, White to play, counted as they lie."}
	return nil
}

// symmetricMoves counts the positions in which a white move makes the board symmetric, and
// those where it wins. Taking any white stone off a symmetric board makes such a position.
func (s *session) symmetricMoves(ctx context.Context, size board.Size) (positions, wins int, err error) {
	search, err := boolean.New(size, boolean.Options{Memory: s.Memory})
	if err != nil {
		return 0, 0, err
	}
	defer search.Close()
	half := size.All()[:size.Points()/2]
	var fill func(i int, p nogo.Position) error
	fill = func(i int, p nogo.Position) error {
		if i < len(half) {
			for c := board.Black; c <= board.Empty; c++ {
				next := p
				if c != board.Empty {
					next.Stones[c].Add(half[i])
					next.Stones[c.Opponent()].Add(opposite(size, half[i]))
				}
				if err := fill(i+1, next); err != nil {
					return err
				}
			}
			return nil
		}
		if p.Validate() != nil {
			return nil
		}
		answer, err := search.Solve(ctx, solver.Query{Position: p, ToPlay: board.Black})
		if err != nil {
			return err
		}
		n := p.Stones[board.White].Len()
		if positions += n; answer.Winner == board.White {
			wins += n
		}
		return nil
	}
	if err = fill(0, nogo.NewPosition(size)); err != nil && ctx.Err() != nil {
		err = stoppedAt(ctx, rectangle{Size: size}.name())
	}
	return positions, wins, err
}
