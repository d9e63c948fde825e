package superko_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

func newSolver(t testing.TB, size board.Size, o superko.Options) *superko.Solver {
	t.Helper()
	if o.Rules == (weiqi.Rules{}) {
		o.Rules = psk
	}
	if o.Threads == 0 {
		o.Threads = 1
	}
	s, err := superko.New(t.Context(), size, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func score(t testing.TB, s *superko.Solver, q superko.Question) int {
	t.Helper()
	a, err := s.Solve(context.Background(), q)
	if err != nil || !a.Exact() {
		t.Fatalf("%v after %s: %v, %v", q.Moves, q.Start, a, err)
	}
	return a.Low
}

// move is a move and its score.
type move struct {
	board.Point
	score int
}

// moves are the scores of every move, by the bounds that the position sets.
func moves(t testing.TB, s *superko.Solver, q superko.Question) (list []move) {
	t.Helper()
	h := weiqi.NewHistory(psk, q.Start)
	for _, p := range q.Moves {
		if err := h.Push(p); err != nil {
			t.Fatal(err)
		}
	}
	known := superko.Answer{Low: -q.Start.Size.Points(), High: score(t, s, q)}
	if h.Position().ToPlay == board.White {
		known = superko.Answer{Low: known.High, High: -known.Low}
	}
	for _, p := range append([]board.Point{weiqi.Pass}, slices.Collect(h.Legal().Points())...) {
		a, err := s.SolveWithin(context.Background(), q.After(p), known)
		if err != nil || !a.Exact() {
			t.Fatalf("%v after %s: move %d is %v, %v", q.Moves, q.Start, p, a, err)
		}
		list = append(list, move{p, a.Low})
	}
	return list
}

// openings are figures 1 and 10 of Weninger and Hayward: the score of the empty
// row and of every first move to the middle.
var openings = map[int][]int{
	1: {0},
	2: {0, -2},
	3: {3, -3, 3},
	4: {4, -4, 4},
	5: {0, -5, 0, 0},
	6: {1, -6, 1, -1},
	7: {2, -7, 2, -2, 2},
	8: {3, -3, 3, -1, 1},
	9: {0, -4, 0, -1, 0, 0},
}

func TestOpenings(t *testing.T) {
	longtest.Alone(t)
	for points, want := range openings {
		size := board.Size{Rows: 1, Cols: points}
		s := newSolver(t, size, superko.Options{})
		q := superko.Question{Start: weiqi.NewPosition(size)}
		if got := score(t, s, q); got != want[0] {
			t.Errorf("%s is %d, want %d", size, got, want[0])
		}
		for _, m := range moves(t, s, q) {
			expected := -want[0] // theorem 3: after a pass the other side has the first move
			if m.Point != weiqi.Pass {
				col := size.Col(m.Point)
				expected = want[1+min(col, points-1-col)]
			}
			if m.score != expected {
				t.Errorf("%s after %s is %d, want %d", size, size.Name(m.Point), m.score, expected)
			}
		}
	}
}

// TestOpeningsWithoutFacts solves rows of up to seven points without remembered
// facts. This is a second way to the same scores that uses no reasons. Long
// tests add eight points, except the end cell, which takes hours.
func TestOpeningsWithoutFacts(t *testing.T) {
	longtest.Alone(t)
	points := 7
	if longtest.On() {
		points = 8
	}
	for n := 2; n <= points; n++ {
		size := board.Size{Rows: 1, Cols: n}
		s := newSolver(t, size, superko.Options{Without: []string{"tt"}})
		for i, want := range openings[n][1:] {
			if n == 8 && i == 0 {
				continue
			}
			q := superko.Question{Start: weiqi.NewPosition(size), Moves: []board.Point{board.Point(i)}}
			if got := score(t, s, q); got != want {
				t.Errorf("%s after %s is %d, want %d", size, size.Name(board.Point(i)), got, want)
			}
		}
	}
}

// These rows are longer than those of the paper. The scores of the empty board
// agree with those of van der Werf and Winands under their rules, up to twelve
// points.
func TestLongerRows(t *testing.T) {
	longtest.Skip(t)
	for points, want := range map[int]int{10: 1, 11: 2, 12: 2} {
		size := board.Size{Rows: 1, Cols: points}
		if got := score(t, newSolver(t, size, superko.Options{}), superko.Question{Start: weiqi.NewPosition(size)}); got != want {
			t.Errorf("%s is %d, want %d", size, got, want)
		}
	}
}

// The replies to 1.b1 on eight points, figure 12: the hardest took the original
// 50,349,939,752 nodes.
func TestHardestOpening(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 1, Cols: 8}
	found := moves(t, newSolver(t, size, superko.Options{}), superko.Question{Start: weiqi.NewPosition(size), Moves: []board.Point{0}})
	want := []int{8, -3, -3, -1, -3, 1, -3, 1} // the pass, and 2 to 8
	if len(found) != len(want) {
		t.Fatalf("moves are %v", found)
	}
	for i, m := range found {
		if m.score != want[i] {
			t.Errorf("after A1 %s it is %d, want %d", size.Name(m.Point), m.score, want[i])
		}
	}
}

// Situational superko agrees on the rows of the table, and both on rectangles.
func TestScores(t *testing.T) {
	longtest.Alone(t)
	for _, c := range []struct {
		size  string
		rules weiqi.Rules
		want  int
	}{
		{"1x1", ssk, 0},
		{"1x2", ssk, 0},
		{"1x3", ssk, 3},
		{"1x4", ssk, 4},
		{"1x5", ssk, 0},
		{"1x6", ssk, 1},
		{"1x7", ssk, 2},
		{"7x1", psk, 2},
		{"2x2", psk, 1},
		{"2x2", ssk, 1},
		{"2x3", psk, 0},
		{"3x2", ssk, 0},
		{"2x4", psk, 8},
		{"2x4", ssk, 8},
		{"3x3", psk, 9},
		{"3x3", ssk, 9},
	} {
		size, err := board.ParseSize(c.size)
		if err != nil {
			t.Fatal(err)
		}
		s := newSolver(t, size, superko.Options{Rules: c.rules})
		if got := score(t, s, superko.Question{Start: weiqi.NewPosition(size)}); got != c.want {
			t.Errorf("%s under %s is %d, want %d", size, c.rules, got, c.want)
		}
	}
}

// First moves on 2×3: a corner loses all points, the middle loses two.
func TestFirstMovesOfARectangle(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 2, Cols: 3}
	found := moves(t, newSolver(t, size, superko.Options{}), superko.Question{Start: weiqi.NewPosition(size)})
	if len(found) != 7 {
		t.Fatal(found)
	}
	for _, m := range found {
		want := -6
		if m.Point == weiqi.Pass {
			want = 0
		} else if size.Col(m.Point) == 1 {
			want = -2
		}
		if m.score != want {
			t.Errorf("%s is %d, want %d", size.Name(m.Point), m.score, want)
		}
	}
}

