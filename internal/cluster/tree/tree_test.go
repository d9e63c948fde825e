package tree_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"tengen/internal/cluster/tree"
)

// A made-up game: positions are numbers, moves lead to larger ones, so that positions are
// reached in several ways. Who cannot move has lost.
type made struct {
	moves   [][]int
	outcome []tree.Outcome
}

func makeUp(seed uint64, positions, most int) made {
	r := rand.New(rand.NewPCG(seed, 1))
	g := made{make([][]int, positions), make([]tree.Outcome, positions)}
	for p := positions - 1; p >= 0; p-- {
		g.outcome[p] = tree.Lost
		for range r.IntN(most + 1) {
			if next := p + 1 + r.IntN(20); next < positions {
				g.moves[p] = append(g.moves[p], next)
				if g.outcome[next] == tree.Lost {
					g.outcome[p] = tree.Won
				}
			}
		}
	}
	return g
}

func (g made) branches(p int, known func(int) bool) []tree.Branch[int] {
	var list []tree.Branch[int]
	for _, next := range g.moves[p] {
		b := tree.Branch[int]{Key: next}
		if known(next) {
			b.Outcome = g.outcome[next]
		}
		list = append(list, b)
	}
	return list
}

// Whatever leaves are opened, decided, given back or told twice, and in which order: the
// root gets its true outcome, nothing is handed out twice at a time, and the solution
// proves it.
func TestTheRootIsRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := makeUp(rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 200).Draw(t, "positions"), 4)
		search := tree.New(0)
		var out []int
		for steps := 0; search.Outcome() == tree.Unknown; steps++ {
			if steps > 100_000 {
				t.Fatal("no end")
			}
			if p, worth, ok := search.Take(); ok {
				if worth <= 0 || worth > 1 {
					t.Fatalf("worth %g", worth)
				}
				for _, other := range out {
					if other == p {
						t.Fatalf("%d is handed out twice", p)
					}
				}
				out = append(out, p)
			} else if len(out) == 0 {
				t.Fatal("nothing is open and nothing is out")
			}
			for len(out) > 0 && (rapid.IntRange(0, 3).Draw(t, "wait") > 0 || len(out) > 6) {
				i := rapid.IntRange(0, len(out)-1).Draw(t, "which")
				p := out[i]
				out = append(out[:i], out[i+1:]...)
				switch rapid.IntRange(0, 4).Draw(t, "what") {
				case 0:
					search.Return(p)
				case 1, 2:
					search.Expand(p, g.branches(p, func(n int) bool { return n%3 == 0 }))
				default:
					search.Decide(p, g.outcome[p])
					search.Decide(p, g.outcome[p])
				}
			}
		}
		if search.Outcome() != g.outcome[0] {
			t.Fatalf("the root is %d, not %d", search.Outcome(), g.outcome[0])
		}
		checkSolution(t, g, search)
	})
}

// checkSolution follows the solution: moves of the winner lead to lost positions, and
// every reply is in it.
func checkSolution(t *rapid.T, g made, search *tree.Tree[int]) {
	moves, leaves := map[int]int{}, map[int]bool{}
	search.Solution(func(from, to int) { moves[from] = to }, func(p int) { leaves[p] = true })
	var follow func(p int)
	follow = func(p int) {
		switch to, ok := moves[p]; {
		case leaves[p]:
			if search.Known(p) != g.outcome[p] {
				t.Fatalf("leaf %d is %d, not %d", p, search.Known(p), g.outcome[p])
			}
		case ok:
			if g.outcome[p] != tree.Won || g.outcome[to] != tree.Lost {
				t.Fatalf("the move from %d to %d does not win", p, to)
			}
			follow(to)
		default:
			if g.outcome[p] != tree.Lost {
				t.Fatalf("%d has neither a move nor is it a leaf", p)
			}
			for _, next := range g.moves[p] {
				follow(next)
			}
		}
	}
	follow(0)
}

// One worker takes the line of the moves that are ranked first.
func TestOneWorkerGoesDownTheFirstLine(t *testing.T) {
	search := tree.New("")
	want := ""
	for range 5 {
		p, worth, _ := search.Take()
		if p != want || worth != 1 {
			t.Fatalf("took %q at worth %g, not %q", p, worth, want)
		}
		search.Expand(p, []tree.Branch[string]{{Key: p + "a"}, {Key: p + "b"}, {Key: p + "c"}})
		want += "a"
	}
}

