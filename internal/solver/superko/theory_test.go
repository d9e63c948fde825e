package superko

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/weiqi"
)

// trial compares the theorems with a search that uses none of them.
type trial struct {
	t      *testing.T
	solver *Solver
	theory *theory
	claims map[string]int // number of positions to which a theorem applied
}

func newTrial(t *testing.T, points int, ko weiqi.Ko) *trial {
	t.Helper()
	s, err := New(t.Context(), board.Size{Rows: 1, Cols: points}, Options{Rules: weiqi.Rules{Ko: ko}, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &trial{t: t, solver: s, theory: newTheory(s.graph, switches{total: true, packed: true, telomeres: true}), claims: map[string]int{}}
}

// value is the score for a side.
func (x *trial) value(q Question, side board.Colour) int {
	x.t.Helper()
	a, err := x.solver.Solve(context.Background(), q)
	if err != nil {
		x.t.Fatal(err)
	}
	return a.Low * (1 - 2*int(side))
}

// question loads a question, and reports whether its game is not over.
func (x *trial) question(q Question) (*worker, root, bool) {
	x.t.Helper()
	r, err := x.solver.root(q)
	if err != nil {
		x.t.Fatal(err)
	}
	w := x.solver.workers[0]
	w.load(r)
	return w, r, !r.over
}

// check tries every theorem on one question, one at a time.
func (x *trial) check(q Question) {
	x.t.Helper()
	for _, name := range []string{"total", "packed", "telomeres"} {
		x.theory.on = switches{}
		f, err := x.theory.on.find(name)
		if err != nil {
			x.t.Fatal(err)
		}
		*f.on = true
		x.verdicts(name, q)
	}
	x.prunings(q)
}

func (x *trial) verdicts(name string, q Question) {
	x.t.Helper()
	points := x.solver.graph.points
	for t := -points + 1; t <= points; t++ {
		w, r, on := x.question(q)
		if !on {
			return
		}
		why := newReason(x.solver.graph.ids())
		v := x.theory.verdict(w, r.key, t, &why)
		if v == open {
			continue
		}
		x.claims[name]++
		if got := x.value(q, r.key.own()) >= t; got != (v == proven) {
			x.t.Fatalf("%s, %s: at least %d is %v for %s in %s after %v from %s", name, x.solver.graph.rules, t, got,
				r.key.own(), r.game.Position(), q.Moves, q.Start)
		}
	}
}

// prunings: no pruned move reaches a threshold that the other moves do not.
func (x *trial) prunings(q Question) {
	x.t.Helper()
	w, r, on := x.question(q)
	if !on || x.theory.claims[r.key.state()] == ([2]*claim{}) {
		return
	}
	points := x.solver.graph.points
	values := map[board.Point]int{}
	for _, p := range r.moves() {
		values[p] = x.value(q.After(p), r.key.own())
	}
	for t := -points + 1; t <= points; t++ {
		w.load(r)
		why := newReason(x.solver.graph.ids())
		out := x.theory.pruned(w, r.key, t, &why)
		if out == (cut{}) {
			continue
		}
		best, lost := -points, -points
		for p, v := range values {
			if p == weiqi.Pass && out.pass || p != weiqi.Pass && out.cells>>p&1 != 0 {
				lost = max(lost, v)
			} else {
				best = max(best, v)
			}
		}
		x.claims["theorem 7"]++
		if out.pass {
			x.claims["theorem 8"]++
		}
		if lost >= t && best < t {
			x.t.Fatalf("telomeres, %s: for %s moves %v are left out, worth %d, others %d, in %s after %v from %s", x.solver.graph.rules,
				r.key.own(), out, lost, best, r.game.Position(), q.Moves, q.Start)
		}
	}
}

// starts calls visit with every board of the graph as the start of a game.
func (x *trial) starts(visit func(Question)) {
	size := x.solver.size
	for _, b := range x.solver.graph.boards {
		for c := range board.Colour(2) {
			for passes := range uint8(2) {
				p := weiqi.NewPosition(size)
				p.Stones[0][0], p.Stones[1][0], p.ToPlay, p.Passes = b[0], b[1], c, passes
				visit(Question{Start: p})
			}
		}
	}
}

// spoken fails if a theorem never applied on a row where it should.
func (x *trial) spoken(points int) {
	x.t.Helper()
	for name, from := range map[string]int{"total": 3, "packed": 3, "telomeres": 4, "theorem 7": 4, "theorem 8": 7} {
		if silent := name == "packed" && points > packedPoints; points >= from && !silent && x.claims[name] == 0 {
			x.t.Errorf("%s said nothing on %d points", name, points)
		}
	}
}

// Theorems 4 to 8 on every board as a start.
func TestTheoremsOnStarts(t *testing.T) {
	longtest.Alone(t)
	points := 7
	if longtest.On() {
		points = 8
	}
	for n := 3; n <= points; n++ {
		x := newTrial(t, n, weiqi.Positional)
		x.starts(x.check)
		x.spoken(n)
	}
}

// randomQuestion makes random moves from a random board, seldom passes.
func (x *trial) randomQuestion(rnd *rand.Rand, moves int) Question {
	g := x.solver.graph
	start := weiqi.NewPosition(x.solver.size)
	if rnd.IntN(2) == 0 {
		b := g.boards[rnd.IntN(len(g.boards))]
		start.Stones[0][0], start.Stones[1][0] = b[0], b[1]
	}
	start.ToPlay = board.Colour(rnd.IntN(2))
	h := weiqi.NewHistory(g.rules, start)
	for range moves {
		var list []board.Point
		for p := range h.Legal().Points() {
			list = append(list, p)
		}
		switch {
		case len(list) > 0 && rnd.IntN(8) > 0:
			_ = h.Push(list[rnd.IntN(len(list))])
		case h.Position().Passes == 0:
			_ = h.Push(weiqi.Pass)
		}
	}
	return Question{Start: start, Moves: h.Moves()}
}

// Theorems 4 to 8 after random games.
func TestTheoremsAfterGames(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	rnd := rand.New(rand.NewPCG(5, 3))
	games := 1500
	if longtest.On() {
		games = 50_000
	}
	for n := 3; n <= 7; n++ {
		x := newTrial(t, n, weiqi.Positional)
		for range games {
			x.check(x.randomQuestion(rnd, rnd.IntN(3*n)))
		}
		x.spoken(min(n, 6))
	}
}

// Theorem 2, as the paper states it, and the 1–2 conjecture, in positions
// where nobody has played at the first two cells.
func TestTheorem2(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(5, 4))
	for n := 3; n <= 7; n++ {
		x := newTrial(t, n, weiqi.Positional)
		tried := 0
		for range 3000 {
			q := x.randomQuestion(rnd, rnd.IntN(n))
			w, r, on := x.question(q)
			if !on || x.theory.unplayedEnds(w, r.key)[0] == (stones{}) || r.key.passed() {
				continue
			}
			tried++
			own := r.key.own()
			if x.value(q.After(0).After(1), own) > x.value(q.After(weiqi.Pass).After(1), own) {
				t.Fatalf("theorem 2 is not true after %v from %s", q.Moves, q.Start)
			}
			if x.value(q.After(0), own) > x.value(q.After(1), own) {
				t.Fatalf("the 1–2 conjecture is not true after %v from %s", q.Moves, q.Start)
			}
		}
		if tried < 100 {
			t.Errorf("%d points: only %d states", n, tried)
		}
	}
}

// These are counterexamples to theorems as they are printed.
func TestTheoremsAsPrinted(t *testing.T) {
	longtest.Alone(t)
	for _, c := range []struct {
		start, moves, row string
		toPlay            board.Colour
		score             int
	}{
		// Theorem 5 would give 0: nobody has played in their own territory.
		{".....", "pass B1 pass E1 D1", ".o.x.", board.White, 5},
		// Figure 9 would give Black all six.
		{"..xx.o", "", "..xx.o", board.White, 3},
		// Figure 9 would give White at least 0: E1 and F1 were never there together.
		{"...xo..", "C1 pass A1 B1 G1 A1 C1 F1", "..x.oo.", board.Black, 2},
	} {
		x := newTrial(t, len(c.start), weiqi.Positional)
		start, err := weiqi.ParsePosition(c.start)
		if err != nil {
			t.Fatal(err)
		}
		start.ToPlay = c.toPlay
		q := Question{Start: start}
		for _, name := range strings.Fields(c.moves) {
			p := weiqi.Pass
			if name != "pass" {
				if p, err = start.Size.ParsePoint(name); err != nil {
					t.Fatal(err)
				}
			}
			q = q.After(p)
		}
		if len(q.Moves)%2 == 1 {
			q.Start.ToPlay = c.toPlay.Opponent()
		}
		if _, r, _ := x.question(q); r.game.Position().String() != c.row || r.key.own() != c.toPlay {
			t.Fatalf("%s, %s to play", r.game.Position(), r.key.own())
		}
		if got := x.value(q, board.Black); got != c.score {
			t.Errorf("%s after %s is %d, want %d", c.row, c.moves, got, c.score)
		}
	}
}
