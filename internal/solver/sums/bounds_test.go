package sums

import (
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/region"
	"tengen/nogo"
)

// exactTo is the size up to which the tests here have regions evaluated: beyond
// what the search does, so that the evaluation meets sums of its own.
const exactTo = 6

var valueSizes = []string{"1x9", "1x14", "2x5", "2x7", "3x3", "4x3", "4x4", "3x5", "4x5", "5x5"}

// forEachGame plays random games to the end on every size and shows each
// position to visit.
func forEachGame(t *testing.T, games int, visit func(w *worker, l region.Layout, o *oracle, p nogo.Position)) {
	t.Helper()
	rng := rand.New(rand.NewSource(1))
	for _, text := range valueSizes {
		size := parseSize(t, text)
		s := newSolver(t, size, Options{Memory: 1 << 16, Threads: 1})
		w := s.workers[0]
		w.exact = exactTo
		o := newOracle()
		for range games {
			p := nogo.NewPosition(size)
			for c := board.Black; ; {
				legal := p.Legal(c)
				if legal.IsEmpty() {
					break
				}
				p = with(p, c, pick(legal, rng))
				visit(w, s.layout, o, p)
				if rng.Intn(4) > 0 {
					c = c.Opponent()
				}
			}
		}
	}
}

// The bounds of region.Bounds hold for every region that can be evaluated.
func TestBoundsEncloseValues(t *testing.T) {
	checked := 0
	forEachGame(t, 600, func(w *worker, l region.Layout, _ *oracle, p nogo.Position) {
		whole := region.Of(w.grid, l.Stones(p))
		for rest := whole.Points(); rest != 0; {
			points := whole.Component(w.grid, rest)
			rest &^= points
			var f part
			whole.Part(points, &f.region)
			w.describe(&f)
			if int(f.points) > exactTo {
				continue
			}
			checked++
			b := f.region.Bounds(w.grid)
			for _, claim := range []struct {
				name         string
				bound, exact int
				holds        bool
			}{
				{"Low", b.Low, int(f.low), b.Low <= int(f.low)},
				{"High", b.High, int(f.high), b.High >= int(f.high)},
				{"First", b.First, int(f.first), b.First <= int(f.first)},
				{"Reply", b.Reply, int(f.reply), b.Reply >= int(f.reply)},
			} {
				if !claim.holds {
					t.Fatalf("%s is %d, the truth is %d, for the region of %b in\n%s", claim.name, claim.bound, claim.exact, points, p.Size.Diagram(p.Stones))
				}
			}
		}
	})
	t.Logf("%d regions", checked)
}

// The value of a position of few points, in one region or several, is what the
// rules say of it beside free moves.
func TestValuesFollowTheRules(t *testing.T) {
	checked := 0
	forEachGame(t, 200, func(w *worker, l region.Layout, o *oracle, p nogo.Position) {
		if playable(p) > exactTo {
			return
		}
		checked++
		got, want := w.valueByRegions(l, p), o.value(p)
		if got != want {
			t.Fatalf("%+v, by the rules %+v, in\n%s", got, want, p.Size.Diagram(p.Stones))
		}
	})
	t.Logf("%d positions", checked)
}

// valueByRegions is the value that the solver finds, free moves included.
func (w *worker) valueByRegions(l region.Layout, p nogo.Position) value {
	var s sum
	r := region.Of(w.grid, l.Stones(p))
	w.place(&r, &s, new(pool))
	s.total()
	v, n := w.valueOf(&s), int8(s.balance())
	return value{low: v.low + n, high: v.high + n, first: v.first + n, reply: v.reply + n}
}

// value plays p against every integer in reach.
func (o *oracle) value(p nogo.Position) value {
	const reach = exactTo + 2
	v := value{low: -reach, high: reach, first: -reach, reply: reach}
	for k := -reach; k <= reach; k++ {
		if !o.wins(p, board.White, -k) {
			v.low = max(v.low, int8(k))
		}
		if !o.wins(p, board.Black, k) {
			v.high = min(v.high, int8(-k))
		}
		if o.wins(p, board.Black, -k) {
			v.first = max(v.first, int8(k))
		}
		if o.wins(p, board.White, k) {
			v.reply = min(v.reply, int8(-k))
		}
	}
	return v
}
