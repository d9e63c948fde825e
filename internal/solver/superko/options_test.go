package superko_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/internal/solver/superko"
	"tengen/tablebase"
	"tengen/weiqi"
)

// usual names the parts that are on unless they are switched off.
func usual() []string {
	var names []string
	for _, p := range superko.Parts() {
		if p.Usual {
			names = append(names, p.Name)
		}
	}
	return names
}

// Any parts, threads and memory give the same score, after any game.
func TestSameAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.SampledFrom([]board.Size{
			{Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 5, Cols: 1}, {Rows: 1, Cols: 6}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3},
		}).Draw(t, "size")
		rules := rapid.SampledFrom([]weiqi.Rules{psk, ssk}).Draw(t, "rules")
		o := superko.Options{Rules: rules, Threads: rapid.IntRange(1, 4).Draw(t, "threads")}
		least, err := superko.NewFootprint(size, rules, o.Threads)
		if err != nil {
			t.Fatal(err)
		}
		o.Memory = least.Bytes + rapid.SampledFrom([]int64{0, 1000, 10_000, 100_000, 1 << 30}).Draw(t, "room")
		o.Without = rapid.SliceOfN(rapid.SampledFrom(usual()), 0, 1).Draw(t, "without")
		if len(o.Without) > 0 {
			o.Memory = 0 // with a part off and little memory as well, the search takes too long
		}
		if rules == psk {
			o.With = rapid.SliceOf(rapid.SampledFrom(superko.Theorems())).Draw(t, "with")
		}
		s, err := superko.New(context.Background(), size, o)
		if err != nil {
			t.Fatal(err)
		}
		reference, err := superko.New(context.Background(), size, superko.Options{Rules: rules, Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		for range 5 {
			q := randomGame(rnd, rules, weiqi.NewPosition(size), rnd.IntN(4*size.Points()))
			a, err := s.Solve(context.Background(), q)
			b, err2 := reference.Solve(context.Background(), q)
			if err != nil || err2 != nil || a != b {
				t.Fatalf("%v: %v, %v and %v, %v", q.Moves, a, err, b, err2)
			}
		}
	})
}

// One solver that remembers facts, asked about many games in a row, agrees with
// one that does not. A verdict is used again only where its reason allows.
func TestReasons(t *testing.T) {
	longtest.Alone(t)
	rnd := rand.New(rand.NewPCG(5, 2))
	games := 400
	if longtest.On() {
		games = 20_000
	}
	for _, size := range []board.Size{{Rows: 1, Cols: 4}, {Rows: 1, Cols: 5}, {Rows: 1, Cols: 6}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}} {
		for _, rules := range []weiqi.Rules{psk, ssk} {
			with := newSolver(t, size, superko.Options{Rules: rules})
			without := newSolver(t, size, superko.Options{Rules: rules, Without: []string{"tt"}})
			for range games {
				q := randomGame(rnd, rules, weiqi.NewPosition(size), rnd.IntN(8*size.Points()))
				if a, b := score(t, with, q), score(t, without, q); a != b {
					t.Fatalf("%s under %s after %v: %d, without what is remembered %d", size, rules, q.Moves, a, b)
				}
			}
		}
	}
}

// Every start on rows of up to five points has the same score with every theorem
// and with none, with and without remembered facts.
func TestAllPartsOnStarts(t *testing.T) {
	longtest.Alone(t)
	for points := 1; points <= 5; points++ {
		size := board.Size{Rows: 1, Cols: points}
		for _, rules := range []weiqi.Rules{psk, ssk} {
			reference := newSolver(t, size, superko.Options{Rules: rules})
			var others []*superko.Solver
			for _, o := range []superko.Options{
				{Without: []string{"tt"}},
				{Without: []string{"depths", "learned", "knowledge"}},
				{With: superko.Theorems()},
				{Without: []string{"tt"}, With: superko.Theorems()},
			} {
				if o.Rules = rules; rules == psk || o.With == nil {
					others = append(others, newSolver(t, size, o))
				}
			}
			positions(size, func(p weiqi.Position) {
				q := superko.Question{Start: p}
				want := score(t, reference, q)
				for i, s := range others {
					if got := score(t, s, q); got != want {
						t.Fatalf("%s, %s to play, %d passes: %d, and %d with other parts (%d)", p, p.ToPlay, p.Passes, want, got, i)
					}
				}
			})
		}
	}
}

