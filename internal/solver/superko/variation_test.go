package superko_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

// short is figure 11: short lines of best play, with the first move given and
// without passes. Two lines end a move too early in the figure: on eight points
// Black needs the 3 of the last line, and on nine White needs the 2 of the first.
// These moves are added here.
var short = map[int][][]int{
	2: {{1, 2}},
	3: {{1, 2}, {2}},
	4: {{1, 3, 2}, {2, 3, 4}},
	5: {{1, 4, 2, 3, 2, 1}, {2, 4}, {3, 4, 2, 1, 2}},
	6: {{1, 5, 2, 3, 2, 1}, {2, 5, 3}, {3, 2, 1, 5, 2, 4, 2}},
	7: {{1, 6, 4, 2, 5, 3, 4, 5}, {2, 6, 4}, {3, 2, 1, 6, 2, 4, 2}, {4, 6, 2}},
	8: {{1, 7, 3, 6, 2, 4, 2}, {2, 7, 5}, {3, 2, 7, 4, 6}, {4, 7, 2, 6, 3}},
	9: {{1, 3, 8, 6, 4, 5, 2}, {2, 8, 4, 6}, {3, 2, 6, 8, 4, 7, 9, 5, 4, 8, 5}, {4, 2, 8, 6}, {5, 2, 8, 4, 6, 7, 6}},
}

// The lines of figure 11 are best play, and ours are not longer.
func TestShortLines(t *testing.T) {
	longtest.Alone(t)
	for points, lines := range short {
		size := board.Size{Rows: 1, Cols: points}
		s := newSolver(t, size, superko.Options{})
		for i, cells := range lines {
			q := superko.Question{Start: weiqi.NewPosition(size), Moves: []board.Point{board.Point(i)}}
			var published []board.Point
			for _, cell := range cells[1:] {
				published = append(published, board.Point(cell-1))
			}
			theirs, err := s.Follow(context.Background(), q, published)
			if err != nil || theirs == nil {
				t.Errorf("%s: %v is not best play", size, cells)
			}
			ours, err := s.Short(context.Background(), q)
			if err != nil || len(ours) > len(theirs) {
				t.Errorf("%s: %v is %v with passes, a short line %v, %v", size, cells, theirs, ours, err)
			}
		}
	}
}

// A line of figure 11 that ends too early is not best play, nor is a wrong move.
func TestFollowRefuses(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 8}
	s := newSolver(t, size, superko.Options{})
	for _, points := range [][]board.Point{{3, 6, 1, 5}, {0}, {1, 0}} {
		if line, err := s.Follow(context.Background(), superko.Question{Start: weiqi.NewPosition(size), Moves: points[:1]}, points[1:]); err != nil || line != nil {
			t.Errorf("%v is best play as %v, %v", points, line, err)
		}
	}
}

// A line is a legal game to the end and has the score of the answer.
func TestVariations(t *testing.T) {
	longtest.Alone(t)
	for _, rules := range []weiqi.Rules{psk, ssk} {
		for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 5}, {Rows: 1, Cols: 7}, {Rows: 2, Cols: 3}, {Rows: 6, Cols: 1}} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			q := superko.Question{Start: weiqi.NewPosition(size)}
			line, err := s.Short(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			h := weiqi.NewHistory(rules, q.Start)
			for _, m := range line {
				if err := h.Push(m); err != nil {
					t.Fatalf("%s: %v", size, err)
				}
			}
			if p := h.Position(); !p.Over() || p.Score() != score(t, s, q) {
				t.Errorf("%s: %v ends in %s with %d, want %d", size, line, p, p.Score(), score(t, s, q))
			}
		}
	}
}

// Where a stone is as good as a pass, the line of an empty board begins with it.
func TestLinesBeginWithAStone(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 5} // worth 0, as a pass is
	line, err := newSolver(t, size, superko.Options{}).Short(context.Background(), superko.Question{Start: weiqi.NewPosition(size)})
	if want := []board.Point{1, 3, weiqi.Pass, weiqi.Pass}; err != nil || !slices.Equal(line, want) {
		t.Errorf("the line is %v, %v, want %v", line, err, want)
	}
}

// Images of a position have images of its line.
func TestLinesOfImages(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(5, 6))
	for _, size := range []board.Size{{Rows: 1, Cols: 6}, {Rows: 2, Cols: 3}, {Rows: 2, Cols: 2}} {
		s := newSolver(t, size, superko.Options{})
		for range 50 {
			q := randomGame(rnd, psk, weiqi.NewPosition(size), rnd.IntN(2*size.Points()))
			line, err := s.Short(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, sym := range size.Symmetries() {
				image := superko.Question{Start: q.Start, Moves: mapped(size, sym, q.Moves)}
				got, err := s.Short(context.Background(), image)
				// A symmetric position has several images of its line.
				if err != nil || !slices.ContainsFunc(size.Symmetries(), func(sym board.Symmetry) bool {
					return slices.Equal(image.Moves, mapped(size, sym, q.Moves)) && slices.Equal(got, mapped(size, sym, line))
				}) {
					t.Errorf("%s after %v: %v, its image %v, %v", size, q.Moves, line, got, err)
				}
			}
		}
	}
}

func mapped(size board.Size, sym board.Symmetry, moves []board.Point) []board.Point {
	var list []board.Point
	for _, p := range moves {
		if p != weiqi.Pass {
			p = size.Map(sym, p)
		}
		list = append(list, p)
	}
	return list
}
