package gosearch

import (
	"bytes"
	"context"
	"errors"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/weiqi"
)

// after plays moves from the empty board.
func after(t testing.TB, size board.Size, moves string) weiqi.Position {
	t.Helper()
	p := weiqi.NewPosition(size)
	for _, name := range strings.Fields(moves) {
		move := weiqi.Pass
		if name != "pass" {
			var err error
			if move, err = size.ParsePoint(name); err != nil {
				t.Fatal(err)
			}
		}
		next, err := weiqi.Rules{}.Play(p, move)
		if err != nil {
			t.Fatal(err)
		}
		p = next
	}
	return p
}

// Published scores, each bound proven by the side it favours.
func TestPublishedScores(t *testing.T) {
	for _, test := range []struct {
		rows, cols int
		moves      string
		score      int
	}{
		{1, 3, "", 3},
		{1, 3, "A1", -3},
		{1, 4, "B1", 4},
		{2, 4, "", 8},
		{2, 4, "A1", -8},
		{2, 5, "C1", 10},
		{3, 3, "", 9},
		{3, 3, "A1", -9},
		{3, 4, "A1", -12},
		{4, 2, "A2", 8},
	} {
		size := board.Size{Rows: test.rows, Cols: test.cols}
		s := newSolver(t, size, Options{})
		got, err := s.Solve(context.Background(), after(t, size, test.moves), All(size), 0)
		if err != nil || got != (Answer{Low: test.score, High: test.score}) {
			t.Errorf("%s after %q: %v, %v, want %d", size, test.moves, got, err, test.score)
		}
	}
}

// The board of 4×4 is Black's by at least 1, and White has no opening on the edge.
func TestBoundsOf4x4(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	size := board.Size{Rows: 4, Cols: 4}
	s := newSolver(t, size, Options{Memory: 1 << 28})
	for _, test := range []struct {
		moves  string
		prover board.Colour
		goal   int
	}{
		{"", board.Black, 1},
		{"A1", board.White, 16},
		{"B1", board.White, 16},
	} {
		v, err := s.Prove(context.Background(), Question{after(t, size, test.moves), test.prover, test.goal}, 0)
		if err != nil || v != Proven {
			t.Errorf("4x4 after %q, %s for %d: %v, %v", test.moves, test.prover, test.goal, v, err)
		}
	}
}

// Whatever is switched off, however many threads work and however small the table is,
// answers are the same.
func TestSettings(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 4}
	rng := rand.New(rand.NewPCG(1, 2))
	var positions []weiqi.Position
	for range 60 {
		positions = append(positions, random(rng, size))
	}
	var want []Answer
	settings := []Options{{}, {Threads: 3}, {Memory: 4096}}
	for _, part := range Parts() {
		settings = append(settings, Options{Without: []string{part}})
	}
	settings = append(settings, Options{Without: Parts()[1:], Threads: 2})
	if longtest.Raced { // the others have one thread
		settings = []Options{settings[0], settings[1], settings[len(settings)-1]}
	}
	for i, o := range settings {
		o.Plies = 30
		s := newSolver(t, size, o)
		for j, p := range positions {
			a, err := s.Solve(context.Background(), p, All(size), 0)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case i == 0:
				want = append(want, a)
			case slices.Contains(o.Without, "life"), slices.Contains(o.Without, "hold"):
				// Proofs are longer than the limit of plies.
				if a.Low > want[j].Low || a.High < want[j].High {
					t.Errorf("%+v: %s, %s to play: %v contradicts %v", o, p, p.ToPlay, a, want[j])
				}
			case a != want[j]:
				t.Errorf("%+v: %s, %s to play: %v, want %v", o, p, p.ToPlay, a, want[j])
			}
		}
	}
}

// The images of a position and its inverse have the same score.
func TestSymmetry(t *testing.T) {
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 2, Cols: 3}, {Rows: 1, Cols: 5}} {
		g := newGeometry(size)
		rng := rand.New(rand.NewPCG(3, 4))
		for range 500 {
			p := random(rng, size)
			s := stateOf(p, board.Black)
			key, _ := g.key(&s)
			for _, sym := range size.Symmetries() {
				image := stateOf(p.Map(sym), board.Black)
				if k, _ := g.key(&image); k != key {
					t.Fatalf("%s has another key than its image by %d", p, sym)
				}
				inverse := stateOf(p.Map(sym).Inverse(), board.White)
				if k, _ := g.key(&inverse); k != key {
					t.Fatalf("%s has another key than its inverse", p)
				}
			}
		}
	}
}

