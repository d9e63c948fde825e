package linear

import (
	"testing"

	"tengen/cgt"
	"tengen/internal/longtest"
	"tengen/internal/strip"
)

// valuer gives the values of rows that are one strip each.
type valuer struct {
	t      *testing.T
	arena  *cgt.Arena
	values *strip.Values
}

func newValuer(t *testing.T) valuer {
	arena := cgt.New(cgt.Limits{})
	return valuer{t, arena, strip.NewValues(arena)}
}

func (v valuer) sum(rows ...string) cgt.Game {
	v.t.Helper()
	total := cgt.Game(0)
	for _, row := range rows {
		total = must(v.arena.Add(total, must(v.values.Of(must(strip.Parse(row))))))
	}
	return total
}

func (v valuer) atLeast(g, h cgt.Game) bool { return must(v.arena.LessEq(h, g)) }

// ends lists the strips of n points whose last slot is empty.
func ends(n int) []string {
	var list []string
	for code := uint64(0); code < strip.Count(n); code += 3 {
		list = append(list, must(strip.At(n, code)).String())
	}
	return list
}

// A black stone at an end is no loss for Black: xB ≥ B ≥ oB. docs/lab/rows.md has
// the proof.
func TestStoneAtTheEnd(t *testing.T) {
	longtest.Alone(t)
	v := newValuer(t)
	for n := 1; n <= 6; n++ {
		for _, b := range ends(n) {
			if !v.atLeast(v.sum(b+"x"), v.sum(b)) || !v.atLeast(v.sum(b), v.sum(b+"o")) {
				t.Errorf("%s: a stone at the end hurts its own side", b)
			}
		}
	}
}

// A row may be cut at a black stone if White gets a stone on both sides: AxB
// ≥ Ao + oB. Without these stones it does not always hold.
func TestCutAtAStone(t *testing.T) {
	longtest.Alone(t)
	v := newValuer(t)
	for n := 1; n <= 4; n++ {
		for m := 1; m <= 3; m++ {
			for _, a := range ends(n) {
				for _, mirrored := range ends(m) {
					b := must(strip.Parse(mirrored)).Reverse().String()
					if !v.atLeast(v.sum(a+"x"+b), v.sum(a+"o", "o"+b)) {
						t.Errorf("%s is less than its parts", a+"x"+b)
					}
				}
			}
		}
	}
	const a, b = ".o.x.o..o...", "..o"
	if v.atLeast(v.sum(a+"x"+b), v.sum(a, b)) {
		t.Errorf("%sx%s should not be ≥ %s + %s", a, b, a, b)
	}
}
