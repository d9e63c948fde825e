package value_test

import (
	"errors"
	"strings"
	"testing"

	"tengen/cgt"
	"tengen/engine/value"
)

// Texts and the sums they are read as, with the summands written out.
func TestSumsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"..x":                       "..x",
		"..x - .x.":                 "..x + .o.",
		"..x-.x.":                   "..x..x.",
		"..x + .x.":                 "..x + .x.",
		"..x+.x.":                   "..x + .x.",
		"- ..x":                     "..o",
		"- - ..x":                   "..x",
		"-(..x - .o.)":              "..o + .o.",
		"2 ..x":                     "..x + ..x",
		"2·..x - 2 (.x. + 1)":       "..x + ..x + .o. + .o. + -2",
		"0 ..x + .":                 ".",
		"0 ..x":                     "0",
		".x./... + o../.x.":         ".x./... + o../.x.",
		".x.|... - o..|.x.":         ".x./... + x../.o.",
		". x . / . . .":             ".x./...",
		".x.\n...\n+\n..":           ".x./... + ..",
		"x..\n.o.\n":                "x../.o.",
		"b.W-":                      "x.o.",
		"--x--":                     "..x..",
		"-x-/---":                   ".x./...",
		"-x- - --x":                 ".x. + ..o",
		"-/-":                       "./.",
		"2x3 - 1x4":                 ".../... + ....",
		"2 1x3":                     "... + ...",
		"..x -1":                    "..x + -1",
		"..x-1":                     "..x + -1",
		"..x-*2":                    "..x + -(*2)",
		"..x - {1|0}":               "..x + -({1|0})",
		"..x - 1/2":                 "..x + -1/2",
		"1 - ..x":                   "1 + ..o",
		"1-..x":                     "1 + ..o",
		"*2 + ^ - v*":               "*2 + ^ + -(v*)",
		"3·^ + 2{1|0}":              "3·(^) + 2·({1|0})",
		"{.x.|..} - ..":             "{.x.|..} + ..",
		"{x../...|...} + (..x)":     "{x../...|...} + ..x",
		"±(..x) + +_2":              "±(..x) + +_2",
		"1/2":                       "1/2",
		"-1/2 + 3":                  "-1/2 + 3",
		"..x- + ..":                 "..x. + ..",
		"(..) - (..)":               ".. + ..",
		"(..)-..":                   ".. + ..",
		"  .x.  ":                   ".x.",
		"v + ..":                    "v + ..",
		strings.Repeat(".", 20):     strings.Repeat(".", 20),
		"1x63 - 1x63":               strings.Repeat(".", 63) + " + " + strings.Repeat(".", 63),
		"Tiny(2) + ^[2] + {2|1||0}": "Tiny(2) + ^[2] + {2|1||0}",
	} {
		sum, err := value.Parse(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := sum.String(); got != want {
			t.Errorf("%q is read as %q, not as %q", text, got, want)
		}
	}
}

