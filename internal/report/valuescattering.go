package report

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/nogo"
)

func valueScatteringExperiment() Experiment {
	return Experiment{
		Name:   "value-scattering",
		Shows:  "NoGo: the first moves of the value player, by the scattering rule",
		Source: valuePaper + ", section IV.A",
		Points: Range{Least: 25, Most: 81, Usual: 81, Paper: 81},
		run:    filled("First moves by the scattering rule on 9×9", valueScattering),
	}
}

func valueScattering(ctx context.Context, s *session, r *Report) error {
	size := board.Size{Rows: 9, Cols: 9}
	var rule trials
	for seed := range uint64(8) {
		if err := s.begin(ctx, fmt.Sprintf("seed %d", seed)); err != nil {
			return err
		}
		mover, err := play.New(ctx, play.Options{Kind: play.Value, Size: size, Seed: seed + 1, Limits: job.Limits{Memory: 16 << 20}})
		if err != nil {
			return err
		}
		p, toPlay := nogo.NewPosition(size), board.Black
		for n := 0; ; n++ {
			farthest := scatteredPoints(p, toPlay)
			if farthest == nil {
				break // some V is above 0
			}
			choice, err := mover.Move(ctx, p, toPlay, play.Budget{Playouts: 1})
			if err != nil {
				break
			}
			name := size.Name(choice.Move)
			if n == 0 {
				r.fact(fmt.Sprintf("seed %d: first move", seed+1), name, "E5")
			} else {
				rule.try(farthest[choice.Move], name+" in "+p.String())
			}
			p, _ = p.Play(toPlay, choice.Move)
			toPlay = toPlay.Opponent()
		}
		_ = mover.Close()
	}
	r.claim("while all V are 0, a point farthest from the nearest stone", rule.checked, rule.failed, "")
	return nil
}

// scatteredPoints are the legal points farthest from the nearest stone, by the distance of
// equation 5. It is nil where some V is above 0, and all points on the empty board.
func scatteredPoints(p nogo.Position, c board.Colour) map[board.Point]bool {
	stones := p.Stones[0].Union(p.Stones[1])
	far, best := 0, map[board.Point]bool{}
	for q, v := range play.ValueMap(p, c) {
		if v > 0 {
			return nil
		}
		nearest := p.Size.Rows + p.Size.Cols
		for t := range stones.Points() {
			rows, cols := p.Size.Row(q)-p.Size.Row(t), p.Size.Col(q)-p.Size.Col(t)
			nearest = min(nearest, max(rows, -rows)+max(cols, -cols))
		}
		if nearest > far {
			far, best = nearest, map[board.Point]bool{}
		}
		if nearest == far {
			best[q] = true
		}
	}
	return best
}
