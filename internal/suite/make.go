package suite

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/game"
)

// Plan says which positions a suite gets.
type Plan struct {
	Seed  uint64
	Sizes []board.Size
	Count int // number of positions on each board
	// Progress, if it is not nil, is called with the number of positions found and the
	// number wanted.
	Progress func(done, all int)
}

// StandardPlan is the plan of the suite that is part of the program.
func StandardPlan() Plan {
	p := Plan{Seed: 1, Count: 12}
	for _, s := range [][2]int{{4, 4}, {4, 5}, {5, 5}, {6, 6}, {7, 7}, {8, 8}, {9, 9}} {
		p.Sizes = append(p.Sizes, board.Size{Rows: s[0], Cols: s[1]})
	}
	return p
}

// Bounds of the number of points that can still be played in a position. There must be
// enough to make it hard, and few enough for the second search to finish.
const (
	leastOpen = 7
	mostOpen  = 14
)

// LeastPoints is the size of the smallest board with positions of all grades.
const LeastPoints = 12

// patience is the number of random games that are tried for each wanted position.
const patience = 400

// Make makes a suite. The same plan makes the same suite. The positions of a board
// have all grades in turn, as far as random games have such positions.
func Make(ctx context.Context, plan Plan, analyst *analyse.Analyst) (Suite, error) {
	s := Suite{Seed: plan.Seed}
	for n, size := range plan.Sizes {
		rng := rand.New(rand.NewPCG(plan.Seed, uint64(size.Rows)<<8|uint64(size.Cols)))
		var found []Problem
		for range patience * plan.Count {
			if len(found) == plan.Count {
				break
			}
			p, ok, err := draw(ctx, rng, size, analyst)
			if err != nil {
				return s, err
			}
			if !ok || crowded(found, p, plan.Count) {
				continue
			}
			if err := p.Check(ctx); err != nil {
				return s, err
			}
			found = append(found, p)
			if plan.Progress != nil {
				plan.Progress(n*plan.Count+len(found), len(plan.Sizes)*plan.Count)
			}
		}
		if len(found) < plan.Count {
			return s, fmt.Errorf("only %d positions of %s were found: ask for fewer, or for a larger board", len(found), size)
		}
		slices.SortStableFunc(found, func(a, b Problem) int {
			return cmp.Or(cmp.Compare(a.Grade(), b.Grade()), cmp.Compare(a.Open(), b.Open()))
		})
		s.Problems = append(s.Problems, found...)
	}
	return s, nil
}

// crowded reports whether the suite already has the position, or enough positions of
// its grade.
func crowded(found []Problem, p Problem, count int) bool {
	same := 0
	for _, q := range found {
		if q.position == p.position {
			return true
		}
		if q.Grade() == p.Grade() {
			same++
		}
	}
	return same >= (count+Grades-1)/Grades
}

// draw plays a random game until few points can be played, and asks for the result of
// every move there.
func draw(ctx context.Context, rng *rand.Rand, size board.Size, analyst *analyse.Analyst) (Problem, bool, error) {
	p := Problem{Size: size}
	g := game.New(game.NoGo{}, game.NewPosition(size))
	for most := leastOpen + rng.IntN(mostOpen-leastOpen+1); ; {
		p.position = g.Position()
		legal := slices.Collect(p.Legal().Points())
		if len(legal) < 2 {
			return p, false, nil
		}
		if p.Open() <= most {
			break
		}
		move := legal[rng.IntN(len(legal))]
		if err := g.Play(move); err != nil {
			return p, false, err
		}
		p.Moves = append(p.Moves, move)
	}
	analysis, err := analyst.Analyse(ctx, analyse.Question{Rules: game.NoGo{}, Start: p.position}, nil)
	if err != nil {
		return p, false, err
	}
	for _, f := range analysis.Moves {
		if f.Winner.Is(p.position.ToPlay) {
			p.Answers = append(p.Answers, f.Move)
		}
	}
	slices.Sort(p.Answers)
	return p, len(p.Answers) > 0 && len(p.Answers) < len(analysis.Moves), nil
}
