package value_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/longtest"
	"tengen/internal/oracle"
	"tengen/nogo"
)

// algebra is a random question and what playing it out by the rules says.
type algebra struct {
	g, h      string
	positions []nogo.Position // of G − H
	free      int
}

// sides of boards that can be played out, with few points each.
var playable = []board.Size{{Rows: 1, Cols: 2}, {Rows: 1, Cols: 3}, {Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}}

// randomBoard puts stones on a small board so that every block has a liberty.
func randomBoard(random *rand.Rand) nogo.Position {
	for {
		p := nogo.NewPosition(playable[random.IntN(len(playable))])
		for _, at := range p.Size.All() {
			if c := random.IntN(4); c < 2 {
				p.Stones[c].Add(at)
			}
		}
		if p.Validate() == nil {
			return p
		}
	}
}

// newAlgebra writes two sums of one to three boards in all, with signs and an integer.
func newAlgebra(random *rand.Rand) algebra {
	var a algebra
	sides := [2][]string{}
	for range 1 + random.IntN(oracle.MostBoards) {
		side, minus := random.IntN(2), random.IntN(2) == 1
		p := randomBoard(random)
		text := p.String()
		if random.IntN(4) == 0 {
			text = "(" + text + ")"
		}
		sides[side] = append(sides[side], sign(minus)+text)
		if minus != (side == 1) {
			p.Stones[0], p.Stones[1] = p.Stones[1], p.Stones[0]
		}
		a.positions = append(a.positions, p)
	}
	if n := random.IntN(5) - 2; n != 0 {
		side := random.IntN(2)
		sides[side] = append(sides[side], sign(n < 0)+fmt.Sprint(max(n, -n)))
		a.free = n
		if side == 1 {
			a.free = -n
		}
	}
	for i, at := range []*string{&a.g, &a.h} {
		*at = strings.TrimPrefix(strings.Join(sides[i], " "), "+ ")
		if *at == "" {
			*at = "0"
		}
	}
	return a
}

func sign(minus bool) string {
	if minus {
		return "- "
	}
	return "+ "
}

// Sums and differences of random boards and integers: the winner with either side to move,
// by search and by canonical forms, every move, the order, and the value, against the rules
// played out by code that shares nothing with them but the rules.
func TestAlgebraAgainstTheRules(t *testing.T) {
	count := 1000
	switch {
	case longtest.On():
		count = 10000
	case testing.Short():
		count = 100
	}
	random := rand.New(rand.NewPCG(20, 1))
	limits := job.Limits{Memory: 1 << 20, Threads: 1}
	orders := make(map[value.Order]int)
	for n := range count {
		a := newAlgebra(random)
		o := make(oracle.Oracle)
		black, white := o.Wins(board.Black, a.free, a.positions...), o.Wins(board.White, a.free, a.positions...)
		want := cgt.P
		if black {
			want |= cgt.L
		}
		if white {
			want |= cgt.R
		}
		by := []value.Method{value.ByChoice, value.BySums, value.ByForms}[n%3]
		c, err := value.Compare(t.Context(), value.CompareRequest{G: parseSum(t, a.g), H: parseSum(t, a.h), By: by, Limits: limits})
		if err != nil {
			t.Fatalf("compare %q %q: %v", a.g, a.h, err)
		}
		if c.Outcome != want {
			t.Fatalf("%q - (%q) by %q is %v, by the rules %v", a.g, a.h, by, c.Outcome, want)
		}
		orders[c.Order]++
		for first, r := range c.First {
			for _, m := range r.Moves {
				checkMove(t, a, c.Difference, m, board.Colour(first))
			}
		}
		difference := fmt.Sprintf("%s - (%s)", a.g, a.h)
		v, err := value.Find(t.Context(), value.Request{Sum: parseSum(t, difference), Limits: limits})
		if err != nil || v.Outcome != want {
			t.Fatalf("%s is %v, by the rules %v: %v", difference, v.Outcome, want, err)
		}
		// The bounds are those of the rules with free moves beside the boards.
		if o.Wins(board.White, a.free-v.Low, a.positions...) || o.Wins(board.Black, a.free-v.High, a.positions...) ||
			!o.Wins(board.White, a.free-v.Low-1, a.positions...) || !o.Wins(board.Black, a.free-v.High+1, a.positions...) {
			t.Fatalf("%s lies not between %d and %d", difference, v.Low, v.High)
		}
		// What a value that is stopped has to say.
		if known := value.KnownWithoutForms(t.Context(), c.Difference, limits); known.Low != v.Low || known.High != v.High || !known.OutcomeKnown || known.Outcome != want {
			t.Fatalf("%s lies between %d and %d, by search between %d and %d, %v", difference, v.Low, v.High, known.Low, known.High, known.Outcome)
		}
	}
	t.Logf("%d questions: %v", count, orders)
	for _, order := range []value.Order{value.Greater, value.Less, value.Equal, value.Unordered} {
		if orders[order] < count/50 {
			t.Errorf("only %d of %d are %s", orders[order], count, order)
		}
	}
}

// checkMove plays one move of c by the rules. The boards of the difference are in the order
// in which they were written, G before H; those of the question may not be.
func checkMove(t *testing.T, a algebra, difference value.Sum, m value.MoveResult, c board.Colour) {
	t.Helper()
	free := a.free
	positions := difference.Positions()
	if difference[m.Summand].IsPosition() {
		at := 0
		for _, s := range difference[:m.Summand] {
			if s.IsPosition() {
				at++
			}
		}
		positions[at].Stones[c].Add(m.Point)
	} else {
		free += 2*int(c) - 1
	}
	fresh := make(oracle.Oracle) // for boards in another order
	if won := !fresh.Wins(c.Opponent(), free, positions...); won != m.Winner.Is(c) {
		t.Fatalf("%s of %s in %s: %s wins, by the rules %t", difference.Name(m.Move), c, difference, m.Winner, won)
	}
}
