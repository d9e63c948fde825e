package cgt_test

import (
	"math/rand"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
)

// cooled finds the walls of a game from 0 upwards by the definition: it makes the
// cooled game {GL − t | GR + t} for one tax t after another and reads its stops.
// All temperatures are multiples of the step between taxes, so that no
// temperature is missed at which a game turns into a number.
type cooled struct {
	tb    rapid.TB
	arena *cgt.Arena
	step  cgt.Dyadic
	games map[cooling]cgt.Game
	froze map[cgt.Game]cgt.Dyadic // the temperature, once the tax has reached it
}

type cooling struct {
	game cgt.Game
	tax  cgt.Dyadic
}

// cool is g cooled by a tax. It must have been cooled by all smaller ones before.
func (c *cooled) cool(g cgt.Game, tax cgt.Dyadic) cgt.Game {
	key := cooling{g, tax}
	if at, ok := c.froze[g]; ok {
		key.tax = at
	}
	if frozen, ok := c.games[key]; ok {
		return frozen
	}
	a := c.arena
	if a.IsNumber(g) {
		return g
	}
	var l, r []cgt.Game
	t := ok(a.Dyadic(tax))(c.tb)
	for _, option := range a.Left(g) {
		l = append(l, ok(a.Sub(c.cool(option, tax), t))(c.tb))
	}
	for _, option := range a.Right(g) {
		r = append(r, ok(a.Add(c.cool(option, tax), t))(c.tb))
	}
	result := ok(a.Make(l, r))(c.tb)
	if high, low := a.Stops(result); high == low {
		c.froze[g] = tax
		result = ok(a.Dyadic(high))(c.tb)
	}
	c.games[key] = result
	return result
}

// Thermographs of random games agree with their cooled games.
func TestThermographsAreCooledGames(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(2))
	c := &cooled{t, a, cgt.One / 64, make(map[cooling]cgt.Game), make(map[cgt.Game]cgt.Dyadic)}
	games := pool(t, a, rng, 1000)
	for tax := cgt.Dyadic(0); tax < 4*cgt.One; tax += c.step {
		for _, g := range games {
			if a.Birthday(g) > 7 {
				continue
			}
			l, r := a.Stops(c.cool(g, tax))
			th := a.Thermograph(g)
			if th.Left.At(tax) != l || th.Right.At(tax) != r {
				t.Fatalf("%s cooled by %v has stops %v and %v, and walls at %v and %v",
					a.String(g), tax, l, r, th.Left.At(tax), th.Right.At(tax))
			}
		}
	}
	for _, g := range games {
		if at, ok := c.froze[g]; ok && at != a.Temperature(g) {
			t.Fatalf("%s froze at %v, and its temperature is %v", a.String(g), at, a.Temperature(g))
		}
	}
}

// The mean of a sum is the sum of the means. A sum is no hotter than its hottest
// summand. The stops of n copies of a game differ from n times its mean by at
// most its temperature.
func TestMeansAndTemperatures(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(7))
	games := pool(t, a, rng, 150)
	for range 1000 {
		g, h := games[rng.Intn(len(games))], games[rng.Intn(len(games))]
		sum := ok(a.Add(g, h))(t)
		if a.Mean(sum) != a.Mean(g)+a.Mean(h) {
			t.Fatalf("%s and %s have means %v and %v, and their sum %v", a.String(g), a.String(h), a.Mean(g), a.Mean(h), a.Mean(sum))
		}
		if heat := max(a.Temperature(g), a.Temperature(h)); a.Temperature(sum) > heat {
			t.Fatalf("%s and %s have temperatures %v at most, and their sum %v", a.String(g), a.String(h), heat, a.Temperature(sum))
		}
	}
	for _, g := range games {
		copies, heat := g, max(0, a.Temperature(g))
		for n := cgt.Dyadic(2); n <= 4; n++ {
			copies = ok(a.Add(copies, g))(t)
			if l, r := a.Stops(copies); l > n*a.Mean(g)+heat || r < n*a.Mean(g)-heat {
				t.Fatalf("%d copies of %s stop at %v and %v", n, a.String(g), l, r)
			}
		}
	}
}

// The walls begin at −1, where a number has been taken apart, and end together.
func TestWalls(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rapid.Check(t, func(t *rapid.T) {
		g := value(t, a, trees(4, 3).Draw(t, "g"))
		th := a.Thermograph(g)
		for _, w := range []cgt.Wall{th.Left, th.Right} {
			if w[0].At != -cgt.One || w[len(w)-1] != (cgt.Corner{At: th.Temperature(), Value: th.Mean()}) {
				t.Fatalf("%s has the wall %v", a.String(g), w)
			}
		}
		if l, r := a.Stops(g); th.Left.At(0) != l || th.Right.At(0) != r {
			t.Fatalf("%s has stops %v and %v and walls %v", a.String(g), l, r, th)
		}
		minus := a.Thermograph(ok(a.Neg(g))(t))
		if minus.Mean() != -th.Mean() || minus.Temperature() != th.Temperature() {
			t.Fatalf("%s and its negative have the thermographs %v and %v", a.String(g), th, minus)
		}
		for _, line := range strings.Split(th.Text(), "\n") {
			if len(line) > 100 {
				t.Fatalf("%s is drawn %d columns wide", a.String(g), len(line))
			}
		}
	})
}

func TestKnownTemperatures(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for _, c := range []struct{ game, mean, temperature string }{
		{"0", "0", "-1"},
		{"-7", "-7", "-1"},
		{"1/2", "1/2", "-1/2"},
		{"-3/8", "-3/8", "-1/8"},
		{"*", "0", "0"},
		{"1/2^3*2", "1/2", "0"},
		{"+_2", "0", "0"},
		{"±1", "0", "1"},
		{"{2|1}", "3/2", "1/2"},
		{"{3||2|1}", "9/4", "3/4"},
		{"{4|1||0}", "1", "1"},
		{"{10||||9|||8||7|6}", "145/16", "15/16"},
	} {
		g := parse(t, a, c.game)
		if m, heat := a.Mean(g).String(), a.Temperature(g).String(); m != c.mean || heat != c.temperature {
			t.Errorf("%s has mean %s and temperature %s, want %s and %s", c.game, m, heat, c.mean, c.temperature)
		}
	}
}

func TestThermographText(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	got := a.Thermograph(parse(t, a, "{4||2|0}")).Text()
	want := `  temperature  left  right
          3/2   5/2    5/2
            1     3      2
            0     4      2

       13/8              |
        3/2              |
       11/8             / \
        5/4            /   \
        9/8           /     \
          1          /       \
        7/8         /        |
        3/4        /         |
        5/8       /          |
        1/2      /           |
        3/8     /            |
        1/4    /             |
        1/8   /              |
          0  /               |
`
	if got != want {
		t.Errorf("drawn as\n%s\nwant\n%s", got, want)
	}
}