// loopRules builds the table of a board under basic ko with the scores if loops
// are lost and won by the side to play.
func loopRules(t *testing.T, size board.Size) *tablebase.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	if _, err := retro.Build(context.Background(), path, retro.Options{Size: size, Loops: tablebase.Range, Threads: 1}); err != nil {
		t.Fatal(err)
	}
	table, err := tablebase.Open(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { table.Close() })
	return table
}

// Under situational superko the score of a start lies between the two scores under
// basic ko, where loops are lost or won by the side to play. Under positional
// superko this holds for empty boards, but not for all boards. In .x.x.x after a
// pass of Black, White takes F1, and Black may never take back, whoever is to play
// then.
func TestWithinLoopRules(t *testing.T) {
	longtest.Alone(t)
	for _, size := range []board.Size{{Rows: 1, Cols: 5}, {Rows: 1, Cols: 6}, {Rows: 2, Cols: 3}} {
		table := loopRules(t, size)
		for _, rules := range []weiqi.Rules{psk, ssk} {
			s := newSolver(t, size, superko.Options{Rules: rules})
			positions(size, func(p weiqi.Position) {
				v, err := table.Value(p)
				if err != nil {
					t.Fatal(err)
				}
				got := score(t, s, superko.Question{Start: p}) * (1 - 2*int(p.ToPlay))
				within := v.Lo <= got && got <= v.Hi
				stones := p.Empty().Len() < size.Points()
				if known := rules == psk && (p.String() == ".x.x.x" || p.String() == "x.x.x.") && p.ToPlay == board.Black && p.Passes == 0; known && within {
					t.Errorf("%s: %d is within %d and %d", p, got, v.Lo, v.Hi)
				}
				if (rules == ssk || !stones) && !within {
					t.Errorf("%s, %s to play, %d passes: %d under %s, not within %d and %d", p, p.ToPlay, p.Passes, got, rules, v.Lo, v.Hi)
				}
			})
		}
	}
}

// The position outside of the loop rules has the same score without remembered
// facts.
func TestOutsideLoopRules(t *testing.T) {
	longtest.Alone(t)
	start, err := weiqi.ParsePosition(".x.x.x")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []superko.Options{{}, {Without: []string{"tt"}}} {
		if got := score(t, newSolver(t, start.Size, o), superko.Question{Start: start}); got != 1 {
			t.Errorf("%s is %d without %v", start, got, o.Without)
		}
	}
}

// The conjecture does not change the scores of rows of up to seven points, and the
// answer says when it was used.
func TestConjecture(t *testing.T) {
	longtest.Alone(t)
	for points := 3; points <= 7; points++ {
		size := board.Size{Rows: 1, Cols: points}
		s := newSolver(t, size, superko.Options{With: []string{"conjecture"}})
		a, err := s.Solve(context.Background(), superko.Question{Start: weiqi.NewPosition(size)})
		if err != nil || a.Low != openings[points][0] || !a.Conjectural {
			t.Errorf("%s: %v, %v", size, a, err)
		}
	}
}

// A search that is stopped returns the bounds proven so far.
func TestStop(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 9}
	s := newSolver(t, size, superko.Options{Threads: 2})
	q := superko.Question{Start: weiqi.NewPosition(size)}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, err := s.Solve(ctx, q)
	if want := (superko.Answer{Low: 0, High: 9}); !errors.Is(err, context.Canceled) || a != want { // by theorem 1
		t.Errorf("stopped at once: %v, %v", a, err)
	}
	known := superko.Answer{Low: -9, High: 4}
	if a, err := s.SolveWithin(ctx, q.After(4), known); !errors.Is(err, context.Canceled) || a != known {
		t.Errorf("a move, stopped at once: %v, %v", a, err)
	}
	if line, err := s.Short(ctx, q); !errors.Is(err, context.Canceled) || line != nil {
		t.Errorf("a short line, stopped at once: %v, %v", line, err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for s.Stats().Nodes < 20_000 {
			if ctx.Err() != nil {
				return
			}
		}
		cancel()
	}()
	if a, err = s.Solve(ctx, q); err == nil && a.Low != 0 || a.Low > 0 || a.High < 0 {
		t.Errorf("stopped on the way: %v, %v", a, err)
	}
	cancel()
	<-done
	if got := score(t, s, q); got != 0 {
		t.Errorf("1x9 is %d after a stop", got)
	}
}

