package sums

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand"
	"runtime"
	"sync"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
)

// smallSizes are boards that can be played out, upright ones and strips among them.
var smallSizes = []string{"1x1", "1x6", "1x9", "1x12", "12x1", "2x2", "2x4", "2x6", "6x2", "3x3", "3x4", "4x3", "5x2"}

// On boards of up to 12 points the solver agrees with playing everything out.
// The table keeps its contents from one question to the next.
func TestSolveAgreesWithPlayingOut(t *testing.T) {
	longtest.Alone(t)
	rng := rand.New(rand.NewSource(1))
	for _, text := range smallSizes {
		size := parseSize(t, text)
		o := newOracle()
		kept := newSolver(t, size, Options{Threads: 1})
		for i := range 80 {
			p := randomPosition(size, i*size.Points()/80, rng)
			for c := range board.Colour(2) {
				q := solver.Query{Position: p, ToPlay: c}
				o.check(t, kept, q)
				if i%20 == 0 {
					o.check(t, newSolver(t, size, Options{Threads: 1, Memory: 1 << 20}), q)
				}
			}
		}
	}
}

// Each of these positions has once exposed a mistake, which is named.
func TestPositionsThatCaughtMistakes(t *testing.T) {
	longtest.Alone(t)
	for name, text := range map[string]string{
		"halves of regions exchanged within a key":      "....xo...o.x",
		"halves of regions exchanged, the other sum":    "...ox....o.x",
		"moves to equal regions but unequal free moves": "..o..o...o..",
	} {
		t.Run(name, func(t *testing.T) {
			p, err := nogo.ParsePosition(text)
			if err != nil {
				t.Fatal(err)
			}
			o := newOracle()
			for c := range board.Colour(2) {
				s := newSolver(t, p.Size, Options{Threads: 1, Memory: 1 << 20})
				o.check(t, s, solver.Query{Position: p, ToPlay: c})
			}
		})
	}
}

// TestLimitedAgreesWithPlayingOut does the same for wins within a number of
// moves, for all numbers. Plain questions in between share the table.
func TestLimitedAgreesWithPlayingOut(t *testing.T) {
	longtest.Alone(t)
	rng := rand.New(rand.NewSource(2))
	for _, text := range smallSizes {
		size := parseSize(t, text)
		o := newOracle()
		s := newSolver(t, size, Options{Threads: 1})
		step := longtest.Times(2, 1)
		for i := 0; i < 40; i += step {
			p := randomPosition(size, size.Points()/6+i*size.Points()/50, rng)
			for _, q := range everyLimit(p) {
				o.check(t, s, q)
			}
			o.check(t, s, solver.Query{Position: p, ToPlay: board.Colour(i / step % 2)})
		}
	}
}

// everyLimit asks for either attacker, either side to move and every length.
func everyLimit(p nogo.Position) []solver.Query {
	var list []solver.Query
	for attacker := range board.Colour(2) {
		for c := range board.Colour(2) {
			for plies := range playable(p) + 2 {
				list = append(list, solver.Query{Position: p, ToPlay: c, Limited: true, Attacker: attacker, Plies: plies})
			}
		}
	}
	return list
}

// A win within n moves is one within more, and the shortest win of the winner
// is shorter than the board.
func TestLimitsAreMonotone(t *testing.T) {
	longtest.Alone(t)
	for _, text := range []string{"3x4", "2x7", "1x14"} {
		size := parseSize(t, text)
		s := newSolver(t, size, Options{Threads: 1})
		q := solver.Query{Position: nogo.NewPosition(size)}
		plain, err := s.Solve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		q.Limited, q.Attacker = true, plain.Winner
		won := false
		for q.Plies = range size.Points() + 1 {
			answer, err := s.Solve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			now := answer.Winner == q.Attacker
			if won && !now {
				t.Errorf("a shorter win is lost again in %s", inWords(q))
			}
			won = now
		}
		if !won {
			t.Errorf("%s wins, but not within all points of the board: %s", q.Attacker, inWords(q))
		}
	}
}

