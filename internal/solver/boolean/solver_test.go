package boolean

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/nogo"
)

var longFlag = flag.Bool("long", false, "also solve the boards that take minutes")

// long reports whether the slow tests run, by this package's flag or by the
// flag of the whole project.
func long() bool { return *longFlag || longtest.On() }

// open makes a solver that the test closes.
func open(t testing.TB, size board.Size, o Options) *Solver {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = 256 << 20
	}
	s, err := New(size, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func mustSize(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

func mustSolve(t testing.TB, s *Solver, q solver.Query) solver.Answer {
	t.Helper()
	a, err := s.Solve(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func emptyBoard(size board.Size) solver.Query {
	return solver.Query{Position: nogo.NewPosition(size)}
}

// blackWins is the published table: who wins from the empty board, Black first.
// Row r-1 begins at the square board.
var blackWins = []string{
	"0110111111111",
	"100111100111",
	"1011111",
	"011",
	"1",
}

func TestRectangles(t *testing.T) {
	longtest.Alone(t)
	limit := 16
	if long() {
		limit = 20
	}
	for r, line := range blackWins {
		for i, want := range line {
			size := board.Size{Rows: r + 1, Cols: r + 1 + i}
			if r == 0 {
				size.Cols = i + 1
			}
			if size.Points() > limit {
				continue
			}
			a := mustSolve(t, open(t, size, Options{}), emptyBoard(size))
			if (a.Winner == board.Black) != (want == '1') {
				t.Errorf("%s: %s wins", size, a.Winner)
			}
		}
	}
}

// The original program expands exactly these numbers of positions.
func TestNodeCounts(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	want := map[string]uint64{"4x4": 1635935, "3x6": 1995979}
	if long() {
		want["4x5"] = 25324057
	}
	for text, nodes := range want {
		size := mustSize(t, text)
		s := open(t, size, Options{})
		mustSolve(t, s, emptyBoard(size))
		if got := s.Stats(); got.Nodes != nodes || got.Stored != nodes {
			t.Errorf("%s: %d nodes, %d stored, want %d", text, got.Nodes, got.Stored, nodes)
		}
	}
}

// oracle decides questions by the rules alone.
type oracle map[solver.Query]bool

// moverWins reports whether the side to move wins.
func (o oracle) moverWins(q solver.Query) bool {
	if v, ok := o[q]; ok {
		return v
	}
	won := false
	for p := range q.Position.Legal(q.ToPlay).Points() {
		if !o.moverWins(after(q, p)) {
			won = true
		}
	}
	if q.Limited && q.Plies <= 0 && !q.Position.Legal(q.ToPlay).IsEmpty() {
		won = q.ToPlay != q.Attacker
	}
	o[q] = won
	return won
}

// after is the question one move later.
func after(q solver.Query, p board.Point) solver.Query {
	q.Position.Stones[q.ToPlay].Add(p)
	q.ToPlay = q.ToPlay.Opponent()
	if q.Limited {
		q.Plies--
	}
	return q
}

// anyQuery draws a position by legal moves of either colour in any order.
func anyQuery(r *rapid.T) solver.Query {
	sizes := []board.Size{{Rows: 1, Cols: 7}, {Rows: 2, Cols: 3}, {Rows: 2, Cols: 5}, {Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 2, Cols: 6}, {Rows: 1, Cols: 12}, {Rows: 4, Cols: 3}}
	size := rapid.SampledFrom(sizes).Draw(r, "size")
	q := solver.Query{Position: nogo.NewPosition(size), ToPlay: board.Colour(rapid.IntRange(0, 1).Draw(r, "to play"))}
	for range rapid.IntRange(max(0, size.Points()-9), size.Points()).Draw(r, "stones") {
		c := board.Colour(rapid.IntRange(0, 1).Draw(r, "colour"))
		legal := slices.Collect(q.Position.Legal(c).Points())
		if len(legal) == 0 {
			break
		}
		q.Position.Stones[c].Add(rapid.SampledFrom(legal).Draw(r, "point"))
	}
	if rapid.Bool().Draw(r, "limited") {
		q.Limited = true
		q.Attacker = board.Colour(rapid.IntRange(0, 1).Draw(r, "attacker"))
		q.Plies = rapid.IntRange(0, size.Points()).Draw(r, "plies")
	}
	return q
}

// With any parts switched off, answers agree with the rules and moves win.
func TestSolverAgreesWithTheRules(t *testing.T) {
	longtest.Alone(t)
	solvers := make(map[string]*Solver)
	rapid.Check(t, func(r *rapid.T) {
		var without []string
		for _, part := range Parts() {
			if rapid.IntRange(0, 3).Draw(r, part) == 0 {
				without = append(without, part)
			}
		}
		q := anyQuery(r)
		key := q.Position.Size.String() + strings.Join(without, ",")
		s := solvers[key]
		if s == nil {
			s = open(t, q.Position.Size, Options{Memory: 8 << 20, DiskDir: t.TempDir(), Without: without})
			solvers[key] = s
		}
		checkAnswer(r, s, q, oracle{})
	})
}

func checkAnswer(r *rapid.T, s *Solver, q solver.Query, truth oracle) {
	a, err := s.Solve(r.Context(), q)
	if err != nil {
		r.Fatal(err)
	}
	moverWins := truth.moverWins(q)
	if (a.Winner == q.ToPlay) != moverWins {
		r.Fatalf("%+v: %s wins on\n%s", q, a.Winner, q.Position.Size.Diagram(q.Position.Stones))
	}
	if !moverWins {
		if a.Move != board.NoPoint {
			r.Fatalf("a move for the loser: %s", q.Position.Size.Name(a.Move))
		}
		return
	}
	if !q.Position.Legal(q.ToPlay).Has(a.Move) || truth.moverWins(after(q, a.Move)) {
		r.Fatalf("%+v: %s does not win on\n%s", q, q.Position.Size.Name(a.Move), q.Position.Size.Diagram(q.Position.Stones))
	}
}

func TestEveryPartCanBeOff(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x4")
	for _, part := range append([]string{""}, Parts()...) {
		if part == "tt" {
			size = mustSize(t, "2x4") // without a table larger boards take too long
		}
		var without []string
		if part != "" {
			without = []string{part}
		}
		s := open(t, size, Options{Without: without})
		if a := mustSolve(t, s, emptyBoard(size)); a.Winner != board.White {
			t.Errorf("%s without %q: %s wins", size, part, a.Winner)
		}
		size = mustSize(t, "3x4")
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		size    board.Size
		without string
		want    string
	}{
		{board.Size{Rows: 9, Cols: 9}, "", "at most 39 points"},
		{board.Size{Rows: 1, Cols: 40}, "", "at most 39 points"},
		{board.Size{Rows: 3, Cols: 3}, "magic", `no part "magic"`},
	} {
		var without []string
		if c.without != "" {
			without = []string{c.without}
		}
		_, err := New(c.size, Options{Without: without})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s without %q: error %v, want %q", c.size, c.without, err, c.want)
		}
	}
}

// A search larger than its memory finishes with the disk and gives up without
// it.
func TestTinyMemory(t *testing.T) {
	longtest.Alone(t)
	size := mustSize(t, "3x5")
	roomy := open(t, size, Options{})
	want := mustSolve(t, roomy, emptyBoard(size))

	dir := t.TempDir()
	tiny := open(t, size, Options{Memory: 256 << 10, DiskDir: dir})
	got := mustSolve(t, tiny, emptyBoard(size))
	if got != want || tiny.Stats().Nodes != roomy.Stats().Nodes {
		t.Errorf("%+v after %d nodes, want %+v after %d", got, tiny.Stats().Nodes, want, roomy.Stats().Nodes)
	}
	if tiny.Stats().DiskBytes == 0 {
		t.Error("nothing was spilled")
	}
	var files [2]bytes.Buffer
	for i, s := range []*Solver{roomy, tiny} {
		if err := s.Save(&files[i]); err != nil {
			t.Fatal(err)
		}
	}
	reloaded := open(t, size, Options{})
	if err := reloaded.Load(&files[1]); err != nil || reloaded.Stats().Stored != roomy.Stats().Stored {
		t.Errorf("%d positions are reloaded, want %d, error %v", reloaded.Stats().Stored, roomy.Stats().Stored, err)
	}
	tiny.Close()
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("files left behind: %v %v", left, err)
	}

	full := open(t, size, Options{Memory: 256 << 10, Without: []string{"disk"}})
	if _, err := full.Solve(t.Context(), emptyBoard(size)); !errors.Is(err, solver.ErrMemory) {
		t.Errorf("error %v, want %v", err, solver.ErrMemory)
	}
}

func TestCancel(t *testing.T) {
	size := mustSize(t, "5x5")
	s := open(t, size, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := s.Solve(ctx, emptyBoard(size))
		done <- err
	}()
	for s.Stats().Nodes == 0 {
		runtime.Gosched()
	}
	var saved bytes.Buffer
	if err := s.Save(&saved); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want %v", err, context.Canceled)
	}
	if s.Stats().Stored == 0 {
		t.Error("a stopped search has forgotten everything")
	}
	again := open(t, size, Options{})
	if err := again.Load(&saved); err != nil {
		t.Fatal(err)
	}
	if n := again.Stats().Stored; n == 0 || n > s.Stats().Stored {
		t.Errorf("%d positions saved during a search that ended with %d", n, s.Stats().Stored)
	}
}
