package engine_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/nogo"
)

// What is left of large boards is solved as brute force solves it, and every move.
func TestExactResultsOfLargeBoards(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	for _, size := range []board.Size{{Rows: 7, Cols: 7}, {Rows: 9, Cols: 9}, {Rows: 3, Cols: 19}} {
		for range 12 {
			p, c := latePosition(random, size, 8, 13)
			result, err := engine.Exact(t.Context(), engine.Request{Position: p, ToPlay: c, EachMove: true, Limits: engine.Limits{Memory: testMemory}})
			if err != nil {
				t.Fatalf("%v in\n%s", err, size.Diagram(p.Stones))
			}
			memo := bruteMemo{}
			if want := brute(p, c, c, size.Points(), memo); (result.Winner == c) != want {
				t.Errorf("%s wins, %s to play, in\n%s", result.Winner, c, size.Diagram(p.Stones))
			}
			if len(result.Moves) != p.Legal(c).Len() {
				t.Errorf("%d of %d moves are listed", len(result.Moves), p.Legal(c).Len())
			}
			for _, m := range append(result.Moves, lineMove(result)...) {
				next := p
				next.Stones[c].Add(m.Move)
				if want := brute(next, c.Opponent(), c, size.Points(), memo); (m.Winner == c) != want {
					t.Errorf("%s wins after %s in\n%s", m.Winner, size.Name(m.Move), size.Diagram(p.Stones))
				}
			}
		}
	}
}

// lineMove is the move that the line begins with.
func lineMove(r engine.Result) []engine.MoveResult {
	if len(r.Line) == 0 {
		return nil
	}
	return []engine.MoveResult{{Move: r.Line[0], Winner: r.Winner}}
}

// latePosition is one with a number of playable points between least and most.
func latePosition(random *rand.Rand, size board.Size, least, most int) (nogo.Position, board.Colour) {
	for {
		p, c := randomPosition(random, size, size.Points()/3+random.IntN(size.Points()/2))
		if n := p.Legal(board.Black).Union(p.Legal(board.White)).Len(); least <= n && n <= most {
			return p, c
		}
	}
}

func TestExactGivesUp(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	request := engine.Request{Position: nogo.NewPosition(size), Limits: engine.Limits{Memory: testMemory}}
	if _, err := engine.Exact(t.Context(), request); !errors.Is(err, engine.ErrTooMuchLeft) {
		t.Errorf("the empty board: %v", err)
	}
	illegal := request
	illegal.Position.Stones[board.Black].Add(size.At(0, 0))
	illegal.Position.Stones[board.White].Add(size.At(0, 1))
	illegal.Position.Stones[board.White].Add(size.At(1, 0))
	if _, err := engine.Exact(t.Context(), illegal); err == nil || errors.Is(err, engine.ErrTooMuchLeft) {
		t.Errorf("a stone without a liberty: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, c := latePosition(rand.New(rand.NewPCG(6, 2)), size, 27, 30)
	var stopped *engine.Stopped
	if _, err := engine.Exact(ctx, engine.Request{Position: p, ToPlay: c, Limits: engine.Limits{Memory: testMemory}}); !errors.As(err, &stopped) {
		t.Errorf("%v in\n%s", err, size.Diagram(p.Stones))
	}
}

// An answer says what it rests on, as that of Solve does.
func TestExactSaysItsBound(t *testing.T) {
	size := board.Size{Rows: 9, Cols: 9}
	p, c := latePosition(rand.New(rand.NewPCG(1, 8)), size, 16, 22)
	result, err := engine.Exact(t.Context(), engine.Request{Position: p, ToPlay: c, EachMove: true, Limits: engine.Limits{Memory: testMemory}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Method != engine.Endgame || result.Nodes == 0 || result.Memory <= 0 || result.Memory > testMemory {
		t.Errorf("method %q, %d nodes, %d bytes", result.Method, result.Nodes, result.Memory)
	}
	if result.ErrorBound <= 0 || result.ErrorBound > 1e-12 {
		t.Errorf("the error bound of %d nodes is %g", result.Nodes, result.ErrorBound)
	}
	for _, m := range result.Moves {
		if m.Name() != size.Name(m.Move) {
			t.Errorf("a move is called %s, not %s", m.Name(), size.Name(m.Move))
		}
	}
}