// agree compares the solver with the oracle after a game. It reports whether
// the oracle finished.
func agree(t *testing.T, s *superko.Solver, rules weiqi.Rules, q superko.Question, limit int) bool {
	t.Helper()
	size := q.Start.Size
	o := newOracle(size, rules, limit)
	p, side, passed := q.Start, int(q.Start.ToPlay), q.Start.Passes > 0
	text := func(p weiqi.Position) string { // rows as the oracle counts them, from the bottom
		var b strings.Builder
		for _, at := range size.All() {
			b.WriteByte("xo."[p.Stones.At(at)])
		}
		return b.String()
	}
	b := text(p)
	o.seen[o.name(b, side)]++
	if passed {
		o.seen[o.name(b, 1-side)]++
	}
	index := map[board.Point]int{}
	for i, at := range size.All() {
		index[at] = i
	}
	for _, m := range q.Moves {
		passed = m == weiqi.Pass
		if !passed {
			b = o.play(b, side, index[m])
		}
		side = 1 - side
		o.seen[o.name(b, side)]++
	}
	want := o.value(b, side, passed, -size.Points(), size.Points(), 0) * (1 - 2*side)
	if o.nodes > limit {
		return false
	}
	if got := score(t, s, q); got != want {
		t.Fatalf("%s: %v from %s (%d passes) is %d, the oracle has %d, in %s", rules, q.Moves, q.Start, q.Start.Passes, got, want, b)
	}
	return true
}

