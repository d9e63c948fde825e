package cgt_test

import (
	"errors"
	"math"
	"math/rand"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
)

// Order, sum, negative, outcome and birthday of random games agree with the
// definitions on trees, and equal games have one handle.
func TestAgainstTrees(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(1))
	for range 4000 {
		compareWithTrees(t, a, randomTree(rng, 3, 2), randomTree(rng, 3, 2))
	}
	rapid.Check(t, func(t *rapid.T) {
		compareWithTrees(t, a, trees(2, 3).Draw(t, "x"), trees(2, 3).Draw(t, "y"))
	})
}

func compareWithTrees(t rapid.TB, a *cgt.Arena, x, y *tree) {
	g, h := value(t, a, x), value(t, a, y)
	le, ge := lessEq(x, y), lessEq(y, x)
	if got := ok(a.LessEq(g, h))(t); got != le {
		t.Fatalf("%s ≤ %s is %v, want %v", a.String(g), a.String(h), got, le)
	}
	if equal := le && ge; equal != (g == h) {
		t.Fatalf("%s = %s is %v, want %v", a.String(g), a.String(h), g == h, equal)
	}
	if got, want := ok(a.Compare(g, h))(t), outcome(!le, !ge); got != want {
		t.Fatalf("%s compares with %s as %v, want %v", a.String(g), a.String(h), got, want)
	}
	if got, want := ok(a.Add(g, h))(t), value(t, a, plus(x, y)); got != want {
		t.Fatalf("%s + %s is %s, want %s", a.String(g), a.String(h), a.String(got), a.String(want))
	}
	if got, want := ok(a.Neg(g))(t), value(t, a, negate(x)); got != want {
		t.Fatalf("-%s is %s, want %s", a.String(g), a.String(got), a.String(want))
	}
	if got, want := a.Outcome(g), outcome(wins(true, x), wins(false, x)); got != want {
		t.Fatalf("the outcome of %s is %v, want %v", a.String(g), got, want)
	}
	canonical := treeOf(a, g)
	if !lessEq(canonical, x) || !lessEq(x, canonical) {
		t.Fatalf("%s is not the game it was made from", a.String(g))
	}
	if got, want := a.Birthday(g), birthday(canonical); got != want {
		t.Fatalf("the birthday of %s is %d, want %d", a.String(g), got, want)
	}
}

func outcome(left, right bool) cgt.Outcome {
	o := cgt.P
	if left {
		o |= cgt.L
	}
	if right {
		o |= cgt.R
	}
	return o
}

// There are 1, 4, 22 and 1474 games born by the days 0 to 3, and those of a day
// are {L|R} for sets L and R of incomparable games of the day before.
func TestGamesByDay(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	games := []cgt.Game{0}
	for _, want := range []int{4, 22, 1474} {
		sets := antichains(t, a, games)
		games = games[:0]
		seen := make(map[cgt.Game]bool)
		for _, l := range sets {
			for _, r := range sets {
				if g := ok(a.Make(l, r))(t); !seen[g] {
					seen[g] = true
					games = append(games, g)
				}
			}
		}
		if len(games) != want {
			t.Errorf("%d games, want %d", len(games), want)
		}
	}
	if a.Len() != len(games) {
		t.Errorf("the arena holds %d games, want %d and no other ones", a.Len(), len(games))
	}
}

// antichains lists the sets of games of which no two are comparable.
func antichains(t *testing.T, a *cgt.Arena, games []cgt.Game) [][]cgt.Game {
	sets := [][]cgt.Game{nil}
	for _, g := range games {
		for _, s := range sets {
			if !slices.ContainsFunc(s, func(h cgt.Game) bool { return ok(a.Compare(g, h))(t) != cgt.N }) {
				sets = append(sets, append(s[:len(s):len(s)], g))
			}
		}
	}
	return sets
}

// The handle of a game does not depend on the order of its options, on copies of
// them, on dominated options, or on detours.
func TestOneFormPerValue(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(4))
	games := pool(t, a, rng, 2000)
	for _, g := range games {
		l, r := slices.Clone(a.Left(g)), slices.Clone(a.Right(g))
		other := games[rng.Intn(len(games))]
		if !ok(a.LessEq(g, other))(t) {
			l = append(l, other) // neither g nor better, so Left never moves there
		}
		// Right's option g makes the detour at most g. Left's move to {other | detour}
		// gains nothing: Right replies with the detour, and Left is no better off than
		// before.
		detour := ok(a.Make(l, append(r[:len(r):len(r)], g)))(t)
		l = append(l, ok(a.Make([]cgt.Game{other}, []cgt.Game{detour}))(t))
		l, r = append(l, l...), append(r, r...)
		rng.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
		rng.Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		if got := ok(a.Make(l, r))(t); got != g {
			t.Fatalf("%s was made again as %s", a.String(g), a.String(got))
		}
	}
}