// A second worker takes what is needed anyway before what may be: replies to a move that
// wins rather than another move.
func TestRepliesComeBeforeOtherMoves(t *testing.T) {
	search := tree.New("")
	open := func(p string, moves ...string) {
		var list []tree.Branch[string]
		for _, m := range moves {
			list = append(list, tree.Branch[string]{Key: p + m})
		}
		search.Expand(p, list)
	}
	search.Take()
	open("", "a", "b", "c")
	search.Take()
	open("a", "x", "y", "z")
	search.Decide("ax", tree.Won) // one reply fails: the move looks better
	first, _, _ := search.Take()
	second, worth, _ := search.Take()
	if first != "ay" || second != "az" {
		t.Errorf("took %q and %q (worth %g), not the replies ay and az", first, second, worth)
	}
}

// A leaf of a decided position is not needed any more, unless it is reached in another way.
func TestNeeded(t *testing.T) {
	search := tree.New("r")
	search.Expand("r", []tree.Branch[string]{{Key: "a"}, {Key: "b"}})
	search.Expand("a", []tree.Branch[string]{{Key: "both"}, {Key: "mine"}})
	search.Expand("b", []tree.Branch[string]{{Key: "both"}, {Key: "yours"}})
	search.Decide("a", tree.Won)
	for key, want := range map[string]bool{"r": true, "a": false, "mine": false, "both": true, "yours": true, "none": false} {
		if got := search.Needed(key); got != want {
			t.Errorf("%s: needed %v", key, got)
		}
	}
	search.Decide("b", tree.Lost)
	if search.Outcome() != tree.Won || search.Needed("both") {
		t.Errorf("root %d, both needed %v", search.Outcome(), search.Needed("both"))
	}
}

// A job that is not needed any more is cancelled and has no answer. Its leaf can be taken
// again when it is reached in another way.
func TestACancelledLeafCanBeTakenAgain(t *testing.T) {
	search := tree.NewSearch("r", tree.Default)
	open := func(at string, to ...string) (idle []string) {
		report := tree.Report[string]{Key: at, Opened: true}
		for _, key := range to {
			report.Branches = append(report.Branches, tree.Branch[string]{Key: key})
		}
		return search.Done(report)
	}
	search.Next()
	open("r", "a", "b")
	search.Next()
	open("a", "x", "y")
	for range 3 { // x, y and b
		if _, ok := search.Next(); !ok {
			t.Fatal("a leaf is missing")
		}
	}
	if idle := search.Done(tree.Report[string]{Key: "y", Outcome: tree.Lost}); len(idle) != 1 || idle[0] != "x" {
		t.Fatalf("not needed any more: %q, not x", idle)
	}
	search.Done(tree.Report[string]{Key: "x"}) // what a cancelled worker says
	open("b", "x")
	if next, ok := search.Next(); !ok || next.Key != "x" {
		t.Errorf("the next job is %q (%t), not x", next.Key, ok)
	}
}

// Opening a leaf does not change its chance.
func TestOpeningKeepsTheChance(t *testing.T) {
	search := tree.New(0)
	before := search.Chance()
	search.Expand(0, []tree.Branch[int]{{Key: 1}, {Key: 2}, {Key: 3}, {Key: 4}})
	search.Expand(1, []tree.Branch[int]{{Key: 5}, {Key: 6}})
	if after := search.Chance(); after < before-1e-9 || after > before+1e-9 {
		t.Errorf("the chance was %g and is %g", before, after)
	}
}

// Chances follow Bayes' rule: a refuted move makes the others more likely to win, and the
// position less.
func TestChances(t *testing.T) {
	search := tree.New(0)
	before := search.Chance()
	search.Expand(0, []tree.Branch[int]{{Key: 1}, {Key: 2}, {Key: 3}})
	if got := search.Chance(); math.Abs(got-before) > 1e-6 {
		t.Errorf("opening the root takes its chance from %g to %g", before, got)
	}
	for refuted, left := range []float64{1: 0.5, 2: 0.25} {
		if refuted > 0 {
			search.Decide(refuted, tree.Won)
		}
		if left == 0 {
			left = 1
		}
		want := before * left / (before*left + 1 - before)
		if got := search.Chance(); math.Abs(got-want) > 1e-6 {
			t.Errorf("after %d refuted moves the chance is %g, not %g", refuted, got, want)
		}
	}
	if search.Decide(3, tree.Won); search.Outcome() != tree.Lost {
		t.Error("all moves are refuted, and the root is not lost")
	}
}
