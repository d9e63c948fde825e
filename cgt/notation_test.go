package cgt_test

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/cgt"
)

// Identities of the theory, as sums and as forms.
func TestIdentities(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for _, c := range []struct{ left, right string }{
		{"{|}", "0"},
		{"{0|}", "1"},
		{"{0|1}", "1/2"},
		{"{1/2|1}", "3/4"},
		{"{-5|7}", "0"},
		{"{2,3|}", "4"},
		{"{*|}", "0"},
		{"{^|}", "1"},
		{"{v|^}", "0"},
		{"{0|^}", "^^*"},
		{"{1|1}", "1*"},
		{"{0|0}", "*"},
		{"{0,*|0,*}", "*2"},
		{"{0|*}", "^"},
		{"{*|0}", "v"},
		{"{0,*|0}", "^*"},
		{"{0|^*}", "^^"},
		{"{0|*3}", "^*2"},
		{"{0,^|*}", "{^|*}"},
		{"*+*", "0"},
		{"*5+*3", "*6"},
		{"^+*", "^*"},
		{"^+^", "^^"},
		{"^3*+v3", "*"},
		{"1/2+1/2", "1"},
		{"3/4-1", "-1/4"},
		{"±1+±1", "0"},
		{"{2|0}+{2|0}", "2"},
		{"{1|0}", "1/2+±1/2"},
		{"{0||0|-2}", "+_2"},
		{"{2|0||0}", "-_2"},
		{"{1||1|-1}", "1+_2"},
		{"+_2-_2", "0"},
		{"+-3", "±3"},
		{"-{2|1}", "{-1|-2}"},
		{"-(1^)", "-1v"},
		{"↑ + ↓*", "*"},
		{"3·*", "*"},
		{"2·^", "^^"},
		{"-3·(1/2^)", "-3/2v3"},
		{"3{2|1}", "{2|1} + {2|1} + {2|1}"},
		{"2 (1/2 - *)", "1"},
		{"3*{0|0}", "*"},
		{"2*(^)", "^^"},
		{"3*2", "3 + *2"},
		{"1*", "1 + *"},
		{"Tiny(2)", "+_2"},
		{"1 + Miny({2|1})", "1 - {0|||0||-1|-2}"},
		{"±{1,1*}", "±(1,1*)"},
		{"^<1>", "^"},
		{"^<2>", "{0|v*}"},
		{"^[2]*", "^ + ^<2> + *"},
		{"1v[2]", "1 - {^|*}"},
		{" { 3 | 2 || 1 } ", "{{3|2}|1}"},
	} {
		if l, r := parse(t, a, c.left), parse(t, a, c.right); l != r {
			t.Errorf("%s is %s and %s is %s", c.left, a.String(l), c.right, a.String(r))
		}
	}
}

// A text in canonical notation is read and written as the same text.
func TestNotation(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for _, text := range []string{
		"0", "1", "-3/4", "*", "*2", "^", "v", "^*", "^^", "vv", "^3", "v3*", "v*", "^*2", "1*", "2^", "1v*", "-1/2^^*4",
		"{2|1}", "{1|0,*}", "{1|*}", "{^|*}", "{^|-1}",
		"±1", "±1/2", "±(1*)", "±(1^)", "±(2,{3|1})", "±{2|1}", "±({6|2},{5||4|3})",
		"+_1", "-_1", "+_1/2", "3/4+_2", "1-_2", "{1|+_2}",
		"{1||0|-1}", "{3|2||1}", "{3|2||1|0}", "{2|||1||0|-1}", "{10||||9|||8||7|6}", "{20|{10||||9|||8||7|6}}", "{4,{7|3}|||2||1|0}",
		"{0|||0||-1|-2}",
	} {
		if got := a.String(parse(t, a, text)); got != text {
			t.Errorf("%s is written %s", text, got)
		}
	}
}

func TestParseReadsWhatStringWrites(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	rng := rand.New(rand.NewSource(3))
	for _, g := range pool(t, a, rng, 1000) {
		text := a.String(g)
		if got := parse(t, a, text); got != g {
			t.Fatalf("%s was read as %s", text, a.String(got))
		}
	}
}

