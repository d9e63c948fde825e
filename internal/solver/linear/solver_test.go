package linear

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/internal/strip"
	"tengen/nogo"
)

// oracle plays sums of rows out by the rules of the board and remembers whether
// the side to move wins. It knows nothing of strips and values.
type oracle map[string]bool

func (o oracle) wins(rows []nogo.Position, c board.Colour) bool {
	names := make([]string, len(rows))
	for i, p := range rows {
		names[i] = p.String()
	}
	slices.Sort(names)
	key := fmt.Sprint(names, c)
	if known, ok := o[key]; ok {
		return known
	}
	won := false
	for i := range rows {
		for at := range rows[i].Legal(c).Points() {
			if won {
				break
			}
			next := slices.Clone(rows)
			next[i].Stones[c].Add(at)
			won = !o.wins(next, c.Opponent())
		}
	}
	o[key] = won
	return won
}

// randomRow has up to the given number of points and a few stones, placed legally.
func randomRow(rng *rand.Rand, most int) nogo.Position {
	p := nogo.NewPosition(board.Size{Rows: 1, Cols: 1 + rng.Intn(most)})
	for range rng.Intn(p.Size.Cols) {
		c := board.Colour(rng.Intn(2))
		var points []board.Point
		for at := range p.Legal(c).Points() {
			points = append(points, at)
		}
		if len(points) > 0 {
			p.Stones[c].Add(points[rng.Intn(len(points))])
		}
	}
	return p
}

func strips(t testing.TB, rows []nogo.Position) []strip.Strip {
	t.Helper()
	var sum []strip.Strip
	for _, p := range rows {
		parts, err := strip.Reduce(p.String())
		if err != nil {
			t.Fatal(err)
		}
		sum = append(sum, parts...)
	}
	return sum
}