func stateOf(p weiqi.Position, prover board.Colour) state {
	s := state{own: p.Stones[prover][0], other: p.Stones[prover.Opponent()][0], reply: p.ToPlay != prover, passed: p.Passes > 0}
	if p.Ko != board.NoPoint {
		s.ko = 1 << p.Ko
	}
	return s
}

// Different positions of the largest board have different keys: the numbers fit.
func TestKeysFit(t *testing.T) {
	for _, size := range []board.Size{{Rows: 6, Cols: 6}, {Rows: 4, Cols: 9}, {Rows: 1, Cols: 36}} {
		if !size.Small() {
			t.Fatalf("%s is not a small board", size)
		}
		limit, carry := uint64(2*(MaxPoints+2)), uint64(0)
		for range size.Points() {
			if carry, limit = bits.Mul64(limit, 3); carry != 0 {
				t.Fatalf("the numbers of %s do not fit 64 bits", size)
			}
		}
	}
}

// What was proven is saved and loaded, and then costs nothing.
func TestSaveAndLoad(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	q := Question{weiqi.NewPosition(size), board.Black, 4}
	first := newSolver(t, size, Options{})
	if v, err := first.Prove(context.Background(), q, 0); v != Proven || err != nil {
		t.Fatal(v, err)
	}
	var file bytes.Buffer
	if err := first.Save(&file); err != nil {
		t.Fatal(err)
	}
	saved := file.Bytes()
	second := newSolver(t, size, Options{})
	if err := second.Load(bytes.NewReader(saved)); err != nil {
		t.Fatal(err)
	}
	if v, err := second.Prove(context.Background(), q, 0); v != Proven || err != nil {
		t.Fatal(v, err)
	}
	if a, b := first.Stats().Nodes, second.Stats().Nodes; b*10 > a {
		t.Errorf("%d nodes after loading, %d before", b, a)
	}
	if err := newSolver(t, size, Options{}).Load(bytes.NewReader(saved[:len(saved)-3])); err == nil {
		t.Error("proofs that are cut short were loaded")
	}
	if err := newSolver(t, size, Options{}).Load(bytes.NewReader(make([]byte, 16))); err == nil {
		t.Error("an empty entry was loaded")
	}
}

