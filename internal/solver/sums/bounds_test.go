package sums

import (
	"math/bits"
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver"
	"tengen/nogo"
)

// exactTo is the largest region that the tests here evaluate exactly. It is
// larger than in the search, so that evaluation meets sums of several regions.
const exactTo = 6

var valueSizes = []string{"1x9", "1x14", "2x5", "2x7", "3x3", "4x3", "4x4", "3x5", "4x5", "5x5"}

// forEachGame plays random games to the end on every size and shows each
// position to visit.
func forEachGame(t *testing.T, games int, visit func(b *sum.Builder, l region.Layout, o *oracle, p nogo.Position)) {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	for _, text := range valueSizes {
		size := parseSize(t, text)
		l := region.NewLayout(size)
		b := sum.NewBuilder(l.Grid, sum.Options{Exact: exactTo, Bounds: true, Split: true, Cancel: true}, new(uint64))
		o := newOracle()
		for range games {
			p := nogo.NewPosition(size)
			for c := board.Black; ; {
				legal := p.Legal(c)
				if legal.IsEmpty() {
					break
				}
				p = with(p, c, pick(legal, rng))
				visit(&b, l, o, p)
				if rng.Intn(4) > 0 {
					c = c.Opponent()
				}
			}
		}
	}
}

// The bounds of region.Bounds hold for every region that can be evaluated.
func TestBoundsEncloseValues(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	checked := 0
	forEachGame(t, longtest.Times(300, 600), func(builder *sum.Builder, l region.Layout, _ *oracle, p nogo.Position) {
		whole := region.Of(l.Grid, l.Stones(p))
		for rest := whole.Points(); rest != 0; {
			points := whole.Component(l.Grid, rest)
			rest &^= points
			if bits.OnesCount64(points) > exactTo {
				continue
			}
			var r region.Region
			whole.Part(points, &r)
			checked++
			b, v := r.Bounds(l.Grid), valueOf(builder, r)
			for _, claim := range []struct {
				name         string
				bound, exact int
				holds        bool
			}{
				{"Low", b.Low, int(v.Low), b.Low <= int(v.Low)},
				{"High", b.High, int(v.High), b.High >= int(v.High)},
				{"First", b.First, int(v.First), b.First <= int(v.First)},
				{"Reply", b.Reply, int(v.Reply), b.Reply >= int(v.Reply)},
			} {
				if !claim.holds {
					t.Fatalf("%s is %d, the truth is %d, for the region of %b in\n%s", claim.name, claim.bound, claim.exact, points, p.Size.Diagram(p.Stones))
				}
			}
		}
	})
	t.Logf("%d regions", checked)
}

// The value of a position of few points, in one region or several, agrees with
// the rules beside free moves.
func TestValuesFollowTheRules(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	checked := 0
	forEachGame(t, 200, func(b *sum.Builder, l region.Layout, o *oracle, p nogo.Position) {
		if playable(p) > exactTo {
			return
		}
		checked++
		got, want := valueOf(b, region.Of(l.Grid, l.Stones(p))), o.value(p)
		if got != want {
			t.Fatalf("%+v, by the rules %+v, in\n%s", got, want, p.Size.Diagram(p.Stones))
		}
	})
	t.Logf("%d positions", checked)
}

// valueOf is the exact value of a region, which may fall apart as it is played.
func valueOf(b *sum.Builder, r region.Region) solver.Value {
	var s sum.Sum
	b.Join(&sum.Part{Region: r}, &s)
	n := int8(s.Balance())
	if len(s.Parts()) == 0 {
		return solver.Value{Low: n, High: n, First: n - 1, Reply: n + 1}
	}
	return s.Parts()[0].Value
}

// value plays p against every integer in reach.
func (o *oracle) value(p nogo.Position) solver.Value {
	const reach = exactTo + 2
	v := solver.Value{Low: -reach, High: reach, First: -reach, Reply: reach}
	for k := -reach; k <= reach; k++ {
		if !o.wins(p, board.White, -k) {
			v.Low = max(v.Low, int8(k))
		}
		if !o.wins(p, board.Black, k) {
			v.High = min(v.High, int8(-k))
		}
		if o.wins(p, board.Black, -k) {
			v.First = max(v.First, int8(k))
		}
		if o.wins(p, board.White, k) {
			v.Reply = min(v.Reply, int8(-k))
		}
	}
	return v
}
