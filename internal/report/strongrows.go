package report

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/internal/solver/retro"
	"tengen/weiqi"
)

func strongRowsExperiment() Experiment {
	return Experiment{
		Name:   "strong-rows",
		Shows:  "Go under basic ko: the strategy on rows, played out against every reply",
		Source: strongPaper + ", the strategy for 1×n and its results to 1×20",
		Points: Range{Least: firstStrategy, Most: 20, Usual: 12, Paper: 20},
		run:    filled("The strategy that draws on a row, against every reply", strongRows),
	}
}

// firstStrategy is the shortest row on which the strategy answers every first move.
const firstStrategy = 6

func strongRows(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max - firstStrategy + 1
	for points := firstStrategy; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		met, lost, err := followStrategy(ctx, points)
		if err != nil {
			return err
		}
		s.done++
		r.claim(fmt.Sprintf("on %s the strategy never loses", row(points)), met, lost, "")
		if len(lost) == 0 {
			r.fact(row(points)+": score", 0, strongRow(points))
		}
	}
	r.Notes = []string{"Cases are the positions with the strategy to move that any play of the opponent can lead to. A game without end is a draw. The second player draws by the strategy, and so does the first after a pass; so the score is 0."}
	return nil
}

// followStrategy walks through every game of the second player by the strategy. It counts
// its positions and lists those that it loses or has no move for.
func followStrategy(ctx context.Context, points int) (met int, lost []string, err error) {
	start := weiqi.NewPosition(board.Size{Rows: 1, Cols: points})
	seen := map[uint64]bool{rowKey(start): true}
	todo := []weiqi.Position{start}
	for len(todo) > 0 {
		if met%4096 == 0 && ctx.Err() != nil {
			return met, lost, stoppedAt(ctx, row(points))
		}
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, q := range slices.AppendSeq([]board.Point{weiqi.Pass}, weiqi.Rules{}.Legal(p).Points()) {
			next, err := weiqi.Rules{}.Play(p, q)
			if err != nil {
				continue
			}
			met++
			if next.Over() {
				if ahead(next, p.ToPlay) > 0 {
					lost = append(lost, next.String())
				}
				continue
			}
			move, ok := retro.StripMove(next)
			if !ok {
				lost = append(lost, next.String())
				continue
			}
			after, err := weiqi.Rules{}.Play(next, move)
			switch {
			case err != nil, after.Over() && ahead(after, p.ToPlay) > 0:
				lost = append(lost, next.String())
			case !after.Over() && !seen[rowKey(after)]:
				seen[rowKey(after)] = true
				todo = append(todo, after)
			}
		}
	}
	return met, lost, nil
}

// ahead is the area of a side less the opponent's.
func ahead(p weiqi.Position, side board.Colour) int {
	if side == board.White {
		return -p.Score()
	}
	return p.Score()
}

// rowKey is a position of a row with up to 20 points, in one word: a walk keeps all positions
// that it has met.
func rowKey(p weiqi.Position) uint64 {
	ko := uint64(31)
	if p.Ko != board.NoPoint {
		ko = uint64(p.Ko)
	}
	return p.Stones[board.Black][0] | p.Stones[board.White][0]<<20 | ko<<40 | uint64(p.Passes)<<45 | uint64(p.ToPlay)<<48
}
