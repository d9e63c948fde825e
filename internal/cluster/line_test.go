package cluster

import (
	"strings"
	"testing"

	"tengen/board"
)

// The moves of a line can be played one after the other on the position that was asked
// about, although the tree has every position turned as its key is.
func TestLineCanBePlayed(t *testing.T) {
	for _, each := range []bool{false, true} {
		q := Question{Position: empty(t, "4x4"), ToPlay: board.Black, EachMove: each}
		_, p, end, err := simulateBoard(q, 1, Measured, Options{Budgets: small})
		if err != nil {
			t.Fatal(err)
		}
		defer end()
		b := newExecutor(32<<20, 1)
		defer b.close()
		if err := b.open(q.Position.Size); err != nil {
			t.Fatal(err)
		}
		long := 0
		for !p.searching.done() {
			j, ok := p.searching.next()
			if !ok {
				t.Fatal("nothing is given out, and the search is not over")
			}
			r := result{ID: j.ID, Kind: solving, Epoch: j.Epoch, Key: j.Key, Worker: "one"}
			if err := b.solve(t.Context(), j, &r); err != nil {
				t.Fatal(err)
			}
			if _, err := p.searching.take(r); err != nil {
				t.Fatal(err)
			}
			var s Status
			p.searching.report(&s)
			position, toPlay := q.Position, q.ToPlay
			for name := range strings.FieldsSeq(s.Line) {
				move, err := position.Size.ParsePoint(name)
				if err != nil {
					t.Fatal(err)
				}
				if !position.Legal(toPlay).Has(move) {
					t.Fatalf("line %q: %s cannot play %s in %s", s.Line, toPlay, name, position)
				}
				position, toPlay = played(position, toPlay, move), toPlay.Opponent()
			}
			if strings.Count(s.Line, " ") > 1 {
				long++
			}
		}
		if long == 0 {
			t.Error("no line had three moves")
		}
	}
}