// The text does not depend on what else is in the arena.
func TestTextIsTheSameEverywhere(t *testing.T) {
	shared := cgt.New(cgt.Limits{})
	rapid.Check(t, func(t *rapid.T) {
		x := trees(4, 3).Draw(t, "x")
		fresh := cgt.New(cgt.Limits{Memory: 1 << 20})
		if here, there := shared.String(value(t, shared, x)), fresh.String(value(t, fresh, x)); here != there {
			t.Fatalf("%s here is %s there", here, there)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	for text, want := range map[string]string{
		"":                        "column 1: the text ends where a game should be",
		"1 2":                     `column 3: "2" stands where the end should be`,
		"{1,2}":                   `column 1: these braces are without "|"`,
		"1+{1|0":                  `column 3: "{" is never closed: the text ends where ",", "|" or "}" should be`,
		"{1|0)":                   `column 5: ")" stands where ",", "|" or "}" should be`,
		"1|0}":                    `column 2: "|0}" stands where the end should be`,
		"{1|2|3}":                 `column 1: "|" stands twice between these braces, which leaves open where the game is parted`,
		"{1|,0}":                  `column 4: ",0}" stands where a game should be`,
		"(1":                      `column 1: "(" is never closed: the text ends where ")" should be`,
		"±(1":                     `column 2: "(" is never closed: the text ends where "," or ")" should be`,
		"1/3":                     "column 3: the denominator 3 is not a power of two",
		"1/":                      "column 3: the text ends where a denominator should be",
		"±":                       "column 2: the text ends where a number should be",
		"±1*":                     `column 3: "*" stands where the end should be`,
		"+_-1":                    "column 3: the subscript -1 is not positive",
		"x":                       `column 1: "x" stands where a game should be`,
		"^<0>":                    "column 1: the exponent 0 is not from 1 to 100",
		"^<2":                     `column 4: the text ends where ">" should be`,
		"1/2·*":                   "column 1: 1/2 is not an integer: a game is taken an integer number of times",
		"1 *":                     `column 3: a game after a number and a space could be read as "1 + *" or as "1·*": write the one that is meant`,
		"2 ^^":                    `column 3: a game after a number and a space could be read as "2 + ^^" or as "2·^^": write the one that is meant`,
		"3+-1":                    `column 2: "+-" could be read as "+ ±" or as "+ -": write the one that is meant`,
		"1 +\n {2|\n ?}":          `line 3, column 2: "?}" stands where a game should be`,
		strings.Repeat("(", 1000): "column 501: more than 500 braces and signs within each other",
	} {
		_, err := a.Parse(text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"9000", "99999999999999999999", "^5000", "*5000", "1/562949953421312", "1001·*", "100·(100·^)"} {
		if _, err := a.Parse(text); !errors.Is(err, cgt.ErrLimit) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A text that would be too long is cut short. Here every switch doubles the
// length.
func TestLongTexts(t *testing.T) {
	a := cgt.New(cgt.Limits{})
	sum := cgt.Game(0)
	for i := range 15 {
		x := cgt.One >> 5 << i
		sum = ok(a.Add(sum, ok(a.Switch(x, -x))(t)))(t)
	}
	if text := a.String(sum); text != "{…|…}" || a.StopCount(sum) != 1<<15 {
		t.Errorf("a text of %d bytes for %d stops", len(text), a.StopCount(sum))
	}
}

// FuzzParse reads any text without a panic, and reads the text that it
// wrote as the same game.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"{4,{7|3}|||2||1|0}", "±(1*) + 3/4^3*2", "-{1|+_2}", "{|||1}", "±(2,{3|1})-_1/2", "v5-(v*)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 200 {
			t.Skip("long sums take long")
		}
		a := cgt.New(cgt.Limits{Games: 2000, Options: 50, Birthday: 50, Memory: 1 << 20})
		g, err := a.Parse(text)
		if err != nil {
			return
		}
		again, err := a.Parse(a.String(g))
		if errors.Is(err, cgt.ErrLimit) {
			t.Skip("a larger game on the way")
		}
		if err != nil || again != g {
			t.Errorf("%q is %s, which is read as %s with error %v", text, a.String(g), a.String(again), err)
		}
	})
}