// With too little memory for all proofs, some are forgotten, and the answer stays
// the same.
func TestForgetting(t *testing.T) {
	size := board.Size{Rows: 1, Cols: 8}
	q := superko.Question{Start: weiqi.NewPosition(size)}
	roomy := newSolver(t, size, superko.Options{})
	want := score(t, roomy, q)
	for _, threads := range []int{1, 3} {
		least, err := superko.NewFootprint(size, psk, threads)
		if err != nil {
			t.Fatal(err)
		}
		room := roomy.Stats().Bytes / 3
		s := newSolver(t, size, superko.Options{Threads: threads, Memory: least.Bytes + room})
		got, stats := score(t, s, q), s.Stats()
		if got != want || stats.Sweeps == 0 || stats.Bytes > room+100_000*int64(threads) {
			t.Errorf("%d threads: %d, %d bytes of %d after %d sweeps", threads, got, stats.Bytes, room, stats.Sweeps)
		}
		// One thread takes 68,638 positions with enough memory, and millions if
		// the solver stops remembering when it is full.
		if threads == 1 && stats.Nodes > 400_000 {
			t.Errorf("with a third of the memory it takes %d positions", stats.Nodes)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		size string
		o    superko.Options
		want string
	}{
		{"1x5", superko.Options{}, "not basic"},
		{"1x5", superko.Options{Rules: weiqi.TrompTaylor}, "not tromp-taylor"},
		{"1x15", superko.Options{Rules: psk}, "1x14"},
		{"4x4", superko.Options{Rules: ssk}, "3x4"},
		{"1x5", superko.Options{Rules: psk, Without: []string{"magic"}}, "no part"},
		{"1x5", superko.Options{Rules: ssk, With: []string{"total"}}, "positional superko"},
		{"1x5", superko.Options{Rules: ssk, With: []string{"all"}}, "positional superko"},
		{"1x5", superko.Options{Rules: psk, With: []string{"total"}, Without: []string{"total"}}, "on and off at once"},
		{"1x5", superko.Options{Rules: psk, Without: []string{"all"}}, "no part"},
		{"1x5", superko.Options{Rules: psk, With: []string{"total"}, Record: true}, "rests on the rules alone"},
		{"1x5", superko.Options{Rules: psk, Without: []string{"tt"}, Record: true}, "needs the part tt"},
		{"1x14", superko.Options{Rules: psk, Memory: 1 << 20}, "the limit is 1048576"},
	} {
		size, err := board.ParseSize(c.size)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := superko.New(t.Context(), size, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.size, err, c.want)
		}
	}
	size := board.Size{Rows: 1, Cols: 5}
	s := newSolver(t, size, superko.Options{})
	empty := weiqi.NewPosition(size)
	dead := empty
	dead.Stones[0].Add(0)
	dead.Stones[1].Add(1)
	dead.Stones[0].Add(2)
	banned := empty
	banned.Ko = 1
	for want, q := range map[string]superko.Question{
		"1x6":           {Start: weiqi.NewPosition(board.Size{Rows: 1, Cols: 6})},
		"no liberty":    {Start: dead},
		"give the move": {Start: banned},
		"move 2: white": {Start: empty, Moves: []board.Point{1, 1}},
		"move 4: white": {Start: empty, Moves: []board.Point{1, weiqi.Pass, 3, 2}},
		"move 3: black": {Start: empty, Moves: []board.Point{weiqi.Pass, weiqi.Pass, 2}},
	} {
		if a, err := s.Solve(context.Background(), q); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, %v, want %q", q.Moves, a, err, want)
		}
	}
	size = board.Size{Rows: 1, Cols: 2}
	repeated := superko.Question{Start: weiqi.NewPosition(size), Moves: []board.Point{0, 1, 0}}
	if _, err := newSolver(t, size, superko.Options{}).Solve(context.Background(), repeated); err == nil || !strings.Contains(err.Error(), "move 3: black may not play A1: the board would repeat") {
		t.Errorf("a repetition: %v", err)
	}
	over := superko.Question{Start: empty, Moves: []board.Point{1, weiqi.Pass, weiqi.Pass}}
	if got := score(t, s, over); got != 5 {
		t.Errorf("a game that is over: %d", got)
	}
}
