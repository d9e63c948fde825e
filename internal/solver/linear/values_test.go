package linear

import (
	"math/bits"
	"testing"

	"tengen/cgt"
	"tengen/internal/lockless"
	"tengen/internal/longtest"
	"tengen/internal/strip"
)

func everyStrip(t *testing.T, most int, visit func(strip.Strip)) {
	t.Helper()
	for n := 1; n <= most; n++ {
		for code := range strip.Count(n) {
			visit(must(strip.At(n, code)))
		}
	}
}

// Counting encloses the values of all strips to seven points.
func TestCountEncloses(t *testing.T) {
	longtest.Alone(t)
	arena := cgt.New(cgt.Limits{})
	values := strip.NewValues(arena)
	everyStrip(t, 7, func(s strip.Strip) {
		g, e := must(values.Of(s)), count(s)
		order := func(n int8) (below, above bool) {
			k := must(arena.Integer(int(n)))
			return must(arena.LessEq(k, g)), must(arena.LessEq(g, k))
		}
		if below, _ := order(e.Low); !below {
			t.Errorf("%s is not ≥ %d", s, e.Low)
		}
		if _, above := order(e.High); !above {
			t.Errorf("%s is not ≤ %d", s, e.High)
		}
		if _, above := order(e.First); above {
			t.Errorf("%s is ≤ %d: Black does not win the difference moving first", s, e.First)
		}
		if below, _ := order(e.Reply); below {
			t.Errorf("%s is ≥ %d: White does not win the difference moving first", s, e.Reply)
		}
	})
}

// The facts of the values of all strips of up to seven points are true,
// different values have different keys, and the keys of negatives match.
func TestStudies(t *testing.T) {
	longtest.Alone(t)
	v := must(newValues(nil, 7, 1<<28, true))
	games := make(map[lockless.Key]cgt.Game)
	everyStrip(t, 7, func(s strip.Strip) {
		g := must(v.of(s))
		d := *v.study(g)
		if !v.atLeast(g, int(d.Low)) || v.atLeast(g, int(d.Low)+1) || !v.atMost(g, int(d.High)) || v.atMost(g, int(d.High)-1) {
			t.Errorf("%s = %s is not enclosed by %d and %d", s, v.arena.String(g), d.Low, d.High)
		}
		if whole, ok := v.less(d.rest, -int(d.shift)); !ok || whole != g {
			t.Errorf("%s = %s is not %d + %s", s, v.arena.String(g), d.shift, v.arena.String(d.rest))
		}
		if other, ok := games[d.key]; ok && other != g {
			t.Fatalf("%s and %s have one key", v.arena.String(g), v.arena.String(other))
		}
		games[d.key] = g
		if negative := v.study(must(v.arena.Neg(g))); negative.key != d.inverse {
			t.Errorf("%s: the key of the negative differs", v.arena.String(g))
		}
	})
	if len(games) < 500 {
		t.Errorf("only %d values", len(games))
	}
}

// A full arena makes no sums, and values that it cannot find are still
// bounded.
func TestNoRoom(t *testing.T) {
	v := must(newValues(nil, 7, 1, true))
	everyStrip(t, 7, func(s strip.Strip) {
		g, err := v.of(s)
		if err != nil {
			return
		}
		if d := v.study(g); d.Low > d.High {
			t.Errorf("%s: %d above %d", s, d.Low, d.High)
		}
	})
}

// A strip laid out as a row has its points where the rules want them.
func TestRow(t *testing.T) {
	everyStrip(t, 6, func(s strip.Strip) {
		grid, stones := row(s)
		black, white := grid.Legal(stones)
		wantBlack, wantWhite := s.Legal()
		if bits.OnesCount64(black) != bits.OnesCount64(wantBlack) || bits.OnesCount64(white) != bits.OnesCount64(wantWhite) {
			t.Errorf("%s: %b %b, legal %b %b", s, black, white, wantBlack, wantWhite)
		}
	})
}
