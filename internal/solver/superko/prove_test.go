package superko_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

// Prove answers as Solve does, for every threshold, and its claims rest on earlier ones.
// proof/superko checks what they say.
func TestProve(t *testing.T) {
	for _, c := range []struct {
		size  board.Size
		moves []board.Point
	}{
		{board.Size{Rows: 1, Cols: 6}, nil},
		{board.Size{Rows: 6, Cols: 1}, []board.Point{0}},
		{board.Size{Rows: 2, Cols: 2}, []board.Point{0, weiqi.Pass}},
		{board.Size{Rows: 1, Cols: 5}, []board.Point{weiqi.Pass}},
		{board.Size{Rows: 1, Cols: 3}, []board.Point{weiqi.Pass, weiqi.Pass}},
	} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			q := superko.Question{Start: weiqi.NewPosition(c.size), Moves: c.moves}
			want := score(t, newSolver(t, c.size, superko.Options{Rules: rules}), q)
			s := newSolver(t, c.size, superko.Options{Rules: rules, Threads: 2, Record: true})
			for black := -c.size.Points(); black <= c.size.Points()+1; black++ {
				n := 0
				holds, err := s.Prove(t.Context(), q, black, func(claim superko.Claim) {
					if slices.Max(claim.After) >= n || len(claim.After) != len(claim.Moves) {
						t.Errorf("claim %d rests on %v", n, claim.After)
					}
					n++
				})
				if err != nil || holds != (black <= want) || n == 0 && len(q.Moves) < 2 {
					t.Errorf("%s after %v: at least %d is %v, the score is %d, %d claims, %v", c.size, q.Moves, black, holds, want, n, err)
				}
			}
		}
	}
}

func TestProveStops(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 9}
	s := newSolver(t, size, superko.Options{Record: true})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Prove(ctx, superko.Question{Start: weiqi.NewPosition(size)}, 0, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
