package sums

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand"
	"slices"
	"sync"
	"testing"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/nogo"
)

// A search that is asked again and again with a small budget finds the same answer as
// one without a budget, because the table is kept. It stays near its budget.
func TestSolveWithin(t *testing.T) {
	size := parseSize(t, "4x3")
	q := solver.Query{Position: nogo.NewPosition(size)}
	plain := newSolver(t, size, Options{Threads: 1})
	want, err := plain.SolveWithin(t.Context(), q, 0)
	if err != nil {
		t.Fatal(err)
	}
	whole := plain.Stats().Nodes
	for _, threads := range []int{1, 2} {
		for _, budget := range []uint64{1, 300, 1000, 10 * whole} {
			if budget == 1 {
				s := newSolver(t, size, Options{Threads: threads, Memory: 4 << 20})
				if _, err := s.SolveWithin(t.Context(), q, budget); !errors.Is(err, solver.ErrBudget) {
					t.Errorf("%d threads: one node gives %v", threads, err)
				}
				continue
			}
			s := newSolver(t, size, Options{Threads: threads, Memory: 4 << 20})
			for last := uint64(0); ; {
				answer, err := s.SolveWithin(t.Context(), q, budget)
				spent := s.Stats().Nodes - last
				last += spent
				if most := budget + uint64(threads)*2048; spent > most {
					t.Errorf("%d threads: %d nodes of %d", threads, spent, budget)
				}
				if err == nil {
					if answer.Winner != want.Winner {
						t.Errorf("%d threads, %d nodes: %s wins, not %s", threads, budget, answer.Winner, want.Winner)
					}
					break
				}
				if !errors.Is(err, solver.ErrBudget) || spent < budget/2 {
					t.Fatalf("%d threads: %v after %d nodes of %d", threads, err, spent, budget)
				}
				if threads == 1 && budget >= 1000 && last > 2*whole {
					t.Fatalf("%d nodes by %d at a time, %d in one search", last, budget, whole)
				}
			}
		}
	}
}

// Answers within a budget are true, moves included, also for limited games. The next
// question without a budget has no limit.
func TestSolveWithinAgreesWithPlayingOut(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	size := parseSize(t, "3x4")
	s := newSolver(t, size, Options{Threads: 1})
	o := newOracle()
	gaveUp := 0
	for i := range 200 {
		p := randomPosition(size, rng.Intn(9), rng)
		q := solver.Query{Position: p, ToPlay: board.Colour(i % 2)}
		if i%3 == 0 {
			limits := everyLimit(p)
			q = limits[rng.Intn(len(limits))]
		}
		answer, err := s.SolveWithin(t.Context(), q, uint64(1+rng.Intn(20)))
		switch {
		case errors.Is(err, solver.ErrBudget):
			gaveUp++
		case err != nil:
			t.Fatal(err)
		case answer.Winner != o.winner(q):
			t.Fatalf("%s does not win %s", answer.Winner, inWords(q))
		case answer.Move != board.NoPoint && o.winner(q.After(answer.Move)) != q.ToPlay:
			t.Fatalf("%s does not win %s", size.Name(answer.Move), inWords(q))
		}
		o.check(t, s, q)
		if i%20 == 0 {
			s.Forget()
		}
	}
	if gaveUp == 0 {
		t.Error("every budget was enough")
	}
}