// No option of a game is dominated or reversible.
func TestFormsAreCanonical(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for _, g := range pool(t, a, rand.New(rand.NewSource(5)), 2000) {
		minus := ok(a.Neg(g))(t)
		for _, g := range []cgt.Game{g, minus} {
			for _, l := range a.Left(g) {
				dominated := func(m cgt.Game) bool { return l != m && ok(a.LessEq(l, m))(t) }
				reverses := func(r cgt.Game) bool { return ok(a.LessEq(r, g))(t) }
				if slices.ContainsFunc(a.Left(g), dominated) || slices.ContainsFunc(a.Right(l), reverses) {
					t.Fatalf("in %s the option %s is dominated or reversible", a.String(g), a.String(l))
				}
			}
		}
		if ok(a.Neg(minus))(t) != g || ok(a.Add(g, minus))(t) != 0 {
			t.Fatalf("%s and %s are no negatives", a.String(g), a.String(minus))
		}
	}
}

func TestGroupLaws(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(6))
	games := pool(t, a, rng, 100)
	for range 1000 {
		g, h, k := games[rng.Intn(len(games))], games[rng.Intn(len(games))], games[rng.Intn(len(games))]
		add := func(g, h cgt.Game) cgt.Game { return ok(a.Add(g, h))(t) }
		sum := add(add(g, h), k)
		if sum != add(g, add(h, k)) {
			t.Fatalf("the sum of %s, %s and %s depends on the order", a.String(g), a.String(h), a.String(k))
		}
		if got := ok(a.Sub(sum, k))(t); got != add(g, h) {
			t.Fatalf("%s plus and minus %s is %s", a.String(add(g, h)), a.String(k), a.String(got))
		}
		if le, sums := ok(a.LessEq(g, h))(t), ok(a.LessEq(add(g, k), add(h, k)))(t); le != sums {
			t.Fatalf("%s ≤ %s changes when %s is added", a.String(g), a.String(h), a.String(k))
		}
	}
}

// Restoring the games of an arena in order gives the same handles.
func TestRestore(t *testing.T) {
	s := newStrips(t)
	s.upTo(6)
	a, b := s.arena, cgt.New(cgt.Limits{})
	for i := range a.Len() {
		g := cgt.Game(i)
		if got := ok(b.Restore(a.Left(g), a.Right(g)))(t); got != g {
			t.Fatalf("%s with handle %d was restored as %d", a.String(g), g, got)
		}
		if a.String(g) != b.String(g) {
			t.Fatalf("%s was restored as %s", a.String(g), b.String(g))
		}
	}
	for i := range a.Len() {
		if got, want := b.Outcome(cgt.Game(i)), a.Outcome(cgt.Game(i)); got != want {
			t.Fatalf("the outcome of %s is %v, want %v", a.String(cgt.Game(i)), got, want)
		}
	}
}

func TestRestoreRefuses(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	one, two, half := parse(t, a, "1"), parse(t, a, "2"), parse(t, a, "1/2")
	star := parse(t, a, "*")
	for name, sides := range map[string][2][]cgt.Game{
		"unknown options":           {{99}, {0}},
		"options that descend":      {{two, one}, {0}},
		"options that occur twice":  {{one, one}, {0}},
		"a number with two options": {{0, one}, nil},
		"a number with other ones":  {{half}, {two}},
		"zero in disguise":          {{star}, {star}},
	} {
		n := a.Len()
		if g, err := a.Restore(sides[0], sides[1]); !errors.Is(err, cgt.ErrForm) {
			t.Errorf("%s: restored as %s with error %v", name, a.String(g), err)
		}
		if a.Len() != n {
			t.Errorf("%s: left a game behind", name)
		}
	}
}

// FuzzRestore makes games out of bytes, canonical or not, and calls every method on
// them. Only Restore may fail.
func FuzzRestore(f *testing.F) {
	f.Add([]byte{1, 0, 1, 0, 1, 1, 0, 0, 2, 1, 0, 1, 1, 2})
	f.Add([]byte{1, 1, 0, 0, 2, 1, 0, 1, 1, 1, 0, 1, 2, 2, 0, 1, 1, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		a := cgt.New(cgt.Limits{Games: 200, Memory: 1 << 20})
		take := func() []cgt.Game {
			n := min(int(data[0]%4), len(data)-1)
			var side []cgt.Game
			for _, b := range data[1 : 1+n] {
				side = append(side, cgt.Game(b))
			}
			data = data[1+n:]
			return side
		}
		for len(data) > 1 && a.Len() < 40 {
			l := take()
			if len(data) > 0 {
				_, _ = a.Restore(l, take())
			}
		}
		last := cgt.Game(a.Len() - 1)
		for i := range a.Len() {
			g := cgt.Game(i)
			if a.StopCount(g) < 1000 {
				_ = a.String(g)
			}
			_ = a.Thermograph(g).Text()
			_, _ = a.LessEq(g, last)
			_, _ = a.Add(g, last)
			_, _ = a.Make(a.Left(g), a.Right(g))
			_, _ = a.Neg(g)
		}
	})
}

