package cgt_test

import (
	"math/rand"
	"testing"

	"tengen/cgt"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// subsets lists the subsets of a set of games.
func subsets(games []cgt.Game) [][]cgt.Game {
	all := [][]cgt.Game{nil}
	for _, g := range games {
		for _, s := range all {
			all = append(all, append(s[:len(s):len(s)], g))
		}
	}
	return all
}

// randomTree has at most the given depth and width.
func randomTree(rng *rand.Rand, depth, width int) *tree {
	t := &tree{}
	if depth == 0 {
		return t
	}
	for range rng.Intn(width + 1) {
		t.left = append(t.left, randomTree(rng, rng.Intn(depth), width))
	}
	for range rng.Intn(width + 1) {
		t.right = append(t.right, randomTree(rng, rng.Intn(depth), width))
	}
	return t
}

func value(tb testing.TB, a *cgt.Arena, t *tree) cgt.Game {
	var l, r []cgt.Game
	for _, o := range t.left {
		l = append(l, value(tb, a, o))
	}
	for _, o := range t.right {
		r = append(r, value(tb, a, o))
	}
	return must[cgt.Game](tb)(a.Make(l, r))
}

// There are 1, 4 and 22 games born by days 0 to 2.
func TestGamesByDay(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	games := []cgt.Game{0}
	for _, want := range []int{4, 22} {
		found := make(map[cgt.Game]bool)
		for _, l := range subsets(games) {
			for _, r := range subsets(games) {
				found[must[cgt.Game](t)(a.Make(l, r))] = true
			}
		}
		if len(found) != want {
			t.Errorf("%d games, want %d", len(found), want)
		}
		games = nil
		for g := range found {
			games = append(games, g)
		}
	}
}

func TestAgainstTrees(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	a := cgt.New(cgt.Limits{})
	for range 3000 {
		x, y := randomTree(rng, 3, 3), randomTree(rng, 3, 3)
		g, h := value(t, a, x), value(t, a, y)
		le := must[bool](t)(a.LessEq(g, h))
		if want := lessEq(x, y); le != want {
			t.Fatalf("%s ≤ %s is %v, want %v", a.String(g), a.String(h), le, want)
		}
		if equal := lessEq(x, y) && lessEq(y, x); equal != (g == h) {
			t.Fatalf("%s = %s is %v, want %v", a.String(g), a.String(h), g == h, equal)
		}
		sum := must[cgt.Game](t)(a.Add(g, h))
		if want := value(t, a, plus(x, y)); sum != want {
			t.Fatalf("%s + %s is %s, want %s", a.String(g), a.String(h), a.String(sum), a.String(want))
		}
		minus := must[cgt.Game](t)(a.Neg(g))
		if want := value(t, a, negate(x)); minus != want {
			t.Fatalf("-%s is %s, want %s", a.String(g), a.String(minus), a.String(want))
		}
		var want cgt.Outcome
		if wins(true, x) {
			want |= cgt.L
		}
		if wins(false, x) {
			want |= cgt.R
		}
		if got := a.Outcome(g); got != want {
			t.Fatalf("the outcome of %s is %v, want %v", a.String(g), got, want)
		}
	}
}
