package cgt_test

import (
	"slices"
	"strings"
	"testing"

	"tengen/cgt"
)

// published holds facts about games from the tests of CGSuite 2. Incentives are those of
// the canonical form, Left's and then Right's, without dominated ones, or "?" if they are
// too long to quote.
var published = []struct {
	text                string
	weight              string // atomic weight, "" if CGSuite says that there is none
	birthday            int
	leftStop, rightStop string
	mean, temperature   string
	outcome             cgt.Outcome
	stops               int
	lefts, rights       string
	isAllSmall          bool
}{
	{"0", "0", 0, "0", "0", "0", "-1", cgt.P, 1, "", "", true},
	{"5", "", 5, "5", "5", "5", "-1", cgt.L, 1, "-1", "", false},
	{"-1/2", "", 2, "-1/2", "-1/2", "-1/2", "-1/2", cgt.R, 1, "-1/2", "-1/2", false},
	{"25/16", "", 6, "25/16", "25/16", "25/16", "-1/16", cgt.L, 1, "-1/16", "-1/16", false},
	{"*8", "0", 8, "0", "0", "0", "0", cgt.N, 4374, "*8,*9,*10,*11,*12,*13,*14,*15", "*8,*9,*10,*11,*12,*13,*14,*15", true},
	{"9/8+*", "", 6, "9/8", "9/8", "9/8", "0", cgt.L, 2, "*", "*", false},
	{"^", "1", 2, "0", "0", "0", "0", cgt.L, 3, "v", "^*", true},
	{"v*", "-1", 2, "0", "0", "0", "0", cgt.N, 4, "^*", "v,v*", true},
	{"6+^*", "", 8, "6", "6", "6", "0", cgt.L, 4, "v,v*", "^*", false},
	{"^*6", "1", 8, "0", "0", "0", "0", cgt.L, 1459, "v*6", "^*", true},
	{"73/16+v9*8", "", 27, "73/16", "73/16", "73/16", "0", cgt.L, 13131, "^*", "v9*8", false},
	{"{0|*||*|||*||||*}", "1", 5, "0", "0", "0", "0", cgt.L, 9, "v<4>", "^[4]*", true},
	{"{0||0|v*}", "1", 4, "0", "0", "0", "0", cgt.L, 6, "{v<2>|0}", "^[2]*", true},
	{"{0||0|vvv}", "0", 6, "0", "0", "0", "0", cgt.L, 7, "{^3|0||0}", "{^3,{^3|0}|0}", true},
	{"{^^^|vv}", "{1|0}", 5, "0", "0", "0", "0", cgt.N, 10, "{^5|0}", "{^5|0}", true},
	{"{0||0|-3/2}", "0", 5, "0", "0", "0", "0", cgt.L, 3, "Miny(3/2)", "{3/2,{3/2|0}|0}", false},
	{"{0|||0||-1|-3}", "0", 6, "0", "0", "0", "0", cgt.L, 4, "Miny({3|1})", "{3Tiny({3|1})|1Tiny({3|1}),{2,{3|1}|0}||0}", false},
	{"{5||3|1|||0||||0}", "0", 8, "0", "0", "0", "0", cgt.R, 5, "{5Tiny({5||3|1})|{3,{3|1}|||3|1||0|-2,{-2|-4}},{{4|2},{5||3|1}|0}||0}", "Miny({5||3|1})", false},
	{"{1|^^||^}", "2", 5, "0", "0", "0", "0", cgt.L, 9, "{{1v|^},{1v||1vv|0}|0,{^|0,{0|-1^^}}}", "{1v|^||0}", false},
	{"{1|^^^||^}", "", 6, "0", "0", "0", "0", cgt.L, 9, "{{1v|^^},{1v||1v3|0}|0,{^^|0,{0|-1^3}}}", "{1v|^^||0}", false},
	{"{3||2+*|1+*}", "", 5, "3", "2", "9/4", "3/4", cgt.L, 5, "{2*|1*||0}", "{2*|1*||0}", false},
	{"{3/2+*|1/2||{0|-3},{-1+*,{-1/2|-1+*}|-5/2}}", "", 6, "1/2", "-1", "-5/16", "21/16", cgt.N, 11, "{{4*|3||{5/2|3/2*},{5/2|2*||3/2*|1}},{9/2*|7/2||3/2*|1/2}|0}", "?", false},
}

func TestGamesOfCGSuite(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for _, c := range published {
		g := parse(t, a, c.text)
		l, r := a.Stops(g)
		if l.String() != c.leftStop || r.String() != c.rightStop || a.Mean(g).String() != c.mean || a.Temperature(g).String() != c.temperature {
			t.Errorf("%s: stops %v and %v, mean %v, temperature %v", c.text, l, r, a.Mean(g), a.Temperature(g))
		}
		if a.Birthday(g) != c.birthday || a.StopCount(g) != c.stops || a.Outcome(g) != c.outcome || a.IsAllSmall(g) != c.isAllSmall {
			t.Errorf("%s: birthday %d, %d stops, %v, all-small %t", c.text, a.Birthday(g), a.StopCount(g), a.Outcome(g), a.IsAllSmall(g))
		}
		weight, ok, err := a.AtomicWeight(g)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (c.weight != "") || ok && weight != parse(t, a, c.weight) {
			t.Errorf("%s: atomic weight %s, %t, not %q", c.text, a.String(weight), ok, c.weight)
		}
		for side, want := range []string{c.lefts, c.rights} {
			if want == "?" {
				continue
			}
			if got := incentives(t, a, g, side); !slices.Equal(got, games(t, a, want)) {
				t.Errorf("%s: incentives %d are %v, not %s", c.text, side, texts(a, got), want)
			}
		}
	}
}

