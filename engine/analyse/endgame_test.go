package analyse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/internal/oracle"
	"tengen/nogo"
)

// Late positions of large boards, and all their moves, have the results of brute force.
func TestEndgamesOfLargeBoards(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for _, size := range []board.Size{{Rows: 7, Cols: 7}, {Rows: 9, Cols: 9}, {Rows: 3, Cols: 19}} {
		a := newAnalyst(t, analyse.Options{Table: job.Cache})
		for range 12 {
			p, c := latePosition(random, size, 8, 13)
			checkNoGo(t, p, c, analysed(t, a, askNoGo(p, c)), oracle.Memo{})
		}
	}
}

// latePosition is one with a number of playable points between least and most. Random
// play may jump over such numbers; it gives up when it has done so too often.
func latePosition(random *rand.Rand, size board.Size, least, most int) (nogo.Position, board.Colour) {
	for range 100_000 {
		p, c := oracle.RandomPosition(random, size, size.Points()/3+random.IntN(size.Points()/2))
		if n := p.Legal(board.Black).Union(p.Legal(board.White)).Len(); least <= n && n <= most {
			return p, c
		}
	}
	panic(fmt.Sprintf("no position of %s with %d to %d playable points was found", size, least, most))
}

func TestEndgamesGiveUp(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	a := newAnalyst(t, analyse.Options{Table: job.Cache})
	var much *solve.TooMuchLeft
	if _, err := a.Analyse(t.Context(), askNoGo(nogo.NewPosition(size), board.Black), nil); !errors.As(err, &much) || much.Open != 81 {
		t.Errorf("the empty board: %v", err)
	}
	illegal := nogo.NewPosition(size)
	illegal.Stones[board.Black].Add(size.At(0, 0))
	illegal.Stones[board.White].Add(size.At(0, 1))
	illegal.Stones[board.White].Add(size.At(1, 0))
	if _, err := a.Analyse(t.Context(), askNoGo(illegal, board.Black), nil); err == nil || errors.As(err, &much) {
		t.Errorf("a stone without a liberty: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, c := latePosition(rand.New(rand.NewPCG(6, 2)), size, 27, 30)
	var stopped *job.Stopped
	if _, err := a.Analyse(ctx, askNoGo(p, c), nil); !errors.As(err, &stopped) {
		t.Errorf("%v in\n%s", err, size.Diagram(p.Stones))
	}
}

// A result says what it rests on and how likely hashing made it wrong, at most, and is
// kept with that.
func TestEndgamesSayTheirBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 8))
	size := board.Size{Rows: 9, Cols: 9}
	path := storeFile(t)
	p, c := latePosition(random, size, 16, 22)
	found := analysed(t, newAnalyst(t, analyse.Options{Table: job.Cache, Store: path}), askNoGo(p, c))
	if found.Nodes == 0 {
		t.Error("no nodes are counted")
	}
	checkBounds(t, found, analyse.ByEndgame)
	kept := analysed(t, newAnalyst(t, analyse.Options{Table: job.Cache, Store: path}), askNoGo(p, c))
	if kept.Nodes > 0 {
		t.Errorf("%d nodes are searched of what was kept", kept.Nodes)
	}
	checkBounds(t, kept, analyse.ByStore)
}

// checkBounds: every result has a basis and an error bound.
func checkBounds(t *testing.T, a analyse.Analysis, by analyse.Basis) {
	t.Helper()
	for _, f := range append(a.Moves, a.Best) {
		if f.By != by && f.By != analyse.ByRules {
			t.Errorf("%s is by %s, not %s", f.Name, f.By, by)
		}
		if f.By == by && (f.ErrorBound <= 0 || f.ErrorBound > 1e-9) {
			t.Errorf("the error bound of %s by %s is %g", f.Name, f.By, f.ErrorBound)
		}
	}
}

// What a player has proven has the bound of its tree and of its endgames, and so has
// what is kept of it.
func TestPlayersProofsSayTheirBound(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, size := range []board.Size{{Rows: 5, Cols: 5}, {Rows: 9, Cols: 9}} {
		path := storeFile(t)
		p, c := latePosition(random, size, 9, 12)
		q := askNoGo(p, c)
		q.Estimates = true
		for _, by := range []analyse.Basis{"", analyse.ByStore} {
			a := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path})
			mover, err := play.New(t.Context(), play.Options{Size: size, Limits: job.Limits{Memory: testMemory}})
			if err != nil {
				t.Fatal(err)
			}
			defer mover.Close()
			q.Mover = mover
			for _, f := range analysed(t, a, q).Moves {
				if f.By != analyse.ByRules && (f.ErrorBound <= 0 || f.ErrorBound > 1e-9 || by != "" && f.By != by) {
					t.Errorf("the error bound of %s by %s is %g", f.Name, f.By, f.ErrorBound)
				}
			}
		}
	}
}