func open(t testing.TB, o Options) *Solver {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// someOf is empty half of the time. Otherwise it takes every element with a
// chance of one half.
func someOf(rng *rand.Rand, list []string) []string {
	var some []string
	if rng.Intn(2) == 0 {
		return nil
	}
	for _, x := range list {
		if rng.Intn(2) == 0 {
			some = append(some, x)
		}
	}
	return some
}

// Answers agree with the rules for any parts switched off, any threads and any
// memory.
func TestSumsAgreeWithTheRules(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	o := make(oracle)
	for range 60 {
		options := Options{
			Points: 12, Memory: 64 << rng.Intn(20), Threads: 1 + rng.Intn(3),
			Without: someOf(rng, Parts()),
		}
		s := open(t, options)
		for range 25 {
			rows := make([]nogo.Position, 1+rng.Intn(3))
			for i := range rows {
				rows[i] = randomRow(rng, 12/len(rows))
			}
			for c := board.Black; c <= board.White; c++ {
				won, err := s.Wins(t.Context(), strips(t, rows), c)
				if err != nil {
					t.Fatal(err)
				}
				if want := o.wins(rows, c); won != want {
					t.Fatalf("%v, %s to move: %t, by the rules %t; options %+v", rows, c, won, want, options)
				}
			}
		}
	}
}

// A row is solved with its winning move, and the move does win.
func TestRowsAgreeWithTheRules(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	o := make(oracle)
	s := open(t, Options{Points: 14, Threads: 2})
	for range 300 {
		p := randomRow(rng, 13)
		c := board.Colour(rng.Intn(2))
		answer, err := s.Solve(t.Context(), solver.Query{Position: p, ToPlay: c})
		if err != nil {
			t.Fatal(err)
		}
		if won := o.wins([]nogo.Position{p}, c); won != (answer.Winner == c) {
			t.Fatalf("%s, %s to move: %s wins", p, c, answer.Winner)
		} else if !won {
			continue
		}
		for _, move := range []board.Point{answer.Move, must(s.WinningMove(t.Context(), p, c))} {
			q := solver.Query{Position: p, ToPlay: c}.After(move)
			if !p.Legal(c).Has(move) || o.wins([]nogo.Position{q.Position}, q.ToPlay) {
				t.Fatalf("%s, %s to move: %s does not win", p, c, p.Size.Name(move))
			}
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// A row may have more blocks than a region can hold.
func TestManyBlocks(t *testing.T) {
	for _, row := range []string{strings.Repeat("x.", 31), strings.Repeat(".o", 30) + "..", strings.Repeat("x.", 26) + "o..o....."} {
		s := open(t, Options{Points: len(row)})
		for c := board.Black; c <= board.White; c++ {
			first, err := s.Wins(t.Context(), must(strip.Reduce(row)), c)
			if err != nil {
				t.Fatal(err)
			}
			inverse := strings.NewReplacer("x", "o", "o", "x").Replace(row)
			if second, err := s.Wins(t.Context(), must(strip.Reduce(inverse)), c.Opponent()); err != nil || second != first {
				t.Errorf("%s, %s to move: %t; with colours exchanged %t, %v", row, c, first, second, err)
			}
		}
	}
}

// Two papers state results about openings, tested here up to sizes that are
// quick: the end loses beyond five points, the second point wins beyond seven,
// the centre of odd rows wins, and both middle points of even rows lose.
func TestOpenings(t *testing.T) {
	most := 24
	if longtest.On() {
		most = 33
	}
	for n := 3; n <= most; n++ {
		s := open(t, Options{Points: n, Memory: 1 << 30})
		for at := range (n + 1) / 2 {
			row := strings.Repeat(".", at) + "x" + strings.Repeat(".", n-at-1)
			lost, err := s.Wins(t.Context(), must(strip.Reduce(row)), board.White)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case n > 5 && at == 0 && !lost:
				t.Errorf("1x%d: the end wins", n)
			case n > 7 && at == 1 && lost:
				t.Errorf("1x%d: the second point loses", n)
			case n%2 == 1 && at == n/2 && lost:
				t.Errorf("1x%d: the centre loses", n)
			case n%2 == 0 && at == n/2-1 && !lost:
				t.Errorf("1x%d: a middle point wins", n)
			}
		}
		s.Close()
	}
}

// Winners of empty rows, Black to move.
func TestEmptyRows(t *testing.T) {
	for n := 1; n <= 25; n++ {
		s := open(t, Options{Points: n})
		black, err := s.Wins(t.Context(), must(strip.Reduce(strings.Repeat(".", n))), board.Black)
		if err != nil {
			t.Fatal(err)
		}
		if want := n != 1 && n != 4; black != want {
			t.Errorf("1x%d: Black wins %t", n, black)
		}
	}
}

// One thread searches in the same way every time, and a table that was saved
// and loaded leaves nothing to search.
func TestSavedTable(t *testing.T) {
	longtest.Alone(t)
	sum := must(strip.Reduce(".x" + strings.Repeat(".", 18)))
	var saved bytes.Buffer
	first := open(t, Options{Points: 20, Threads: 1})
	again := open(t, Options{Points: 20, Threads: 1})
	for _, s := range []*Solver{first, again} {
		if white, err := s.Wins(t.Context(), sum, board.White); white || err != nil {
			t.Fatalf("1x20 after B1: White wins %t, %v", white, err)
		}
	}
	if a, b := first.Stats().Nodes, again.Stats().Nodes; a != b {
		t.Errorf("%d nodes, then %d", a, b)
	}
	if err := first.Save(&saved); err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Points: 20, Threads: 1})
	if err := s.Load(&saved); err != nil {
		t.Fatal(err)
	}
	if white, err := s.Wins(t.Context(), sum, board.White); white || err != nil || s.Stats().Nodes > 1 {
		t.Errorf("with the table loaded: White wins %t, %v, %d nodes", white, err, s.Stats().Nodes)
	}
}

func TestStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s := open(t, Options{Points: 40})
	if _, err := s.Wins(ctx, must(strip.Reduce(strings.Repeat(".", 40))), board.Black); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	if _, err := New(Options{Without: []string{"history"}}); err == nil || !strings.Contains(err.Error(), "pitm") {
		t.Errorf("an unknown part: %v", err)
	}
	if _, err := New(Options{Points: 63}); err == nil {
		t.Error("a row too long was accepted")
	}
	s := open(t, Options{Points: 9})
	for _, q := range []solver.Query{
		{Position: nogo.NewPosition(board.Size{Rows: 2, Cols: 3})},
		{Position: nogo.NewPosition(board.Size{Rows: 1, Cols: 3}), Limited: true, Plies: 3},
	} {
		if _, err := s.Solve(t.Context(), q); err == nil {
			t.Errorf("%+v was accepted", q)
		}
	}
}

// A profile counts every node once.
func TestProfile(t *testing.T) {
	s := open(t, Options{Points: 18, Threads: 2, Profile: true})
	if _, err := s.Wins(t.Context(), must(strip.Reduce(".x"+strings.Repeat(".", 16))), board.White); err != nil {
		t.Fatal(err)
	}
	p := s.Profile()
	for _, list := range [][]uint64{p.NodesByDepth, p.NodesByParts} {
		total := uint64(0)
		for _, n := range list {
			total += n
		}
		if total == 0 || total != s.Stats().Nodes {
			t.Errorf("%d nodes in the profile, %d in all", total, s.Stats().Nodes)
		}
	}
}
