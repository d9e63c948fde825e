package text

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestThousands(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", math.MaxUint64: "18,446,744,073,709,551,615",
	} {
		if got := Thousands(n); got != want {
			t.Errorf("Thousands(%d) = %s, want %s", n, got, want)
		}
	}
	if got := Thousands(-1234); got != "-1,234" {
		t.Errorf("Thousands(-1234) = %s", got)
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 256 << 20: "256.0 MiB", 1536 << 20: "1.5 GiB", 900 << 40: "900.0 TiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %s, want %s", n, got, want)
		}
	}
}

func TestPlural(t *testing.T) {
	for n, want := range map[int]string{0: "0 moves", 1: "1 move", 1000: "1,000 moves"} {
		if got := Plural(n, "move"); got != want {
			t.Errorf("Plural(%d) = %s, want %s", n, got, want)
		}
	}
	for thing, want := range map[string]string{"endgame search": "2 endgame searches", "match": "2 matches", "box": "2 boxes", "entry": "2 entries", "further move": "2 further moves"} {
		if got := Plural(2, thing); got != want {
			t.Errorf("two of %s are %s, want %s", thing, got, want)
		}
	}
}

func TestVerdict(t *testing.T) {
	for score, want := range map[int]string{2: "black wins by 2", 0: "a draw", -7: "white wins by 7"} {
		if got := Verdict(score); got != want {
			t.Errorf("Verdict(%d) = %s, want %s", score, got, want)
		}
	}
}

func TestBounds(t *testing.T) {
	for want, b := range map[string][2]int{"": {-7, 7}, "≥ 2": {2, 7}, "≤ -2": {-7, -2}, "between 0 and 2": {0, 2}} {
		if got := Bounds(b[0], b[1], 7); got != want {
			t.Errorf("Bounds%v = %q, want %q", b, got, want)
		}
	}
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{
		300 * time.Millisecond:    "1 second",
		7400 * time.Millisecond:   "7 seconds",
		28 * time.Second:          "30 seconds",
		88 * time.Second:          "90 seconds",
		100 * time.Second:         "2 minutes",
		17 * time.Minute:          "15 minutes",
		100 * time.Minute:         "1.5 hours",
		2*time.Hour + time.Minute: "2 hours",
		30 * time.Hour:            "30 hours",
		80 * time.Hour:            "3 days",
	} {
		if got := About(d); got != want {
			t.Errorf("%v is about %s, want %s", d, got, want)
		}
	}
}

// The output of a program never contains a control sequence for the
// terminal.
func TestOneLine(t *testing.T) {
	for said, want := range map[string]string{
		"A1":                       "A1",
		" two\n words\t":           "two words",
		"\x1b[31mred\x1b[0m\a":     "�[31mred�[0m�",
		"\x9b31m, \u202egnp.exe":   "�31m, �gnp.exe",
		"\u009b31m":                "�31m",
		"囲碁 ●○":                    "囲碁 ●○",
		strings.Repeat("long", 10): "longlonglonglonglon…",
	} {
		if got := OneLine(said, 20); got != want {
			t.Errorf("%q is shown as %q, want %q", said, got, want)
		}
	}
}

func TestOneLineOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		said := string(rapid.SliceOf(rapid.Byte()).Draw(t, "said")) + strings.Repeat("x", rapid.IntRange(0, 400).Draw(t, "more"))
		got := OneLine(said, 300)
		steers := strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsGraphic(r) })
		if steers || !utf8.ValidString(got) || utf8.RuneCountInString(got) > 300 || OneLine(got, 300) != got {
			t.Errorf("%q is %q", said, got)
		}
	})
}

// A name shows all its characters and contains no control sequence for the
// terminal.
func TestPrintable(t *testing.T) {
	for name, want := range map[string]string{
		"":                        "",
		"games/first game.sgf":    "games/first game.sgf",
		"対局 №1 — José.sgf":        "対局 №1 — José.sgf",
		`back\slash`:              `back\slash`,
		"\x1b]0;title\x07.sgf":    `\x1b]0;title\a.sgf`,
		"\x1b[2J":                 `\x1b[2J`,
		"two\nlines\tand a tab\r": `two\nlines\tand a tab\r`,
		"c1 \u009b31m":            `c1 \u009b31m`,
		"turned \u202egfs.":       `turned \u202egfs.`,
		"broken \xff\x9b.":        `broken \xff\x9b.`,
		"\x7f":                    `\x7f`,
		"\uFFFD":                  "\uFFFD",
	} {
		if got := Printable(name); got != want {
			t.Errorf("%q is shown as %q, not as %q", name, got, want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("\x1b[31m\u202e\xff")
	f.Fuzz(func(t *testing.T, name string) {
		for _, r := range Printable(name) {
			if !unicode.IsGraphic(r) {
				t.Fatalf("%q is shown with %q", name, r)
			}
		}
	})
}

func TestLead(t *testing.T) {
	for score, want := range map[int]string{3: "+3", 0: "0", -12: "-12"} {
		if got := Lead(score); got != want {
			t.Errorf("%d is written %q, want %q", score, got, want)
		}
	}
}

func TestChance(t *testing.T) {
	for share, want := range map[float64]string{
		0: "less than 1 %", 0.0049: "less than 1 %", 0.0051: "1 %", 0.6: "60 %",
		0.9949: "99 %", 0.995: "more than 99 %", 1: "more than 99 %",
	} {
		if got := Chance(share); got != want {
			t.Errorf("%g is written %q, want %q", share, got, want)
		}
	}
}

func TestCapital(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "A", "black wins": "Black wins"} {
		if got := Capital(s); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}

// A cut counts characters, not bytes.
func TestCut(t *testing.T) {
	for s, want := range map[string]string{"": "", "±1*2": "±1*2", "±1*23": "±1*2…"} {
		if got := Cut(s, 4); got != want {
			t.Errorf("%q becomes %q, want %q", s, got, want)
		}
	}
}
