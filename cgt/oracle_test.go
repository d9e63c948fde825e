package cgt_test

import (
	"math/rand"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
)

// tree is a game as an explicit tree. Its functions follow the definitions,
// without regard to speed and without code of the package. They are the oracle
// of these tests.
type tree struct {
	left, right []*tree
}

func negate(t *tree) *tree {
	n := &tree{}
	for _, o := range t.right {
		n.left = append(n.left, negate(o))
	}
	for _, o := range t.left {
		n.right = append(n.right, negate(o))
	}
	return n
}

func plus(t, u *tree) *tree {
	s := &tree{}
	for _, o := range t.left {
		s.left = append(s.left, plus(o, u))
	}
	for _, o := range u.left {
		s.left = append(s.left, plus(t, o))
	}
	for _, o := range t.right {
		s.right = append(s.right, plus(o, u))
	}
	for _, o := range u.right {
		s.right = append(s.right, plus(t, o))
	}
	return s
}

// wins reports whether the player who moves wins the sum of the trees. Games are
// compared by playing their difference, so that a comparison is one call.
func wins(leftMoves bool, sum ...*tree) bool {
	for i, t := range sum {
		options := t.right
		if leftMoves {
			options = t.left
		}
		for _, o := range options {
			sum[i] = o
			won := !wins(!leftMoves, sum...)
			sum[i] = t
			if won {
				return true
			}
		}
	}
	return false
}

func lessEq(t, u *tree) bool { return !wins(false, u, negate(t)) }

func birthday(t *tree) int {
	born := 0
	for _, options := range [][]*tree{t.left, t.right} {
		for _, o := range options {
			born = max(born, birthday(o)+1)
		}
	}
	return born
}

func integer(n int) *tree {
	switch {
	case n > 0:
		return &tree{left: []*tree{integer(n - 1)}}
	case n < 0:
		return &tree{right: []*tree{integer(n + 1)}}
	}
	return &tree{}
}

// trees draws trees that reach integers after at most depth moves,
// with at most width options a side.
func trees(depth, width int) *rapid.Generator[*tree] {
	if depth == 0 {
		return rapid.Map(rapid.IntRange(-2, 2), integer)
	}
	return rapid.Custom(func(t *rapid.T) *tree {
		side := func(name string) []*tree {
			options := make([]*tree, rapid.IntRange(0, width).Draw(t, name))
			for i := range options {
				options[i] = trees(rapid.IntRange(0, depth-1).Draw(t, "depth"), width).Draw(t, "option")
			}
			return options
		}
		return &tree{side("lefts"), side("rights")}
	})
}

// randomTree draws the same kind of tree faster, for thousands of them.
func randomTree(rng *rand.Rand, depth, width int) *tree {
	if depth == 0 {
		return integer(rng.Intn(5) - 2)
	}
	t := &tree{}
	for range rng.Intn(width + 1) {
		t.left = append(t.left, randomTree(rng, rng.Intn(depth), width))
	}
	for range rng.Intn(width + 1) {
		t.right = append(t.right, randomTree(rng, rng.Intn(depth), width))
	}
	return t
}

// value gives a tree to an arena.
func value(tb rapid.TB, a *cgt.Arena, t *tree) cgt.Game {
	var l, r []cgt.Game
	for _, o := range t.left {
		l = append(l, value(tb, a, o))
	}
	for _, o := range t.right {
		r = append(r, value(tb, a, o))
	}
	return ok(a.Make(l, r))(tb)
}

// pool starts with a few simple games and makes further games out of earlier
// ones, so that there are hot, tepid and cold games of many kinds.
func pool(tb rapid.TB, a *cgt.Arena, rng *rand.Rand, n int) []cgt.Game {
	var games []cgt.Game
	for _, text := range []string{"0", "1", "-1", "2", "-3", "1/2", "-3/4", "*", "*2", "^", "v*", "±1", "{2|0}", "{1||0|-2}"} {
		games = append(games, ok(a.Parse(text))(tb))
	}
	some := func() []cgt.Game {
		var options []cgt.Game
		for range 1 + rng.Intn(3) {
			options = append(options, games[rng.Intn(len(games))])
		}
		return options
	}
	for len(games) < n {
		games = append(games, ok(a.Make(some(), some()))(tb))
	}
	return games
}

// treeOf is a game of an arena as a tree.
func treeOf(a *cgt.Arena, g cgt.Game) *tree {
	t := &tree{}
	for _, o := range a.Left(g) {
		t.left = append(t.left, treeOf(a, o))
	}
	for _, o := range a.Right(g) {
		t.right = append(t.right, treeOf(a, o))
	}
	return t
}

// ok returns the value of a call that must not fail.
func ok[T any](v T, err error) func(rapid.TB) T {
	return func(tb rapid.TB) T {
		if err != nil {
			tb.Helper()
			tb.Fatal(err)
		}
		return v
	}
}

// parse reads a game that is known to be well written.
func parse(tb testing.TB, a *cgt.Arena, text string) cgt.Game {
	tb.Helper()
	return ok(a.Parse(text))(tb)
}