// No part left out, number of threads or memory changes an answer.
func TestSettingsDoNotChangeAnswers(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	without := [][]string{nil, Parts()}
	for i, part := range Parts() {
		without = append(without, []string{part})
		if other := rng.Intn(len(Parts())); other != i {
			without = append(without, []string{part, Parts()[other]})
		}
	}
	memory := []int64{64 << 10, 1 << 20, 64 << 20}
	for i, parts := range without {
		o := Options{Threads: 1 + i%3, Memory: memory[rng.Intn(len(memory))], Without: parts}
		if longtest.Raced && o.Threads == 1 {
			continue
		}
		t.Run(fmt.Sprintf("%d threads, %d KiB, without %v", o.Threads, o.Memory>>10, parts), func(t *testing.T) {
			for _, text := range []string{"1x12", "2x6", "3x4", "4x3", "4x4"} {
				size := parseSize(t, text)
				truth := newOracle()
				s := newSolver(t, size, o)
				for range 4 {
					p := positionWithin(size, 9, rng)
					for c := range board.Colour(2) {
						truth.check(t, s, solver.Query{Position: p, ToPlay: c})
					}
					limits := everyLimit(p)
					for range 8 {
						truth.check(t, s, limits[rng.Intn(len(limits))])
					}
				}
			}
		})
	}
}

// positionWithin has at most points playable points, few enough for a search
// without a table, but the game is not over.
func positionWithin(size board.Size, points int, rng *rand.Rand) nogo.Position {
	for {
		p := randomPosition(size, rng.Intn(size.Points()), rng)
		if n := playable(p); n > 2 && n <= points {
			return p
		}
	}
}

// Threads and memory on a board that keeps several threads busy.
func TestThreadsAgree(t *testing.T) {
	size := parseSize(t, "3x5")
	var openings []nogo.Position
	for p := range size.Mask().Points() {
		openings = append(openings, with(nogo.NewPosition(size), board.Black, p))
	}
	var want []board.Colour
	for _, o := range []Options{
		{Threads: 1, Memory: 64 << 20},
		{Threads: 1, Memory: 64 << 10},
		{Threads: 2, Memory: 64 << 10},
		{Threads: 3, Memory: 1 << 20},
		{Threads: 5, Memory: 64 << 20},
	} {
		s := newSolver(t, size, o)
		for i, p := range openings {
			q := solver.Query{Position: p, ToPlay: board.White}
			answer, err := s.Solve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if len(want) == i {
				want = append(want, answer.Winner)
			}
			if answer.Winner != want[i] {
				t.Errorf("%d threads, %d KiB: %s wins, not %s, in %s", o.Threads, o.Memory>>10, answer.Winner, want[i], inWords(q))
			}
		}
	}
}

// winners has '1' where Black wins the empty board, by rows (from 1) and
// columns (from the number of rows), as published.
var winners = []string{"0110111111111111111111111", "100111100111", "1011111", "011", "1"}

func forEachPublished(least, most int, visit func(size board.Size, winner board.Colour)) {
	for i, row := range winners {
		for j, mark := range row {
			size := board.Size{Rows: i + 1, Cols: i + 1 + j}
			if n := size.Points(); n < least || n > most {
				continue
			}
			winner := board.White
			if mark == '1' {
				winner = board.Black
			}
			visit(size, winner)
			if size.Rows != size.Cols {
				visit(board.Size{Rows: size.Cols, Cols: size.Rows}, winner)
			}
		}
	}
}

func checkEmptyBoard(t *testing.T, size board.Size, winner board.Colour, threads int) {
	t.Helper()
	s := newSolver(t, size, Options{Threads: threads})
	answer, err := s.Solve(t.Context(), solver.Query{Position: nogo.NewPosition(size)})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Winner != winner {
		t.Errorf("%s, %d threads: %s wins, published is %s", size, threads, answer.Winner, winner)
	}
	if bound := s.Stats().ErrorBound; bound > 1e-12 {
		t.Errorf("%s, %d threads: the table may be wrong with probability %g", size, threads, bound)
	}
}

func TestPublishedWinners(t *testing.T) {
	most := 16
	if testing.Short() {
		most = 12
	}
	forEachPublished(1, most, func(size board.Size, winner board.Colour) {
		checkEmptyBoard(t, size, winner, 1)
		checkEmptyBoard(t, size, winner, 2)
	})
}

func TestPublishedWinnersTo20(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	forEachPublished(17, 20, func(size board.Size, winner board.Colour) {
		if size.Rows > size.Cols && !longtest.On() {
			return
		}
		checkEmptyBoard(t, size, winner, 1+size.Cols%2)
	})
}

