package retro_test

import (
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Every position the strategy claims is a draw or better in the table, its move
// keeps that, and every reply leads to a position it claims or to an end it does not lose.
func TestStripStrategyDraws(t *testing.T) {
	longest := 10
	if longtest.On() {
		longest = 14
	}
	for n := 3; n <= longest; n++ {
		size := board.Size{Rows: 1, Cols: n}
		table, _ := build(t, retro.Options{Size: size})
		claimed := 0
		eachBoard(size, func(p weiqi.Position) {
			claimed += checkStrip(t, table, p)
			passed := p
			passed.Passes = 1
			claimed += checkStrip(t, table, passed)
			for q := range p.Empty().Points() {
				banned := p
				if banned.Ko = q; banned.Validate() == nil {
					claimed += checkStrip(t, table, banned)
				}
			}
		})
		if claimed < n {
			t.Errorf("1x%d: only %d positions are claimed", n, claimed)
		}
	}
}

// checkStrip looks at one position and returns 1 if it is claimed.
func checkStrip(t *testing.T, table *tablebase.Table, p weiqi.Position) int {
	t.Helper()
	move, ok := retro.StripMove(p)
	if !ok {
		return 0
	}
	v, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	next, err := weiqi.Rules{}.Play(p, move)
	if err != nil {
		t.Fatalf("%v, %s", err, describe(p))
	}
	after, err := table.Value(next)
	if err != nil {
		t.Fatal(err)
	}
	if v.Score < 0 || after.Score > 0 {
		t.Fatalf("worth %d, after %s %d, %s", v.Score, p.Size.Name(move), -after.Score, describe(p))
	}
	checkReplies(t, next)
	return 1
}

// checkReplies looks at every reply to a move of the strategy.
func checkReplies(t *testing.T, p weiqi.Position) {
	t.Helper()
	for _, m := range moves(p) {
		reply, err := weiqi.Rules{}.Play(p, m)
		if err != nil {
			t.Fatal(err)
		}
		if reply.Over() {
			if score := reply.Score(); score != 0 && (score > 0) == (p.ToPlay == board.Black) {
				t.Fatalf("the strategy loses by %d, %s", score, describe(reply))
			}
		} else if _, ok := retro.StripMove(reply); !ok {
			t.Fatalf("the strategy has no answer, %s", describe(reply))
		}
	}
}

// From six points on the strategy answers every first move, so the second player
// draws; on five points it has no answer to the centre.
func TestStripStrategyAnswersOpenings(t *testing.T) {
	for n := 5; n <= 22; n++ {
		for _, size := range []board.Size{{Rows: 1, Cols: n}, {Rows: min(n, board.MaxSide), Cols: 1}} {
			p := weiqi.NewPosition(size)
			for i, q := range size.All() {
				next, err := weiqi.Rules{}.Play(p, q)
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := retro.StripMove(next); ok == (n == 5 && i == 2) {
					t.Errorf("%s after %s: answered %v", size, size.Name(q), ok)
				}
			}
		}
	}
	for _, size := range []board.Size{{Rows: 1, Cols: 2}, {Rows: 2, Cols: 3}} {
		if _, ok := retro.StripMove(weiqi.NewPosition(size)); ok {
			t.Errorf("%s is claimed", size)
		}
	}
}
