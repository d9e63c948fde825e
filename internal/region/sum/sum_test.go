package sum_test

import (
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/oracle"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver"
	"tengen/nogo"
)

// settings are ways to make sums; none of them changes an answer.
var settings = []sum.Options{
	{},
	{Bounds: true},
	{Split: true, Cancel: true},
	{Bounds: true, Split: true, Cancel: true},
	{Exact: 3, Bounds: true, Split: true, Cancel: true},
	{Exact: 6, Split: true},
}

// tiny boards can be played out. On larger ones several regions are open at a time.
var (
	tiny   = []board.Size{{Rows: 1, Cols: 9}, {Rows: 2, Cols: 4}, {Rows: 3, Cols: 3}, {Rows: 5, Cols: 2}}
	larger = []board.Size{{Rows: 1, Cols: 14}, {Rows: 2, Cols: 9}, {Rows: 3, Cols: 7}, {Rows: 5, Cols: 4}}
)

// forEachPosition plays random games on boards and visits each position, with a few
// free moves beside it.
func forEachPosition(t *testing.T, sizes []board.Size, visit func(l region.Layout, o oracle.Oracle, p nogo.Position, free int)) {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	for _, size := range sizes {
		l, o := region.NewLayout(size), make(oracle.Oracle)
		for range 12 {
			p := nogo.NewPosition(size)
			for c := board.Black; !p.Legal(c).IsEmpty(); {
				visit(l, o, p, rng.Intn(5)-2)
				legal := p.Legal(c)
				skip := rng.Intn(legal.Len())
				for at := range legal.Points() {
					if skip == 0 {
						p.Stones[c].Add(at)
						break
					}
					skip--
				}
				if rng.Intn(4) > 0 {
					c = c.Opponent()
				}
			}
		}
	}
}

// place makes a sum of a position and free moves.
func place(b *sum.Builder, l region.Layout, p nogo.Position, free int) *sum.Sum {
	s := new(sum.Sum)
	whole := region.Of(l.Grid, l.Stones(p))
	b.Place(&whole, s, new(sum.Pool))
	s.Free[board.Black] += free
	s.Finish()
	return s
}

func inverse(p nogo.Position) nogo.Position {
	p.Stones[0], p.Stones[1] = p.Stones[1], p.Stones[0]
	return p
}

// If the bounds of a sum decide it, the rules give the same winner.
func TestBoundsOfSumsHold(t *testing.T) {
	for _, options := range settings {
		decided := 0
		forEachPosition(t, tiny, func(l region.Layout, o oracle.Oracle, p nogo.Position, free int) {
			b := sum.NewBuilder(l.Grid, options, new(uint64))
			s := place(&b, l, p, free)
			for c := range board.Colour(2) {
				outcome := s.Decided(c)
				if outcome == solver.Unknown {
					continue
				}
				decided++
				if won := o.Wins(c, free, p); (outcome == solver.Won) != won {
					t.Fatalf("%+v: %s to move, %+d free: won is %t by the rules, the bounds say %d, of\n%s",
						options, c, free, won, outcome, p.Size.Diagram(p.Stones))
				}
			}
		})
		if decided == 0 {
			t.Errorf("%+v: the bounds decide nothing", options)
		}
	}
}

// The winner of a sum played part by part is the winner by the rules of the board.
func TestSumsPlayAsBoardsDo(t *testing.T) {
	for _, options := range settings {
		forEachPosition(t, tiny, func(l region.Layout, o oracle.Oracle, p nogo.Position, free int) {
			if p.Stones[0].Len()+p.Stones[1].Len() < 2 {
				return // the other settings are enough, and take less time
			}
			b := sum.NewBuilder(l.Grid, options, new(uint64))
			s := place(&b, l, p, free)
			for c := range board.Colour(2) {
				if got, want := wins(&b, s, c), o.Wins(c, free, p); got != want {
					t.Fatalf("%+v: %s to move, %+d free: won is %t, by the rules %t, in\n%s",
						options, c, free, got, want, p.Size.Diagram(p.Stones))
				}
			}
		})
	}
}

// wins searches a sum without a table.
func wins(b *sum.Builder, s *sum.Sum, c board.Colour) bool {
	if outcome := s.Decided(c); outcome != solver.Unknown {
		return outcome == solver.Won
	}
	var next sum.Sum
	if own := s.Balance() * (1 - 2*int(c)); own > 0 {
		b.Follow(s, 0, c, 0, &next, new(sum.Pool))
		if !wins(b, &next, c.Opponent()) {
			return true
		}
	}
	for at, part := range s.Parts() {
		for rest := part.Region.Open[c]; rest != 0; rest &= rest - 1 {
			b.Follow(s, at, c, rest&-rest, &next, new(sum.Pool))
			if !wins(b, &next, c.Opponent()) {
				return true
			}
		}
	}
	return false
}

// The question of a sum does not depend on the order of its parts. White's question
// of a sum is Black's question of its inverse.
func TestKeysOfSums(t *testing.T) {
	several := 0
	forEachPosition(t, larger, func(l region.Layout, _ oracle.Oracle, p nogo.Position, free int) {
		b := sum.NewBuilder(l.Grid, sum.Options{Bounds: true, Split: true}, new(uint64))
		s := place(&b, l, p, free)
		reversed := &sum.Sum{Free: s.Free}
		for i := range s.Parts() {
			b.Add(&sum.Part{Region: s.Parts()[len(s.Parts())-1-i].Region}, reversed)
		}
		reversed.Finish()
		if len(s.Parts()) > 1 {
			several++
		}
		for c := range board.Colour(2) {
			want := b.Plain(s, c)
			if got := b.Plain(reversed, c); got != want {
				t.Fatalf("in reverse %s asks %v, not %v, of\n%s", c, got, want, p.Size.Diagram(p.Stones))
			}
			if got := b.Plain(place(&b, l, inverse(p), -free), c.Opponent()); got != want {
				t.Fatalf("%s asks %v, the opponent asks %v of the inverse of\n%s", c, want, got, p.Size.Diagram(p.Stones))
			}
		}
	})
	if t.Logf("%d sums of several parts", several); several < 20 {
		t.Error("few sums have several parts")
	}
}

// A position and its inverse cancel: nothing is left.
func TestInversesCancel(t *testing.T) {
	forEachPosition(t, larger, func(l region.Layout, _ oracle.Oracle, p nogo.Position, _ int) {
		b := sum.NewBuilder(l.Grid, sum.Options{Exact: 3, Bounds: true, Split: true, Cancel: true}, new(uint64))
		s := place(&b, l, p, 0)
		other := region.Of(l.Grid, l.Stones(inverse(p)))
		b.Place(&other, s, new(sum.Pool))
		if len(s.Parts()) != 0 || s.Balance() != 0 {
			t.Fatalf("%d parts and %+d free moves are left of\n%s", len(s.Parts()), s.Balance(), p.Size.Diagram(p.Stones))
		}
	})
}
