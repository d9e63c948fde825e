// Package text spells amounts and results for people: numbers with their digits grouped,
// bytes, counted things, scores of Go. Every front end and the errors of the engine use it,
// so that they all write these alike. It prints nothing.
package text

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// Thousands writes 1234567 as 1,234,567.
func Thousands[N int | int64 | uint64](n N) string {
	if n < 0 {
		return humanize.Comma(int64(n))
	}
	return humanize.BigComma(new(big.Int).SetUint64(uint64(n))) // a uint64 may not fit an int64
}

// Bytes spells an amount of memory. It always writes one decimal, so that amounts in a
// column can be compared. humanize.IBytes drops the decimal from 10 on.
func Bytes(n int64) string {
	unit, name := int64(1), "B"
	for _, u := range []string{"KiB", "MiB", "GiB", "TiB"} {
		if n < unit*1024 {
			break
		}
		unit, name = unit*1024, u
	}
	if unit == 1 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", float64(n)/float64(unit), name)
}

// Plural counts things: 1 move, 2 moves, 1,000 moves.
func Plural[N int | int64 | uint64](n N, thing string) string {
	many := "" // "" adds an s
	if strings.HasSuffix(thing, "ch") {
		many = thing + "es" // humanize adds es only after tch
	}
	return Thousands(n) + " " + english.PluralWord(int(n), thing, many)
}

// About spells an estimated time, rounded to the precision of an estimate.
func About(d time.Duration) string {
	round := func(x, to float64) float64 { return max(math.Round(x/to)*to, to) }
	s := d.Seconds()
	switch {
	case s < 10:
		return Plural(int(round(s, 1)), "second")
	case s < 90:
		return Plural(int(round(s, 5)), "second")
	case s < 10*60:
		return Plural(int(round(s/60, 1)), "minute")
	case s < 90*60:
		return Plural(int(round(s/60, 5)), "minute")
	case s < 10*3600:
		return fmt.Sprintf("%g hours", round(s/3600, 0.5))
	case s < 48*3600:
		return Plural(int(round(s/3600, 1)), "hour")
	}
	return Plural(int(round(s/86400, 1)), "day")
}

// List puts commas between names.
func List[T ~string](names []T) string {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = string(name)
	}
	return strings.Join(plain, ", ")
}

// Verdict says who wins a game of Go by its score, Black minus White.
func Verdict(score int) string {
	switch {
	case score > 0:
		return fmt.Sprintf("black wins by %d", score)
	case score < 0:
		return fmt.Sprintf("white wins by %d", -score)
	}
	return "a draw"
}

// Lead writes a score with its sign: +3, -2, 0.
func Lead(score int) string {
	if score == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", score)
}

// Chance writes the share of wins of an estimate. It never reads as certainty.
func Chance(share float64) string {
	switch {
	case share >= 0.995:
		return "more than 99 %"
	case share <= 0.005:
		return "less than 1 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

// Capital begins a text of ASCII letters with a capital.
func Capital(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Cut keeps the first characters of a text that has more.
func Cut(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// Bounds spells what is known of a score that lies between low and high, on a board with
// the given number of points. It is "" if nothing is known.
func Bounds(low, high, points int) string {
	switch above, below := low > -points, high < points; {
	case above && below:
		return fmt.Sprintf("between %d and %d", low, high)
	case above:
		return fmt.Sprintf("≥ %d", low)
	case below:
		return fmt.Sprintf("≤ %d", high)
	}
	return ""
}

// ShortBounds is Bounds where there is little room: ≥+3, ≤-1 or -1…+3.
func ShortBounds(low, high, points int) string {
	switch above, below := low > -points, high < points; {
	case above && below:
		return Lead(low) + "…" + Lead(high)
	case above:
		return "≥" + Lead(low)
	case below:
		return "≤" + Lead(high)
	}
	return ""
}

// OneLine makes foreign text safe for one line of a terminal. Characters that are not
// printable become �, and the text is cut after most characters.
func OneLine(s string, most int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	s = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) {
			return '\uFFFD'
		}
		return r
	}, s)
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}

// Printable makes a foreign name, such as that of a file, safe for a terminal. Control
// characters and other characters that are not printable are written as Go escapes, such as
// \x1b for Esc. Everything else stays.
func Printable(s string) string {
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsGraphic(r):
			b.WriteRune(r)
		default:
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
	}
	return b.String()
}
