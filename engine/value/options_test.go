package value

import (
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/nogo"
)

// A move is marked as reversible if and only if a reply in the canonical form leaves the
// mover no better off than before, and such a reply on the boards is named. Moves to
// numbers are marked too.
func TestReversibleThroughMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var marked, numbers int
	for range 300 {
		p := randomStones(random, [...]board.Size{{Rows: 1, Cols: 7}, {Rows: 2, Cols: 3}, {Rows: 2, Cols: 4}, {Rows: 3, Cols: 3}}[random.IntN(4)])
		e := &evaluation{Request{Sum: Of(p), Limits: job.Limits{Memory: 64 << 20}}, newValuer(Of(p), 64<<20)}
		g, err := e.ofSum(e.request.Sum)
		if err != nil {
			t.Fatal(err)
		}
		options, err := e.options(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range options {
			h, replies := e.replies(t, e.request.Sum.after(o.Move, o.Colour), o.Colour.Opponent())
			form := e.arena.Right(h)
			if o.Colour == board.White {
				form = e.arena.Left(h)
			}
			reverses := func(reply cgt.Game) bool {
				no, err := e.noBetter(reply, g, o.Colour)
				if err != nil {
					t.Fatal(err)
				}
				return no
			}
			some := slices.ContainsFunc(form, reverses)
			reply, legal := replies[o.ReversedBy]
			if some != (o.ReversedBy != "") || some && (!legal || !reverses(reply)) {
				t.Errorf("%s: %s %s to %s is marked with %q", p, o.Colour, o.Name, o.Value, o.ReversedBy)
			}
			if some {
				marked++
				if e.arena.IsNumber(h) {
					numbers++
				}
			}
		}
	}
	if marked == 0 || numbers == 0 {
		t.Errorf("%d moves are reversible, %d of them lead to numbers: too few to tell", marked, numbers)
	}
}

// replies are the value of a sum, and the values that the moves of c lead to by name.
func (e *evaluation) replies(t *testing.T, sum Sum, c board.Colour) (cgt.Game, map[string]cgt.Game) {
	t.Helper()
	value := func(sum Sum) cgt.Game {
		g, err := e.ofSum(sum)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	moves, err := sum.moves(c)
	if err != nil {
		t.Fatal(err)
	}
	replies := map[string]cgt.Game{}
	for _, m := range moves {
		replies[sum.Name(m)] = value(sum.after(m, c))
	}
	return value(sum), replies
}

// randomStones puts stones on a board so that every block has a liberty.
func randomStones(random *rand.Rand, size board.Size) nogo.Position {
	for {
		p := nogo.NewPosition(size)
		for _, at := range size.All() {
			if c := random.IntN(6); c < 2 {
				p.Stones[c].Add(at)
			}
		}
		if p.Validate() == nil {
			return p
		}
	}
}
