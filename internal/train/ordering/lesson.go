package main

import (
	"context"
	"math/rand/v2"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
)

// lesson is a board to learn from: the number of its positions to take, and the
// chance that a position is taken. The chance is small on large boards, so that
// the examples come from all parts of the search.
type lesson struct {
	size      string
	positions int
	chance    float64
}

var lessons = []lesson{
	{"4x7", 8000, 0.02},
	{"3x9", 8000, 0.03},
	{"5x5", 16000, 0.05},
	{"4x6", 6000, 0.05},
	{"3x8", 8000, 0.1},
	{"2x12", 8000, 0.1},
	{"2x11", 12000, 0.3},
	{"3x7", 16000, 0.5},
	{"4x5", 16000, 1},
	{"2x10", 4000, 0.5},
	{"2x9", 1000, 1},
	{"3x6", 1000, 1},
}

// example is a position with all its moves; some win and some do not.
type example []sums.Observed

// shares are the chances of positions by their points, from leastPoints on. Small
// positions are common, and large ones are costly to settle.
var shares = []float64{0.1, 0.15, 0.3, 0.4, 0.6, 1, 1, 1, 0.5, 0.3, 0.3}

const leastPoints = 10

// collector takes examples from a search until it has enough.
type collector struct {
	dice     *rand.Rand
	chance   float64
	wanted   int
	examples []example
	enough   context.CancelFunc
}

func (c *collector) Wants(points int) bool {
	i := points - leastPoints
	return i >= 0 && i < len(shares) && c.dice.Float64() < c.chance*shares[i]
}

func (c *collector) Take(moves []sums.Observed) {
	wins := 0
	for _, m := range moves {
		if m.Wins {
			wins++
		}
	}
	if wins == 0 || wins == len(moves) || len(c.examples) >= c.wanted {
		return // all moves have one result, or the search is slow to stop
	}
	c.examples = append(c.examples, moves)
	if len(c.examples) >= c.wanted {
		c.enough()
	}
}

// examples searches the board after each opening until it has enough.
func (l lesson) examples(ctx context.Context, wanted int, without []string) ([]example, error) {
	size, err := board.ParseSize(l.size)
	if err != nil {
		return nil, err
	}
	enough, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &collector{dice: rand.New(rand.NewPCG(uint64(size.Rows), uint64(size.Cols))), chance: l.chance, wanted: wanted, enough: cancel}
	s, err := sums.New(size, sums.Options{Threads: 1, Without: without, Observer: c})
	if err != nil {
		return nil, err
	}
	defer s.Close()
	root := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Black}
	for p := range root.Position.Legal(board.Black).Points() {
		if _, err := s.Solve(enough, root.After(p)); err != nil {
			break
		}
	}
	return c.examples, ctx.Err()
}