// A cancelled search returns the context's error, and the solver still works.
func TestCancel(t *testing.T) {
	size := parseSize(t, "5x5")
	small := positionWithin(size, 7, rand.New(rand.NewSource(4)))
	for _, threads := range []int{1, 2} {
		s := newSolver(t, size, Options{Threads: threads, Memory: 1 << 20})
		ctx, cancel := context.WithCancel(t.Context())
		result := make(chan error)
		go func() {
			_, err := s.Solve(ctx, solver.Query{Position: nogo.NewPosition(size)})
			result <- err
		}()
		for s.Stats().Nodes < 5000 {
			runtime.Gosched()
		}
		cancel()
		if err := <-result; !errors.Is(err, context.Canceled) {
			t.Fatalf("%d threads: a cancelled search returned %v", threads, err)
		}
		o := newOracle()
		for c := range board.Colour(2) {
			o.check(t, s, solver.Query{Position: small, ToPlay: c})
		}
	}
}

// A context that has ended does not stop the next question.
func TestCancelDoesNotReachTheNextQuestion(t *testing.T) {
	size := parseSize(t, "3x4")
	s := newSolver(t, size, Options{Threads: 1, Without: []string{"tt"}})
	rng := rand.New(rand.NewSource(6))
	o := newOracle()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	tries := 300
	if longtest.Raced {
		tries = 30
	}
	for range tries {
		p := positionWithin(size, 8, rng)
		q := solver.Query{Position: p}
		if _, err := s.Solve(over, q); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		o.check(t, s, q)
		if o.winner(q) != q.ToPlay {
			continue
		}
		if _, err := s.WinningMove(over, p, q.ToPlay); err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if _, err := s.WinningMove(t.Context(), p, q.ToPlay); err != nil {
			t.Fatalf("%v for a winning move in %s", err, inWords(q))
		}
	}
}

// A solver that has read another's table has less to do.
func TestLoadedTableSavesNodes(t *testing.T) {
	longtest.Alone(t)
	size := parseSize(t, "4x4")
	q := solver.Query{Position: nogo.NewPosition(size)}
	fresh := newSolver(t, size, Options{Threads: 1})
	want, err := fresh.Solve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := fresh.Save(&file); err != nil {
		t.Fatal(err)
	}
	for _, memory := range []int64{1 << 20, 16 << 20, 64 << 20} {
		loaded := newSolver(t, size, Options{Threads: 1, Memory: memory})
		if err := loaded.Load(bytes.NewReader(file.Bytes())); err != nil {
			t.Fatal(err)
		}
		for p := range size.Mask().Points() {
			// The root is in the table. The positions after the next move need
			// more of it.
			next := solver.Query{Position: with(q.Position, board.Black, p), ToPlay: board.White}
			answer, err := loaded.Solve(t.Context(), next)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Winner != want.Winner {
				t.Errorf("%s wins, not %s, in %s", answer.Winner, want.Winner, inWords(next))
			}
		}
		if a, b := loaded.Stats().Nodes, fresh.Stats().Nodes; a >= b/10 {
			t.Errorf("%d nodes with the table in %d KiB, %d without it", a, memory>>10, b)
		}
	}
	if err := fresh.Load(bytes.NewReader(file.Bytes()[:file.Len()-1])); err == nil {
		t.Error("a table cut short was read")
	}
}

// Any number of goroutines may ask for winning moves.
func TestWinningMoveFromManyGoroutines(t *testing.T) {
	type problem struct {
		position nogo.Position
		toPlay   board.Colour
		winning  board.Set
	}
	size := parseSize(t, "3x4")
	rng := rand.New(rand.NewSource(5))
	o := newOracle()
	var problems []problem
	for len(problems) < 60 {
		p := randomPosition(size, rng.Intn(10), rng)
		c := board.Colour(rng.Intn(2))
		var winning board.Set
		for at := range p.Legal(c).Points() {
			if !o.wins(with(p, c, at), c.Opponent(), 0) {
				winning.Add(at)
			}
		}
		if !winning.IsEmpty() {
			problems = append(problems, problem{p, c, winning})
		}
	}
	s := newSolver(t, size, Options{Threads: 2, Memory: 64 << 10})
	var all sync.WaitGroup
	for id := range 4 {
		all.Go(func() {
			for i := range problems {
				k := problems[(i*(2*id+1)+id)%len(problems)]
				move, err := s.WinningMove(t.Context(), k.position, k.toPlay)
				if err != nil || !k.winning.Has(move) {
					t.Errorf("%v %v: that is no winning move in %s", move, err, inWords(solver.Query{Position: k.position, ToPlay: k.toPlay}))
					return
				}
			}
		})
	}
	all.Wait()
}

