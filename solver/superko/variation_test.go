package superko_test

import (
	"context"
	"slices"
	"testing"

	"tengen/board"
	"tengen/solver/superko"
	"tengen/weiqi"
)

// short is figure 11: short lines of best play, the first move given, passes left
// out. The last line of eight points ends a move too early in the figure: Black
// needs the 3 that is added here.
var short = map[int][][]int{
	2: {{1, 2}},
	3: {{1, 2}, {2}},
	4: {{1, 3, 2}, {2, 3, 4}},
	5: {{1, 4, 2, 3, 2, 1}, {2, 4}, {3, 4, 2, 1, 2}},
	6: {{1, 5, 2, 3, 2, 1}, {2, 5, 3}, {3, 2, 1, 5, 2, 4, 2}},
	7: {{1, 6, 4, 2, 5, 3, 4, 5}, {2, 6, 4}, {3, 2, 1, 6, 2, 4, 2}, {4, 6, 2}},
	8: {{1, 7, 3, 6, 2, 4, 2}, {2, 7, 5}, {3, 2, 7, 4, 6}, {4, 7, 2, 6, 3}},
}

// follow plays the cells of a line, with passes where the next cell is not for
// the side to play, by best moves only, to the end of the game. It returns the
// number of moves, 0 if there is no such game.
func follow(t *testing.T, s *superko.Solver, q superko.Question, cells []int) int {
	t.Helper()
	best, err := s.Best(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(best) == 0 { // the game is over
		if len(cells) > 0 {
			return 0
		}
		return len(q.Moves)
	}
	if len(cells) > 0 && slices.Contains(best, board.Point(cells[0]-1)) {
		if n := follow(t, s, q.After(board.Point(cells[0]-1)), cells[1:]); n > 0 {
			return n
		}
	}
	if slices.Contains(best, weiqi.Pass) {
		return follow(t, s, q.After(weiqi.Pass), cells)
	}
	return 0
}

// The lines of figure 11 are best play, and ours are not longer.
func TestShortLines(t *testing.T) {
	for points, lines := range short {
		size := board.Size{Rows: 1, Cols: points}
		s := newSolver(t, size, superko.Options{})
		for i, cells := range lines {
			q := superko.Question{Start: weiqi.NewPosition(size), Moves: []board.Point{board.Point(i)}}
			length := follow(t, s, q, cells[1:])
			if length == 0 {
				t.Errorf("%s: %v is not best play", size, cells)
			}
			line, err := s.Short(context.Background(), q)
			if err != nil || 1+len(line) > length {
				t.Errorf("%s: %v takes %d moves, a short line %v, %v", size, cells, length, line, err)
			}
		}
	}
}

// A variation is a legal game to the end and has the score that was promised.
func TestVariations(t *testing.T) {
	for _, rules := range []weiqi.Rules{psk, ssk} {
		for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 5}, {Rows: 1, Cols: 7}, {Rows: 2, Cols: 3}, {Rows: 6, Cols: 1}} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			q := superko.Question{Start: weiqi.NewPosition(size)}
			for _, find := range []func(context.Context, superko.Question) ([]board.Point, error){s.Variation, s.Short} {
				line, err := find(context.Background(), q)
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
}