// A search stops when its context ends or its nodes are used up, and goes on later.
func TestStopping(t *testing.T) {
	size := board.Size{Rows: 5, Cols: 5}
	q := Question{weiqi.NewPosition(size), board.Black, 25}
	for _, without := range [][]string{{"stones"}, {"stones", "width"}} {
		s := newSolver(t, size, Options{Without: without, Threads: 2})
		if v, err := s.Prove(context.Background(), q, 500); v != Open || !errors.Is(err, ErrNodes) {
			t.Errorf("%v, %v", v, err)
		}
		plies := s.Stats().Status.Plies
		if v, err := s.Prove(context.Background(), q, 500); v != Open || !errors.Is(err, ErrNodes) {
			t.Errorf("%v, %v", v, err)
		}
		// With width there are two stages, each with its own plies, and they take turns.
		if now := s.Stats().Status.Plies; len(without) == 2 && now < plies {
			t.Errorf("%d plies after %d", now, plies)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		a, err := s.Solve(ctx, weiqi.NewPosition(size), All(size), 0)
		if !errors.Is(err, context.DeadlineExceeded) || a.Low > a.High {
			t.Errorf("%v, %v", a, err)
		}
	}
}

func TestMovesAndLine(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	s := newSolver(t, size, Options{Plies: 26})
	moves, err := s.EachMove(context.Background(), weiqi.NewPosition(size), 0)
	if err != nil || len(moves) != 10 {
		t.Fatal(moves, err)
	}
	want := map[string]int{"A1": -9, "B2": 9, "C3": -9}
	for _, m := range moves {
		if score, ok := want[size.Name(m.Point)]; ok && m.Answer != (Answer{Low: score, High: score}) {
			t.Errorf("%s is worth %v, want %d", size.Name(m.Point), m.Answer, score)
		}
	}
	line, err := s.Line(context.Background(), weiqi.NewPosition(size), 9)
	if err != nil || len(line) == 0 || size.Name(line[0]) != "B2" {
		t.Errorf("%v, %v", line, err)
	}
}

func TestBadInput(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	if _, err := New(board.Size{Rows: 6, Cols: 7}, Options{}); err == nil {
		t.Error("a board of 42 points was accepted")
	}
	if _, err := New(size, Options{Without: []string{"magic"}}); err == nil {
		t.Error("a part that does not exist was switched off")
	}
	s := newSolver(t, size, Options{})
	bad := []weiqi.Position{
		weiqi.NewPosition(board.Size{Rows: 2, Cols: 2}),
		{Size: size, Stones: board.Stones{size.Mask()}, Ko: board.NoPoint},
		{Size: size, Ko: 0},
	}
	for _, p := range bad {
		if _, err := s.Solve(context.Background(), p, All(size), 0); err == nil {
			t.Errorf("%s was accepted", p)
		}
	}
}

// With nearly all nodes for one side the answers are the same, whichever side that is.
func TestSolveFor(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 4}
	s := newSolver(t, size, Options{Plies: 30})
	rng := rand.New(rand.NewPCG(7, 8))
	for range 30 {
		p := random(rng, size)
		want, err := s.Solve(context.Background(), p, All(size), 0)
		if err != nil {
			t.Fatal(err)
		}
		fresh := newSolver(t, size, Options{Plies: 30})
		for side := board.Black; side <= board.White; side++ {
			low, err1 := fresh.SolveFor(context.Background(), p, Answer{Low: want.Low - 1, High: want.Low}, side, 0)
			high, err2 := fresh.SolveFor(context.Background(), p, Answer{Low: want.High, High: want.High + 1}, side, 0)
			// That a claim of the side is held may be known before the contrary is proven.
			lowIs := low == Answer{Low: want.Low, High: want.Low} || side == board.White && low == Answer{Low: want.Low - 1, High: want.Low, HighHeld: true}
			highIs := high == Answer{Low: want.High, High: want.High} || side == board.Black && high == Answer{Low: want.High, High: want.High + 1, LowHeld: true}
			if err1 != nil || err2 != nil || !lowIs || !highIs {
				t.Errorf("%s, %s to play, for %s: %v and %v, want %v", p, p.ToPlay, side, low, high, want)
			}
		}
		fresh.Close()
	}
}

// A larger table has every entry of the smaller one, failures too.
func TestGrow(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	s := newSolver(t, size, Options{Memory: 1 << 20})
	if _, err := s.Prove(context.Background(), Question{weiqi.NewPosition(size), board.Black, 4}, 1000); !errors.Is(err, ErrNodes) {
		t.Fatal(err)
	}
	if s.workers[0].holder == nil {
		t.Fatal("it was not asked whether the claim is held")
	}
	words, stored := slices.Clone(s.table.words), s.table.stored.Load()
	if err := s.Grow(1 << 23); err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(words); at += 2 {
		data := words[at+1]
		if data&usedBit == 0 {
			continue
		}
		round := uint16(data >> roundAt)
		if got, found := s.table.get(words[at]^data, goalOf(data), round); !found || got != unpack(data, round) {
			t.Fatalf("%+v became %+v", unpack(data, round), got)
		}
	}
	if got := s.table.stored.Load(); got != stored || s.workers[0].table != s.table {
		t.Errorf("%d entries, there were %d", got, stored)
	}
	if v, err := s.Prove(context.Background(), Question{weiqi.NewPosition(size), board.Black, 5}, 0); err != nil || v != Held {
		t.Errorf("%v, %v", v, err)
	}
}

// Avoid ends where no move is known to avoid a claim.
func TestAvoidEnds(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 2}
	for _, o := range []Options{{Without: []string{"hold"}}, {Plies: 1, Without: []string{"hold"}}} {
		s := newSolver(t, size, o)
		if move, err := s.Avoid(t.Context(), Question{weiqi.NewPosition(size), board.White, 1}); err == nil {
			t.Errorf("%s avoids the claim", size.Name(move))
		}
	}
}