// positions calls visit with every legal board, either side to play, with and
// without a pass before.
func positions(size board.Size, visit func(weiqi.Position)) {
	points := size.All()
	var fill func(int, weiqi.Position)
	fill = func(i int, p weiqi.Position) {
		if i < len(points) {
			fill(i+1, p)
			for c := range p.Stones {
				q := p
				q.Stones[c].Add(points[i])
				fill(i+1, q)
			}
			return
		}
		if p.Validate() != nil {
			return
		}
		for c := range board.Colour(2) {
			for passes := range uint8(2) {
				p.ToPlay, p.Passes = c, passes
				visit(p)
			}
		}
	}
	fill(0, weiqi.NewPosition(size))
}

// Every position of small boards, as the start of a game.
func TestStarts(t *testing.T) {
	longtest.Alone(t)
	for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 2}, {Rows: 1, Cols: 3}, {Rows: 1, Cols: 4}, {Rows: 2, Cols: 2}} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			done, all := 0, 0
			positions(size, func(p weiqi.Position) {
				all++
				if agree(t, s, rules, superko.Question{Start: p}, 100_000) {
					done++
				}
			})
			if done < all {
				t.Errorf("%s %s: the oracle solved only %d of %d", size, rules, done, all)
			}
		}
	}
}

// A pass before the start is a move: the side that passed has been to play on
// that board.
func TestPassBeforeTheStart(t *testing.T) {
	longtest.Alone(t)
	for _, size := range []board.Size{{Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 1, Cols: 6}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			positions(size, func(p weiqi.Position) {
				if p.Passes == 0 {
					return
				}
				before := p
				before.ToPlay, before.Passes = p.ToPlay.Opponent(), 0
				want := score(t, s, superko.Question{Start: before, Moves: []board.Point{weiqi.Pass}})
				if got := score(t, s, superko.Question{Start: p}); got != want {
					t.Errorf("%s, %s to play in %s: %d after a pass before the start, %d after the pass played", rules, p.ToPlay, p, got, want)
				}
			})
		}
	}
}

// Every state that a game on three points can come to.
func TestAllGames(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 1, Cols: 3}
	for _, rules := range []weiqi.Rules{psk, ssk} {
		s := newSolver(t, size, superko.Options{Rules: rules})
		h := weiqi.NewHistory(rules, weiqi.NewPosition(size))
		var walk func()
		walk = func() {
			if h.Position().Over() {
				return
			}
			agree(t, s, rules, superko.Question{Start: weiqi.NewPosition(size), Moves: h.Moves()}, 1_000_000)
			for _, p := range append(size.All(), weiqi.Pass) {
				if h.Push(p) == nil {
					walk()
					h.Pop()
				}
			}
		}
		walk()
	}
}

// randomGame makes up to a number of random moves, seldom passes.
func randomGame(rnd *rand.Rand, rules weiqi.Rules, start weiqi.Position, moves int) superko.Question {
	h := weiqi.NewHistory(rules, start)
	for range moves {
		var list []board.Point
		for p := range h.Legal().Points() {
			list = append(list, p)
		}
		passes := h.Position().Passes
		switch {
		case len(list) > 0 && rnd.IntN(8) > 0:
			_ = h.Push(list[rnd.IntN(len(list))])
		case passes == 0:
			_ = h.Push(weiqi.Pass)
		}
	}
	return superko.Question{Start: start, Moves: h.Moves()}
}

// Random games: long histories leave the oracle little to search.
func TestRandomGames(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(5, 1))
	for _, size := range []board.Size{{Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 1, Cols: 6}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			done := 0
			for range 150 {
				q := randomGame(rnd, rules, weiqi.NewPosition(size), rnd.IntN(8*size.Points()))
				if agree(t, s, rules, q, 3_000) {
					done++
				}
			}
			if done < 40 {
				t.Errorf("%s %s: the oracle solved only %d of 150", size, rules, done)
			}
		}
	}
}