func TestWinningMoveCancelled(t *testing.T) {
	size := parseSize(t, "5x5")
	s := newSolver(t, size, Options{Threads: 1, Memory: 1 << 20})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.WinningMove(ctx, nogo.NewPosition(size), board.Black); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search returned %v", err)
	}
}

// Counts can be read and the table saved while a search runs.
func TestStatsWhileSolving(t *testing.T) {
	size := parseSize(t, "3x5")
	s := newSolver(t, size, Options{Threads: 2, Memory: 64 << 10})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := s.Solve(t.Context(), solver.Query{Position: nogo.NewPosition(size)}); err != nil {
			t.Error(err)
		}
	}()
	var last solver.Stats
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		now := s.Stats()
		if now.Nodes < last.Nodes || now.RootDone > now.RootMoves || now.Bytes > 64<<10 {
			t.Fatalf("%+v after %+v", now, last)
		}
		last = now
		if err := s.Save(new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
	}
	if last.Nodes == 0 || last.Stored == 0 {
		t.Errorf("nothing was counted: %+v", last)
	}
}

func TestQuestionsRefused(t *testing.T) {
	if _, err := New(parseSize(t, "7x7"), Options{}); err == nil {
		t.Error("7x7 has more points than regions take")
	}
	if _, err := New(parseSize(t, "3x3"), Options{Without: []string{"luck"}}); err == nil {
		t.Error("there is no part called luck")
	}
	s := newSolver(t, parseSize(t, "3x3"), Options{Threads: 1})
	if _, err := s.Solve(t.Context(), solver.Query{Position: nogo.NewPosition(parseSize(t, "3x4"))}); err == nil {
		t.Error("a solver for 3x3 took a question about 3x4")
	}
}

// Searches for winning moves depend on earlier questions, not on the garbage
// collector.
func TestWinningMovesRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	size := parseSize(t, "4x4")
	reference := newSolver(t, size, Options{Threads: 1})
	var won []nogo.Position
	rng := rand.New(rand.NewSource(3))
	for len(won) < 20 {
		p := randomPosition(size, 2, rng)
		a, err := reference.Solve(t.Context(), solver.Query{Position: p, ToPlay: board.Black})
		if err != nil {
			t.Fatal(err)
		}
		if a.Winner == board.Black {
			won = append(won, p)
		}
	}
	nodes := func(collect bool) uint64 {
		s := newSolver(t, size, Options{Threads: 1})
		for _, p := range won {
			if _, err := s.WinningMove(t.Context(), p, board.Black); err != nil {
				t.Fatal(err)
			}
			if collect {
				runtime.GC()
				runtime.GC()
			}
		}
		return s.Stats().Nodes
	}
	if a, b := nodes(false), nodes(true); a != b {
		t.Errorf("the searches take %d nodes, and %d with a busy collector", a, b)
	}
}

// A profile counts every position once, and does not change the search.
func TestProfile(t *testing.T) {
	size := parseSize(t, "3x6")
	var nodes [2]uint64
	for i, on := range []bool{false, true} {
		s := newSolver(t, size, Options{Threads: 1, Memory: 1 << 24, Profile: on})
		if _, err := s.Solve(t.Context(), solver.Query{Position: nogo.NewPosition(size)}); err != nil {
			t.Fatal(err)
		}
		nodes[i] = s.Stats().Nodes
		levels := s.Profile()
		if !on {
			if levels != nil {
				t.Error("a profile that nobody asked for")
			}
			continue
		}
		var sum Level
		for _, l := range levels {
			sum.Nodes += l.Nodes
			if l.Single > l.Nodes || l.Won > l.Nodes || l.First > l.Won || l.Wasted > l.Work || l.Won > l.Work {
				t.Errorf("%+v", l)
			}
		}
		// Nodes of local evaluations are no positions of the search.
		if root := levels[len(levels)-1]; len(levels) != 19 || root.Nodes != 1 || root.Single != 1 || root.Work > nodes[1] || sum.Nodes > nodes[1] {
			t.Errorf("%+v of %d nodes", levels, nodes[1])
		}
	}
	if nodes[0] != nodes[1] {
		t.Errorf("%d nodes without a profile and %d with one", nodes[0], nodes[1])
	}
}
