package cgt_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
)

// Dyadics are the fractions of math/big, in text and in arithmetic.
func TestDyadics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (cgt.Dyadic, *big.Rat) {
			num, exp := rapid.Int64Range(-4000, 4000).Draw(t, "num"), rapid.IntRange(0, 48).Draw(t, "exp")
			d, ok := cgt.NewDyadic(num, exp)
			if !ok {
				t.Fatalf("%d/2^%d cannot be represented", num, exp)
			}
			return d, big.NewRat(num, 1<<exp)
		}
		x, p := draw()
		y, q := draw()
		sum := new(big.Rat).Add(p, q)
		if got := (x + y).String(); got != sum.RatString() {
			t.Fatalf("%v + %v is %s, want %s", x, y, got, sum.RatString())
		}
		num, den := x.Fraction()
		if want, _ := p.Float64(); big.NewRat(num, den).Cmp(p) != 0 || x.Float64() != want {
			t.Fatalf("%s is %d/%d or %v", p, num, den, x.Float64())
		}
		if (x < y) != (p.Cmp(q) < 0) {
			t.Fatalf("%v and %v are out of order", x, y)
		}
	})
}

func TestDyadicRange(t *testing.T) {
	for _, c := range []struct {
		num  int64
		exp  int
		fits bool
	}{
		{0, 1000, true},
		{8191, 0, true},
		{8192, 0, false},
		{-8192, 0, false},
		{1, 48, true},
		{1, 49, false},
		{2, 49, true},
		{1, -3, true},
		{-1 << 63, 0, false},
		{1<<63 - 1, 48, false},
		{1<<61 - 1, 48, true},
	} {
		if _, ok := cgt.NewDyadic(c.num, c.exp); ok != c.fits {
			t.Errorf("%d/2^%d can be represented: %v, want %v", c.num, c.exp, ok, c.fits)
		}
	}
}

// {x|y} for numbers x < y is the number between them that was born first, and
// there is only one of that age.
func TestSimplestNumber(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	const exp, reach = 4, 3 << 4
	game := func(num int) cgt.Game {
		d, _ := cgt.NewDyadic(int64(num), exp)
		return ok(a.Dyadic(d))(t)
	}
	for x := -reach; x <= reach; x++ {
		for y := x + 2; y <= reach; y++ {
			want := game(x + 1)
			for between := x + 2; between < y; between++ {
				if g := game(between); a.Birthday(g) < a.Birthday(want) {
					want = g
				}
			}
			if got := ok(a.Make([]cgt.Game{game(x)}, []cgt.Game{game(y)}))(t); got != want {
				t.Fatalf("{%s|%s} is %s, want %s", a.String(game(x)), a.String(game(y)), a.String(got), a.String(want))
			}
		}
	}
}
