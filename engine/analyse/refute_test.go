package analyse_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/weiqi"
)

// The line after a move is as long as the table says that the game still is, keeps to the
// rules and ends with the score. Positions are those of random games.
func TestRefutationsAreAsLongAsTheTableSays(t *testing.T) {
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 4, Cols: 3}} {
		a := newAnalyst(t, analyse.Options{})
		random := rand.New(rand.NewPCG(31, uint64(size.Points())))
		lines, longest := 0, 0
		for range 60 {
			q := analyse.Question{Rules: game.Go{}, Start: game.NewPosition(size)}
			g := game.New(q.Rules, q.Start)
			for range random.IntN(size.Points()) {
				legal := append(slices.Collect(g.Legal(g.Position().ToPlay).Points()), game.Pass)
				if err := g.Play(legal[random.IntN(len(legal))]); err != nil {
					t.Fatal(err)
				}
				if g.Position().Over() {
					break
				}
			}
			if g.Position().Over() {
				continue
			}
			q.Start = g.Position()
			known, err := a.Analyse(t.Context(), q, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range known.Moves {
				r, err := a.Refute(t.Context(), q, f.Move)
				if err != nil {
					t.Fatal(err)
				}
				played := game.New(q.Rules, q.Start)
				if err := played.PlayAll(r.Line); err != nil {
					t.Fatalf("%v: %v", game.MoveNames(size, r.Line), err)
				}
				if r.Before != known.Best.Score || r.After != f.Score || r.Cost < 0 {
					t.Errorf("%s: %+v, the table says %d and %d, in\n%s", f.Name, r, known.Best.Score, f.Score, size.Diagram(q.Start.Stones))
				}
				if f.Score == 0 {
					continue // nobody resists a draw
				}
				end := played.Position()
				if len(r.Line) != f.Distance || !end.Over() || end.Score() != f.Score {
					t.Errorf("%v: %d moves, the table says %d; the end is %d, the score %d, in\n%s", game.MoveNames(size, r.Line), len(r.Line), f.Distance, end.Score(), f.Score, size.Diagram(q.Start.Stones))
				}
				lines, longest = lines+1, max(longest, len(r.Line))
			}
		}
		if lines < 200 || longest < 15 {
			t.Errorf("%s: only %d lines of up to %d moves", size, lines, longest)
		}
		t.Logf("%s: %d lines, the longest of %d moves", size, lines, longest)
	}
}

// Under superko the line is the one that solve finds after the move, also when the store has
// the scores already.
func TestRefutationsUnderSuperko(t *testing.T) {
	ownCache(t)
	a := newAnalyst(t, analyse.Options{Store: job.Cache})
	for _, c := range []struct {
		size  string
		ko    weiqi.Ko
		moves string
	}{
		{"3x3", weiqi.Positional, "A1"},
		{"3x3", weiqi.Situational, "A1"},
		{"3x3", weiqi.Positional, "B2 A2 C1"},
		{"1x6", weiqi.Positional, "A1"},
		{"1x6", weiqi.Situational, "C1 pass"},
		{"2x3", weiqi.Positional, "pass pass"},
	} {
		rules, start := weiqi.Rules{Ko: c.ko}, emptyBoard(t, c.size)
		moves, err := game.ParseMoves(start.Size, c.moves)
		if err != nil {
			t.Fatal(err)
		}
		want := solveGo(t, solve.GoRequest{Position: start, Moves: moves, Rules: rules, Limits: job.Limits{Memory: testMemory, Threads: 1}})
		last := len(moves) - 1
		for range 2 {
			r, err := a.Refute(t.Context(), analyse.Question{Rules: game.Go{Rules: rules}, Start: start, Moves: moves[:last]}, moves[last])
			if err != nil || r.After != want.Score || !slices.Equal(r.Line, append(moves[last:last+1:last+1], want.Line...)) {
				t.Errorf("%s, %s, %s: %d by %v, %v; solve has %d by %v", c.size, rules, c.moves, r.After, game.MoveNames(start.Size, r.Line), err,
					want.Score, game.MoveNames(start.Size, want.Line))
			}
		}
	}
}

// A move on a board that is searched is refuted too, without waiting for the other moves.
func TestRefutationBySearch(t *testing.T) {
	p, err := game.ParsePosition(game.Go{}, "xxx.o/x.xoo/xxxo./.xooo/xxo..")
	if err != nil {
		t.Fatal(err)
	}
	a := newAnalyst(t, analyse.Options{})
	q := analyse.Question{Rules: game.Go{}, Start: p}
	known, err := a.Analyse(t.Context(), q, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []analyse.Finding{known.Moves[0], known.Moves[len(known.Moves)-1]} {
		r, err := a.Refute(t.Context(), q, f.Move)
		if err != nil || r.Before != known.Best.Score || r.After != f.Score || r.Line[0] != f.Move {
			t.Errorf("%s: %+v, %v; %d and %d are known", f.Name, r, err, known.Best.Score, f.Score)
		}
	}
}

func TestMovesThatAreNotRefuted(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 3}
	a := newAnalyst(t, analyse.Options{Limits: job.Limits{Memory: testMemory, Threads: 1}})
	for _, test := range []struct {
		rules    game.Rules
		moves    []board.Point
		move     board.Point
		sentence string
	}{
		{game.NoGo{}, nil, 0, "a move of NoGo wins or loses: it costs no points"},
		{game.Go{}, []board.Point{0}, 0, "white may not play A1: the point is occupied"},
		{game.Go{}, nil, 99, "there is no such point on a 2x3 board"},
		{game.Go{}, []board.Point{game.Pass, game.Pass}, 0, "black may not play: the game is over"},
		{nil, nil, 0, "a question needs the rules of a game"},
	} {
		q := analyse.Question{Rules: test.rules, Start: game.NewPosition(size), Moves: test.moves}
		if r, err := a.Refute(t.Context(), q, test.move); err == nil || err.Error() != test.sentence {
			t.Errorf("%+v, %v, want %q", r, err, test.sentence)
		}
	}
}
