package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/strip"
	"tengen/nogo"
	"tengen/weiqi"
)

func linearTheoremsExperiment() Experiment {
	return Experiment{
		Name:   "linear-theorems",
		Shows:  "NoGo: blocks as single stones and the split between colours, on every row",
		Source: linearPaper + ", theorems 1 and 2",
		Points: Range{Least: 2, Most: 10, Usual: 8, Paper: 8, Beyond: 10},
		run:    filled("Rows and their reduced strips have the same value", linearTheorems),
	}
}

func linearTheorems(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max - 1
	arena := cgt.New(cgt.Limits{})
	played := playedValues{arena: arena, known: map[nogo.Position]cgt.Game{}}
	reduced := strip.NewValues(arena)
	for points := 2; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		var same trials
		err := everyRow(points, func(p weiqi.Position) error {
			if p.ToPlay == board.White {
				return nil // a row of NoGo has no side to play
			}
			text := p.String()
			mine, err := played.of(nogo.Position{Size: p.Size, Stones: p.Stones})
			if err != nil {
				return err
			}
			parts, err := strip.Reduce(text)
			if err != nil {
				return err
			}
			theirs, err := reduced.Sum(parts...)
			if err != nil {
				return err
			}
			same.try(mine == theirs, text)
			return ctx.Err()
		})
		if err != nil {
			if ctx.Err() != nil {
				err = stoppedAt(ctx, row(points))
			}
			return err
		}
		s.done++
		r.claim(fmt.Sprintf("theorems 1 and 2 on every legal row of %d points", points), same.checked, same.failed, "")
	}
	r.Notes = []string{"The value of a row is that of its canonical form by the rules of NoGo alone. The reduced strips are those after blocks have become single stones and stones of different colours have been split."}
	return nil
}

// playedValues finds values of positions by playing every move.
type playedValues struct {
	arena *cgt.Arena
	known map[nogo.Position]cgt.Game
}

func (v *playedValues) of(p nogo.Position) (cgt.Game, error) {
	if g, ok := v.known[p]; ok {
		return g, nil
	}
	var options [2][]cgt.Game
	for c := range options {
		for q := range p.Legal(board.Colour(c)).Points() {
			next, err := p.Play(board.Colour(c), q)
			if err != nil {
				return 0, err
			}
			g, err := v.of(next)
			if err != nil {
				return 0, err
			}
			options[c] = append(options[c], g)
		}
	}
	g, err := v.arena.Make(options[0], options[1])
	v.known[p] = g
	return g, err
}
