package report

import (
	"context"
	"math/big"
)

func strongBitsExperiment() Experiment {
	return Experiment{
		Name:   "strong-bits",
		Shows:  "Go under basic ko: the bits of a state",
		Source: strongPaper + ", the table of the state encoding",
		Points: Range{Least: 25, Most: 25, Usual: 25, Paper: 25},
		run:    filled("The bits of a state of Go on 5×5", strongBits),
	}
}

func strongBits(ctx context.Context, s *session, r *Report) error {
	if err := s.begin(ctx, "the encoding"); err != nil {
		return err
	}
	points := int64(s.Max)
	whole := func(n int64) *big.Int { return big.NewInt(n) }
	for _, f := range []struct {
		feature   string
		values    *big.Int
		published int
	}{
		{"board position: 3 to the number of points", new(big.Int).Exp(whole(3), whole(points), nil), 40},
		{"ko and pass: points + 3", whole(points + 3), 5},
		{"turn, compressed: 1", whole(1), 0},
		{"degree: points + 1", whole(points + 1), 5},
		{"result: 4", whole(4), 2},
		{"score: twice the points + 2", whole(2*points + 2), 6},
	} {
		r.fact("bits for the "+f.feature, new(big.Int).Sub(f.values, whole(1)).BitLen(), f.published)
	}
	power := new(big.Int).Exp(whole(3), whole(20), nil)
	r.fact("possible states of 4×5", power.Mul(power, whole(21*3)), big.NewInt(publishedPossible))
	r.Notes = []string{"A table of ours keeps no state at all: the place of a board in an index stands for its code, one byte for each side has the value, and the pass and most bans of ko follow from the board. docs/retrograde.md has the memory of each board."}
	return nil
}