// A cancelled search returns the error of the context, not that of the budget.
func TestSolveWithinCancelled(t *testing.T) {
	size := parseSize(t, "4x4")
	s := newSolver(t, size, Options{Threads: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	q := solver.Query{Position: nogo.NewPosition(size)}
	if _, err := s.SolveWithin(ctx, q, 1000); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search returned %v", err)
	}
	if _, err := s.SolveWithin(t.Context(), solver.Query{Position: nogo.NewPosition(parseSize(t, "3x4"))}, 1000); err == nil {
		t.Error("a solver for 4x4 took a question about 3x4")
	}
}

// After Forget a solver searches as a new one does, node for node.
func TestForget(t *testing.T) {
	size := parseSize(t, "3x5")
	ask := func(s *Solver) uint64 {
		before := s.Stats().Nodes
		for i, p := range []board.Point{size.At(0, 0), size.At(1, 1)} {
			q := solver.Query{Position: with(nogo.NewPosition(size), board.Black, p), ToPlay: board.White}
			if i == 0 {
				q.Limited, q.Attacker, q.Plies = true, board.White, 9
			}
			answer, err := s.Solve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Winner == board.White {
				if _, err := s.WinningMove(t.Context(), q.Position, board.White); err != nil {
					t.Fatal(err)
				}
			}
		}
		return s.Stats().Nodes - before
	}
	s := newSolver(t, size, Options{Threads: 1})
	fresh := ask(s)
	if again := ask(s); again >= fresh/2 {
		t.Errorf("%d nodes, and %d when the table knows the answers", fresh, again)
	}
	s.Forget()
	if stored := s.Stats().Stored; stored != 0 {
		t.Errorf("%d entries are left", stored)
	}
	if again := ask(s); again != fresh {
		t.Errorf("%d nodes, and %d after Forget", fresh, again)
	}
}

// What one solver learns saves another one the work, and exporting changes nothing.
func TestFactsSaveNodes(t *testing.T) {
	size := parseSize(t, "4x4") // on less, most positions are played out
	q := solver.Query{Position: nogo.NewPosition(size)}
	solve := func(s *Solver, q solver.Query) board.Colour {
		answer, err := s.Solve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return answer.Winner
	}
	plain, exporting := newSolver(t, size, Options{Threads: 1}), newSolver(t, size, Options{Threads: 1})
	exporting.SetExport(20)
	want := solve(plain, q)
	if got := solve(exporting, q); got != want {
		t.Fatalf("%s wins, not %s", got, want)
	}
	if a, b := plain.Stats().Nodes, exporting.Stats().Nodes; a != b {
		t.Errorf("%d nodes, and %d for one that exports", a, b)
	}
	if facts := plain.Export(nil); len(facts) != 0 {
		t.Errorf("%d bytes of facts that nobody asked for", len(facts))
	}
	prefix := []byte("before")
	facts := exporting.Export(prefix)
	if !bytes.HasPrefix(facts, prefix) || len(facts) == len(prefix) {
		t.Fatalf("%d bytes of facts", len(facts))
	}
	facts = facts[len(prefix):]
	if rest := exporting.Export(nil); len(rest) != 0 {
		t.Errorf("%d bytes of facts are left", len(rest))
	}
	importing := newSolver(t, size, Options{Threads: 1, Memory: 1 << 20})
	if err := importing.Import(facts[1:]); err == nil {
		t.Error("facts cut short were taken")
	}
	if err := importing.Import(facts); err != nil {
		t.Fatal(err)
	}
	for p := range size.Mask().Points() {
		// The root is among the facts; its answers need more of them.
		next := solver.Query{Position: with(q.Position, board.Black, p), ToPlay: board.White}
		if got := solve(importing, next); got != want {
			t.Errorf("%s wins, not %s, in %s", got, want, inWords(next))
		}
	}
	if a, b := importing.Stats().Nodes, plain.Stats().Nodes; a >= b/4 {
		t.Errorf("%d nodes with %d facts, %d without", a, len(facts)/lockless.EntryBytes, b)
	}
	exporting.SetExport(0)
	exporting.Forget()
	solve(exporting, q)
	if facts := exporting.Export(nil); len(facts) != 0 {
		t.Errorf("%d bytes of facts after SetExport(0)", len(facts))
	}
}

// Two solvers that exchange all they learn while they search find what is true.
func TestFactsWhileSolving(t *testing.T) {
	size := parseSize(t, "3x5")
	q := solver.Query{Position: nogo.NewPosition(size)}
	alone := newSolver(t, size, Options{Threads: 1})
	want, err := alone.Solve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	solvers := [2]*Solver{}
	for i := range solvers {
		solvers[i] = newSolver(t, size, Options{Threads: 1 + i, Memory: 64 << 10})
		solvers[i].SetExport(10)
	}
	done := make(chan struct{})
	var searches, exchange sync.WaitGroup
	for i, s := range solvers {
		searches.Go(func() {
			answer, err := s.Solve(t.Context(), q)
			if err != nil || answer.Winner != want.Winner {
				t.Errorf("%s wins (%v), not %s", answer.Winner, err, want.Winner)
			}
		})
		exchange.Go(func() {
			for {
				if err := solvers[1-i].Import(s.Export(nil)); err != nil {
					t.Error(err)
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	searches.Wait()
	close(done)
	exchange.Wait()
}

// Facts that nobody exports are bounded.
func TestFactsAreBounded(t *testing.T) {
	var e exports
	for i := range uint64(mostWaiting + 1000) {
		e.add(lockless.Key{i, i}, lockless.Bounds{Yes: 1})
	}
	if got := len(e.facts); got != mostWaiting*lockless.EntryBytes {
		t.Errorf("%d bytes wait", got)
	}
}

// An outline has every move once, and every known outcome in it is true.
func TestOutlineAgreesWithPlayingOut(t *testing.T) {
	rng := rand.New(rand.NewSource(8))
	settled, same := 0, 0
	for _, text := range []string{"1x9", "2x5", "3x3", "3x4", "4x3"} {
		size := parseSize(t, text)
		s := newSolver(t, size, Options{Threads: 1})
		o := newOracle()
		for i := range 100 {
			q := solver.Query{Position: randomPosition(size, rng.Intn(size.Points()), rng), ToPlay: board.Colour(i % 2)}
			if _, err := s.SolveWithin(t.Context(), q, uint64(1+rng.Intn(30))); err != nil && !errors.Is(err, solver.ErrBudget) {
				t.Fatal(err)
			}
			forms := make(map[nogo.Position]bool)
			for _, option := range s.Outline(q) {
				for _, move := range append(option.Same, option.Move) {
					next := q.After(move)
					if !q.Position.Legal(q.ToPlay).Has(move) || forms[next.Position.Canonical()] {
						t.Fatalf("%s is not legal, or twice in the outline of %s", size.Name(move), inWords(q))
					}
					forms[next.Position.Canonical()] = true
					truth := solver.Lost
					if o.winner(next) == q.ToPlay {
						truth = solver.Won
					}
					if option.Outcome != solver.Unknown && option.Outcome != truth {
						t.Fatalf("%s is said to be %d, not %d, in %s", size.Name(move), option.Outcome, truth, inWords(q))
					}
				}
				if option.Outcome != solver.Unknown {
					settled++
				}
				same += len(option.Same)
			}
			for move := range q.Position.Legal(q.ToPlay).Points() {
				if !forms[q.After(move).Position.Canonical()] {
					t.Fatalf("%s is not in the outline of %s", size.Name(move), inWords(q))
				}
			}
			if i%20 == 0 {
				s.Forget()
			}
		}
	}
	if settled == 0 || same == 0 {
		t.Errorf("%d options are settled, %d stand for others", settled, same)
	}
	s := newSolver(t, parseSize(t, "3x3"), Options{Threads: 1})
	if options := s.Outline(solver.Query{Position: nogo.NewPosition(parseSize(t, "3x4"))}); options != nil {
		t.Errorf("a solver for 3x3 knows %v of 3x4", options)
	}
}

// The open moves of an outline come in the order of the search that was given up. If
// the last search was of another position, they come in the order in which a search
// would try them now.
func TestOutlineIsTheOrderOfTheSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	rng := rand.New(rand.NewSource(9))
	for _, text := range []string{"4x4", "3x5", "5x4"} {
		size := parseSize(t, text)
		s := newSolver(t, size, Options{Threads: 1})
		w := s.Workers[0]
		compared := 0
		open := func(q solver.Query) (points []uint64) {
			for _, option := range s.Outline(q) {
				if option.Outcome == solver.Unknown && option.Score != math.MinInt32 {
					points = append(points, s.layout.Bit(option.Move))
				}
			}
			return points
		}
		listed := func() (points []uint64) {
			f := &w.frames[0]
			for _, m := range f.moves[:f.open] {
				if m.Point != 0 {
					points = append(points, m.Point)
				}
			}
			return points
		}
		for i := range 60 {
			q := solver.Query{Position: randomPosition(size, i/10, rng), ToPlay: board.Colour(i % 2)}
			if _, err := s.SolveWithin(t.Context(), q, 300); !errors.Is(err, solver.ErrBudget) {
				continue
			}
			began := listed()
			given := open(q)
			began = slices.DeleteFunc(began, func(p uint64) bool { return !slices.Contains(given, p) })
			if !slices.Equal(given[:len(began)], began) {
				t.Fatalf("the order is not that of the search that was given up, in %s", inWords(q))
			}
			other := q
			other.ToPlay = q.ToPlay.Opponent()
			_, _ = s.SolveWithin(t.Context(), other, 300)
			got := open(q)
			w.load(s.layout, q)
			if w.expand(0) {
				continue
			}
			if want := listed(); !slices.Equal(got, want) {
				t.Fatalf("the order is not that of a search now, in %s: %x, want %x", inWords(q), got, want)
			}
			compared++
		}
		if compared == 0 {
			t.Errorf("%s: every search came to its end", size)
		}
	}
}