// Ambiguous and wrong texts are refused with the place and a reason.
func TestSumsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"--1":          `column 1: "--" could be read as signs, "- - 1", or as empty points and a minus, ". - 1": write the one that is meant`,
		"1 -- 2":       `column 3: "--" could be read as signs, "- - 2", or as empty points and a minus, ". - 2": write the one that is meant`,
		"..x -.x.":     `column 5: "-" could be read as the minus in "..x - .x." or as the empty point in "..x..x.": write the one that is meant`,
		"..x- .x.":     `column 4: "-" could be read as the minus in "..x - .x." or as the empty point in "..x..x.": write the one that is meant`,
		"1 -.x.":       `column 3: "-" before a board could be read as "- .x." or as "..x.": write the one that is meant`,
		"(1) -.x.":     `column 5: "-" could be read as the minus in "1) - .x." or as the empty point in "1)..x.": write the one that is meant`,
		"-..x":         `column 1: "-" before a board could be read as "- ..x" or as "...x": write the one that is meant`,
		".x. + -..x":   `column 7: "-" before a board could be read as "- ..x" or as "...x": write the one that is meant`,
		".x. ..":       `column 5: a blank within a board could be read as ".x..." or as ".x. + ..": write the one that is meant`,
		".x. + ":       "column 7: the text ends where a game should be",
		"+ .x.":        `column 1: "+ .x." stands where a game should be`,
		".x.+-.x.":     `column 4: "+-" could be read as "+ ±" or as "+ -": write the one that is meant`,
		".x?":          `column 3: row 1 from the top, column 3: '?' is not a stone (x, o) or an empty point (.)`,
		".. + ?":       `column 6: '?' is not a stone (x, o), an empty point (.) or a sign of a game`,
		".x. - .xo":    `column 9: board ".xo": row 1 from the top, column 3: the white block at C1 has no liberty`,
		"x../..":       `column 1: board "x../..": row 2 from the top has 2 points, the first row has 3`,
		".. + xo./o..": `column 6: board "xo./o..": row 1 from the top, column 1: the black block at A2 has no liberty`,
		"x../":         `column 5: a row of the board is missing here, after "x../"`,
		"(.x. + ..":    `column 1: "(" is never closed: the text ends where ")" should be`,
		".x. + ..)":    `column 9: ")" stands where the end should be`,
		"{.x.|..":      `column 1: "{" is never closed: the text ends where ",", "|" or "}" should be`,
		"3x..":         `column 1: "3x.." is neither a size such as 3x5 nor a number: for copies of a board write "3 x.."`,
		"3.x.":         `column 1: "3.x." is neither a size such as 3x5 nor a number: for copies of a board write "3 .x."`,
		"1.5":          `column 1: "1.5" is neither a number nor a board: write fractions as 3/2`,
		"4by5":         `column 1: size "4by5" is not ROWSxCOLS, such as 4x5`,
		"..x - 20x20":  `column 7: `,
		"1/2 ..x":      "column 1: 1/2 is not an integer: a game is taken an integer number of times",
		"300 ..":       "column 5: with this the sum has more than 200 boards",
		"2000 ..":      "column 1: the game is too large: more than 1000 times a game",
		"..x - 1/3":    "column 9: the denominator 3 is not a power of two",
		"":             "column 1: the text ends where a game should be",
		"-":            "column 2: the text ends where a game should be",
		".x. -":        "column 6: the text ends where a game should be",
	} {
		_, err := value.Parse(text)
		var syntax *cgt.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The caret stands below the place, also in long texts.
func TestPointersOfErrors(t *testing.T) {
	for text, want := range map[string]string{
		"..x + ?":                        "..x + ?\n      ^",
		"..x +\n  ^ + ?":                 "  ^ + ?\n      ^",
		strings.Repeat("1 + ", 20) + "?": "…" + strings.Repeat("1 + ", 9) + "?\n" + strings.Repeat(" ", 37) + "^",
		"? + " + strings.Repeat(".", 60): "? + " + strings.Repeat(".", 32) + "…\n^",
	} {
		_, err := value.Parse(text)
		var syntax *cgt.SyntaxError
		if !errors.As(err, &syntax) || syntax.Pointer() != want {
			t.Errorf("%q: %v\n%s\nwant\n%s", text, err, syntax.Pointer(), want)
		}
	}
}

// To CGSuite +- after a term is the sum with a switch.
func TestCGSuiteReads(t *testing.T) {
	sum, err := value.ParseCGSuite("3+-1")
	if err != nil {
		t.Fatal(err)
	}
	if v, err := value.Find(t.Context(), value.Request{Sum: sum}); err != nil || v.Canonical != "{4|2}" {
		t.Errorf("%s, %v", v.Canonical, err)
	}
}

// FuzzParseSum reads anything without a fault. What it reads it reads again as it writes
// it, and every board is one that the rules allow; what it refuses it points at.
func FuzzParseSum(f *testing.F) {
	for _, text := range []string{
		".x..o.", ".x. + o..x", "x../.o.", "x..|.o. + 1x6", "3x3", "-", "..+", "xo", "0x0", "1x63", "x\n.", "..x - .x.", "..x -.x.", "- -x-", "2 ..x - 3·(1/2)",
		"{.x.|..||1} - *2", "±(..x,1) + Tiny(2)", "^<2>*3 - v[3]", ". x . / . - .", "..x-1", "3*(..)", "-(-(..))", "3x..", "x/-/\n.", "1-\n-x", "(x.)-.x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sum, err := value.Parse(text)
		if err != nil {
			var syntax *cgt.SyntaxError
			if strings.Contains(err.Error(), "\n") || !errors.As(err, &syntax) {
				t.Fatalf("%q: the error is not one line with a place: %v", text, err)
			}
			if syntax.At < 0 || syntax.At > len(text) || !strings.HasSuffix(syntax.Pointer(), "^") {
				t.Fatalf("%q: the place is %d\n%s", text, syntax.At, syntax.Pointer())
			}
			return
		}
		for _, p := range sum.Positions() {
			if err := p.Validate(); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
		again, err := value.Parse(sum.String())
		if err != nil || again.String() != sum.String() {
			t.Fatalf("%q is read as %q, and that as %q: %v", text, sum, again, err)
		}
	})
}