func TestConstructors(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for text, g := range map[string]cgt.Game{
		"-5":    ok(a.Integer(-5))(t),
		"3/4":   ok(a.Dyadic(3 * cgt.One / 4))(t),
		"*6":    ok(a.Nimber(6))(t),
		"^3":    ok(a.Up(3))(t),
		"vv":    ok(a.Up(-2))(t),
		"{2|0}": ok(a.Switch(2*cgt.One, 0))(t),
		"1":     ok(a.Switch(0, 2*cgt.One))(t),
		"+_2":   ok(a.Tiny(ok(a.Integer(2))(t)))(t),
	} {
		if a.String(g) != text {
			t.Errorf("%s instead of %s", a.String(g), text)
		}
	}
	if _, err := a.Make([]cgt.Game{0}, []cgt.Game{12345}); !errors.Is(err, cgt.ErrForm) {
		t.Errorf("an unknown option: %v", err)
	}
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits cgt.Limits
		text   string
	}{
		{"games", cgt.Limits{Games: 5}, "7"},
		{"options", cgt.Limits{Options: 2}, "{0,*,*2|0}"},
		{"options of a nimber", cgt.Limits{Options: 10}, "*11"},
		{"birthday of an integer", cgt.Limits{Birthday: 10}, "11"},
		{"birthday of a multiple of up", cgt.Limits{Birthday: 10}, "^10"},
		{"memory", cgt.Limits{Memory: 1 << 14}, "*4000"},
		{"size of a number", cgt.Limits{}, "5000"},
		{"depth of a number", cgt.Limits{}, "{0|1/281474976710656}"},
	} {
		a := cgt.New(c.limits)
		if g, err := a.Parse(c.text); !errors.Is(err, cgt.ErrLimit) {
			t.Errorf("%s: %s is %s with error %v", c.name, c.text, a.String(g), err)
		}
	}
}

// Means and temperatures are exact or refused. In these games the denominators double
// with every level.
func TestDepthLimit(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	g := parse(t, a, "{1|0}")
	for level := range 100 {
		n := ok(a.Integer(level + 2))(t)
		next, err := a.Make([]cgt.Game{n}, []cgt.Game{g})
		if err != nil {
			if !errors.Is(err, cgt.ErrLimit) || level < 40 {
				t.Fatalf("level %d: %v", level, err)
			}
			return
		}
		if _, den := a.Temperature(next).Fraction(); den != 4<<level {
			t.Fatalf("level %d: temperature %v", level, a.Temperature(next))
		}
		g = next
	}
	t.Fatal("no limit to the depth")
}

// A small memo forgets entries, and the answers are the same.
func TestSmallMemory(t *testing.T) {
	large, small := newStrips(t), newStrips(t)
	small.arena = cgt.New(cgt.Limits{Memory: 1 << 18})
	for _, s := range []*strips{large, small} {
		s.upTo(6)
	}
	for text, g := range large.values {
		if got, want := small.arena.String(small.values[text]), large.arena.String(g); got != want {
			t.Fatalf("%s is %s, want %s", text, got, want)
		}
	}
}

func TestStop(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	g, h := parse(t, a, "{3||2|1}"), parse(t, a, "{3|2}")
	a.Stop()
	if _, err := a.Add(g, h); !errors.Is(err, cgt.ErrStopped) {
		t.Errorf("a sum after Stop: %v", err)
	}
	if _, err := a.LessEq(g, h); !errors.Is(err, cgt.ErrStopped) {
		t.Errorf("a comparison after Stop: %v", err)
	}
	if _, err := a.Make([]cgt.Game{g, h}, []cgt.Game{0}); !errors.Is(err, cgt.ErrStopped) {
		t.Errorf("a game made after Stop: %v", err)
	}
}

// The least integer has no negative among the integers.
func TestMultiplesBeyondAllLimits(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	up, err := a.Up(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{math.MinInt, math.MaxInt} {
		if g, err := a.Up(n); !errors.Is(err, cgt.ErrLimit) {
			t.Errorf("%d times ^ is %s, %v", n, a.String(g), err)
		}
		if g, err := a.Times(up, n); !errors.Is(err, cgt.ErrLimit) {
			t.Errorf("%d copies of ^ are %s, %v", n, a.String(g), err)
		}
	}
	if g, err := a.Times(up, -3); err != nil || a.String(g) != "v3" {
		t.Errorf("-3 copies of ^ are %s, %v", a.String(g), err)
	}
}
