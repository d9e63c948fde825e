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
		{" { 3 | 2 || 1 } ", "{{3|2}|1}"},
	} {
		if l, r := parse(t, a, c.left), parse(t, a, c.right); l != r {
			t.Errorf("%s is %s and %s is %s", c.left, a.String(l), c.right, a.String(r))
		}
	}
}

// Texts in canonical notation are written as they were read.
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
		"":                        "it ends where a game should be",
		"1 2":                     `"2" at byte 3, where the end should be`,
		"{1,2}":                   `braces without "|" before byte 6`,
		"{1|0":                    `it ends where ",", "|" or "}" should be`,
		"{1|2|3}":                 `"|" twice between the braces that end before byte 8, which leaves open where the game is parted`,
		"{1|,0}":                  `",0}" at byte 4, where a game should be`,
		"(1":                      `it ends where ")" should be`,
		"1/3":                     "the denominator 3 before byte 4 is not a power of two",
		"1/":                      "it ends where a denominator should be",
		"±":                       "it ends where a number should be",
		"±1*":                     `"*" at byte 4, where the end should be`,
		"+_-1":                    "the subscript -1 before byte 5 is not positive",
		"x":                       `"x" at byte 1, where a game should be`,
		strings.Repeat("(", 1000): "more than 500 braces and signs within each other at byte 501",
	} {
		_, err := a.Parse(text)
		if err == nil || !strings.HasSuffix(err.Error(), ": "+want) || !strings.HasPrefix(err.Error(), "cannot read the game ") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"9000", "99999999999999999999", "^5000", "*5000", "1/562949953421312"} {
		if _, err := a.Parse(text); !errors.Is(err, cgt.ErrLimit) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A text that would be endless is cut short: here every switch doubles it.
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

// FuzzParse reads anything without a fault, and reads again what it wrote.
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