// incentives lists the incentives of a side in ascending order, without dominated ones.
func incentives(t *testing.T, a *cgt.Arena, g cgt.Game, side int) []cgt.Game {
	options := a.Left(g)
	if side == 1 {
		options = a.Right(g)
	}
	var list []cgt.Game
	for _, option := range options {
		gain := ok(a.Sub(option, g))(t)
		if side == 1 {
			gain = ok(a.Sub(g, option))(t)
		}
		list = append(list, gain)
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(x cgt.Game) bool {
		return slices.ContainsFunc(list, func(y cgt.Game) bool { return x != y && ok(a.LessEq(x, y))(t) })
	})
	slices.Sort(kept)
	return slices.Compact(kept)
}

// games reads a list of games and sorts it in ascending order.
func games(t *testing.T, a *cgt.Arena, list string) []cgt.Game {
	if list == "" {
		return nil
	}
	options := a.Left(parse(t, a, "{"+list+"|}"))
	if !strings.Contains(list, ",") || list[0] == '{' {
		options = []cgt.Game{parse(t, a, list)}
	} else {
		options = nil
		for text := range strings.SplitSeq(list, ",") {
			options = append(options, parse(t, a, text))
		}
	}
	slices.Sort(options)
	return options
}

func texts(a *cgt.Arena, games []cgt.Game) (list []string) {
	for _, g := range games {
		list = append(list, a.String(g))
	}
	return list
}

// Sums and forms agree with their values in CGSuite.
func TestSumsOfCGSuite(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for text, want := range map[string]string{
		"^^^^^^+vvv*+^19*3+v14":    "^8*2",
		"{0|^*5}":                  "^^*4",
		"+-(1/2)":                  "±1/2",
		"+-{1,1+*}":                "±(1,1*)",
		"3+-1":                     "{4|2}",
		"+-1+-2+-3+-4":             "±{10|8||6|4|||4|2||0|-2}",
		"{0||0|-1/4}":              "Tiny(1/4)",
		"{0|||0||-1|-2}":           "Tiny({2|1})",
		"{0|v*}":                   "^<2>",
		"{0,*|v}":                  "^<2>*",
		"{^|*}":                    "^[2]",
		"{0,^*|0}":                 "^[2]*",
		"3 - 2 +- 6 - 7 +- 8 + 4":  "{12|0||-4|-16}",
		"5*{3||2|1}":               "{12|||11||10,{11|10}|9Tiny({2|1})}",
		"2*(^)":                    "^^",
		"{2|0} + +-{2,{4|0}} - *2": "{2|0} + ±(2,{4|0}) + *2",
	} {
		if l, r := parseCGSuite(t, a, text), parseCGSuite(t, a, want); l != r {
			t.Errorf("%s is %s, not %s", text, a.String(l), a.String(r))
		}
	}
}

func parseCGSuite(t *testing.T, a *cgt.Arena, text string) cgt.Game {
	t.Helper()
	f, err := cgt.ParseFormula(text, cgt.Reading{CGSuite: true})
	if err != nil {
		t.Fatal(text, err)
	}
	total := cgt.Game(0)
	terms, err := f.Terms()
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range terms {
		total = ok(a.Add(total, ok(a.Evaluate(term, nil))(t)))(t)
	}
	return total
}

// Parse reads the text that CGSuite writes as the same game.
func TestCGSuiteNotation(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for text, want := range map[string]string{
		"1*": "1+*", "-1/2^^*4": "-1/2+^^*4", "±1": "+-1", "±1/2": "+-(1/2)", "±(1*)": "+-(1+*)", "±(2,{3|1})": "+-{2,{3|1}}", "±{2|1}": "+-{2|1}",
		"+_2": "Tiny(2)", "1-_1/2": "1+Miny(1/2)", "{3|2||1}": "{3|2||1}", "^3": "^3", "*2": "*2",
	} {
		g := parse(t, a, text)
		if got := a.CGSuite(g); got != want {
			t.Errorf("%s is written %s, not %s", text, got, want)
		}
		if again := parseCGSuite(t, a, want); again != g {
			t.Errorf("%s is read as %s", want, a.String(again))
		}
	}
}

// The laws of atomic weights: they add up, change sign with the game, and 2 is a win.
func TestAtomicWeightsAddUp(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	small := []cgt.Game{}
	for _, text := range []string{"0", "*", "*2", "^", "^*", "^^", "v*2", "{^|*}", "{0|v*}", "{^^|v}", "{^3|vv}", "{0||0|v3}", "{^*,*2|v}", "{^^*|*2||0}"} {
		small = append(small, parse(t, a, text))
	}
	weight := func(g cgt.Game) cgt.Game {
		w, ok, err := a.AtomicWeight(g)
		if !ok || err != nil {
			t.Fatalf("%s has no atomic weight: %v", a.String(g), err)
		}
		return w
	}
	two := ok(a.Integer(2))(t)
	for _, g := range small {
		if weight(ok(a.Neg(g))(t)) != ok(a.Neg(weight(g)))(t) {
			t.Errorf("the weight of -(%s)", a.String(g))
		}
		for _, h := range small {
			sum := ok(a.Add(g, h))(t)
			if w := weight(sum); w != ok(a.Add(weight(g), weight(h)))(t) {
				t.Errorf("%s + %s weighs %s", a.String(g), a.String(h), a.String(w))
			} else if ok(a.LessEq(two, w))(t) && a.Outcome(sum) != cgt.L {
				t.Errorf("%s weighs %s and is not positive", a.String(sum), a.String(w))
			}
		}
	}
}
