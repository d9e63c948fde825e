package area

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/gosearch"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

// referee compares certificates with the solver of superko.
type referee struct {
	t       *testing.T
	area    *gosearch.Solver
	exact   map[weiqi.Ko]*superko.Solver
	holds   int // claims shown
	mended  int // of them, those for which other moves were found
	refused int // claims not shown
	wrong   int // of them, those that do not hold
	lines   int // that repeat a board
}

var superkos = []weiqi.Ko{weiqi.Positional, weiqi.Situational}

func newReferee(t *testing.T, size board.Size) *referee {
	r := &referee{t: t, exact: map[weiqi.Ko]*superko.Solver{}}
	var err error
	if r.area, err = gosearch.New(size, gosearch.Options{Memory: 32 << 20, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.area.Close)
	for _, ko := range superkos {
		if r.exact[ko], err = superko.New(t.Context(), size, superko.Options{Rules: weiqi.Rules{Ko: ko}, Threads: 1}); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// judge proves all that the search can prove within some nodes after moves from a start, and
// compares the claims that hold under superko with the exact score.
func (r *referee) judge(start weiqi.Position, moves []board.Point) {
	t := r.t
	t.Helper()
	for _, ko := range superkos {
		game := weiqi.NewHistory(weiqi.Rules{Ko: ko}, start)
		var before []weiqi.Position
		for _, move := range moves {
			before = append(before, game.Position())
			if game.Push(move) != nil {
				return // another rule would allow it
			}
		}
		p := game.Position()
		if p.Over() {
			return
		}
		bounds, _ := r.area.Solve(t.Context(), p, gosearch.All(p.Size), 20_000) // an error says that nodes are used up
		score, err := r.exact[ko].Solve(t.Context(), superko.Question{Start: start, Moves: moves})
		if err != nil || !score.Exact() {
			t.Fatal(score, err)
		}
		var claims []Claim
		for goal := bounds.Low; goal > -p.Size.Points(); goal -= 3 {
			claims = append(claims, Claim{p, board.Black, goal})
		}
		for goal := -bounds.High; goal > -p.Size.Points(); goal -= 3 {
			claims = append(claims, Claim{p, board.White, goal})
		}
		for _, claim := range claims {
			reached := score.Low
			if claim.Prover == board.White {
				reached = -score.Low
			}
			switch shown := r.shown(claim, ko, before); {
			case shown && reached < claim.Goal:
				t.Errorf("%s, after %v from %s under %s: accepted, and the score is %d", claim, moves, start, ko, reached)
			case !shown && reached < claim.Goal:
				r.wrong++
			}
		}
	}
}

// shown reports whether a certificate of a claim holds under superko.
func (r *referee) shown(claim Claim, ko weiqi.Ko, before []weiqi.Position) bool {
	t := r.t
	t.Helper()
	if v, err := r.area.Prove(t.Context(), gosearch.Question{Position: claim.Root, Prover: claim.Prover, Goal: claim.Goal}, 50_000); err != nil || v != gosearch.Proven {
		return false
	}
	o := SuperkoOptions{Ko: ko, Before: before}
	plain, err := Extract(t.Context(), claim, search{r.area}, nil)
	if err != nil {
		t.Fatal(claim, err)
	}
	repeats, err := Superko(t.Context(), plain, o)
	if err != nil {
		t.Fatal(err)
	}
	if repeats != nil && repeats.Sure && repeats.Line != nil {
		r.lines++
		r.checkLine(plain, o, repeats.Line)
	}
	c, again, err := ExtractSuperko(t.Context(), claim, search{r.area}, o, nil)
	if err != nil {
		t.Fatal(claim, err)
	}
	if report, err := Verify(t.Context(), c, nil); err != nil || !report.Valid {
		t.Fatal(report, err)
	}
	switch {
	case again != nil:
		r.refused++
		return false
	case repeats != nil:
		r.mended++
	}
	r.holds++
	return true
}

// checkLine plays a line by a certificate. Its last move repeats a board.
func (r *referee) checkLine(c *Certificate, o SuperkoOptions, line []string) {
	t := r.t
	t.Helper()
	p := c.claim.Root
	boards := append([]weiqi.Position{p}, o.Before...)
	for i, name := range line {
		if step, ok := c.Lookup(p); p.ToPlay == c.claim.Prover && (!ok || (step.Move == weiqi.Pass) != (name == "pass")) {
			t.Errorf("%s: the line %v leaves the certificate with move %d", c.claim, line, i+1)
		}
		next, err := weiqi.Rules{}.Play(p, point(t, p.Size, name))
		if err != nil {
			t.Fatal(err)
		}
		repeats := slices.ContainsFunc(boards, func(h weiqi.Position) bool {
			return name != "pass" && h.Stones == next.Stones && (o.Ko == weiqi.Positional || h.ToPlay == next.ToPlay)
		})
		if i == len(line)-1 && !repeats {
			t.Errorf("%s: the line %v repeats no board under %s", c.claim, line, o.Ko)
		}
		boards = append(boards, next)
		p = next
	}
}

// Where a certificate is said to hold under superko, the score that the solver of superko
// finds agrees with it: from empty boards, random positions and after random games.
func TestSuperkoAgrees(t *testing.T) {
	longtest.Alone(t)
	games := 25
	if longtest.On() {
		games = 1000
	}
	sizes := []string{"1x3", "1x4", "1x5", "1x6", "1x7", "2x2", "2x3", "3x3", "2x4"}
	if longtest.On() {
		sizes = append(sizes, "2x5", "3x4")
	}
	var sum referee
	for _, name := range sizes {
		t.Run(name, func(t *testing.T) {
			size, err := board.ParseSize(name)
			if err != nil {
				t.Fatal(err)
			}
			r := newReferee(t, size)
			r.judge(weiqi.NewPosition(size), nil)
			random := rand.New(rand.NewPCG(33, uint64(size.Points())))
			for range games {
				start := weiqi.NewPosition(size)
				for n := random.IntN(2 * size.Points()); n > 0 && !start.Over(); n-- {
					moves := allMoves(start)
					start, _ = weiqi.Rules{}.Play(start, moves[random.IntN(len(moves))])
				}
				start.Ko = board.NoPoint
				if start.Over() {
					start.Passes = 1
				}
				var moves []board.Point
				p := start
				for n := random.IntN(2 * size.Points()); n > 0 && !p.Over(); n-- {
					all := allMoves(p)
					move := all[random.IntN(len(all))]
					p, _ = weiqi.Rules{}.Play(p, move)
					moves = append(moves, move)
				}
				r.judge(start, nil)
				r.judge(start, moves)
			}
			t.Logf("%d claims hold, %d of them by other moves; %d were not shown, %d of them are wrong; %d lines repeat a board",
				r.holds, r.mended, r.refused, r.wrong, r.lines)
			sum.holds += r.holds
			sum.mended += r.mended
			sum.wrong += r.wrong
			sum.lines += r.lines
		})
	}
	if sum.holds == 0 || sum.mended == 0 || sum.wrong == 0 || sum.lines == 0 {
		t.Errorf("%+v: something was not tried", sum)
	}
}

// After this game Black gets all points of 1×4 under basic ko, and only one under superko: the
// proof rests on a board of the game.
func TestSuperkoKnowsTheGameBefore(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 4}
	r := newReferee(t, size)
	start, err := weiqi.ParsePosition("o.x.")
	if err != nil {
		t.Fatal(err)
	}
	var moves []board.Point
	var before []weiqi.Position
	p := start
	for _, name := range strings.Fields("B1 pass A1 D1 A1 pass") {
		before = append(before, p)
		moves = append(moves, point(t, size, name))
		if p, err = (weiqi.Rules{Ko: weiqi.Positional}).Play(p, moves[len(moves)-1]); err != nil {
			t.Fatal(err)
		}
	}
	claim := Claim{p, board.Black, 4}
	for _, ko := range superkos {
		score, err := r.exact[ko].Solve(t.Context(), superko.Question{Start: start, Moves: moves})
		if err != nil || score.Low != 1 {
			t.Errorf("the score is %+v, %v", score, err)
		}
		if r.shown(claim, ko, before) {
			t.Errorf("%s was accepted under %s", claim, ko)
		}
	}
}

// A ban of the root binds the other side for a reason that is not in the file. A look that is
// stopped says so.
func TestSuperkoSaysWhatItDoesNotKnow(t *testing.T) {
	p, err := weiqi.ParsePosition(".xo./x.xo/.xo.")
	if err != nil {
		t.Fatal(err)
	}
	p.ToPlay = board.White
	p.Ko = p.Size.At(1, 1)
	c := &Certificate{claim: Claim{p, board.Black, -12}, coder: newCoder(p.Size)}
	found, err := Superko(t.Context(), c, SuperkoOptions{Ko: weiqi.Positional})
	if err != nil || found == nil || found.Error() != "the ban of the root says too little of the game before" {
		t.Errorf("%v, %v", found, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Superko(ctx, prove(t, board.Size{Rows: 3, Cols: 3}, "", board.Black, 9), SuperkoOptions{Ko: weiqi.Positional}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// The boards of 3×3, 3×4 and 2×5 are won under superko too.
func TestSuperkoOfEmptyBoards(t *testing.T) {
	longtest.Alone(t)
	for _, test := range []struct{ rows, cols, goal int }{{3, 3, 9}, {3, 4, 4}, {2, 5, 10}} {
		done := 0
		c := prove(t, board.Size{Rows: test.rows, Cols: test.cols}, "", board.Black, test.goal)
		for _, ko := range superkos {
			found, err := Superko(t.Context(), c, SuperkoOptions{Ko: ko, Progress: func(n, _ int) { done = n }})
			if err != nil || found != nil || done != 3*c.Len() {
				t.Errorf("%s under %s: %v, %v, %d entries done", c.claim, ko, found, err, done)
			}
		}
	}
}
