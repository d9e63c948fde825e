package strip_test

import (
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/strip"
	"tengen/nogo"
)

// eachStrip visits all reduced strips with n points, in order.
func eachStrip(t testing.TB, n int, visit func(strip.Strip)) {
	t.Helper()
	for code := range strip.Count(n) {
		s, err := strip.At(n, code)
		if err != nil {
			t.Fatal(err)
		}
		visit(s)
	}
}

// reduceText is the reduction as the paper states it, on text: the two rewriting
// rules until neither applies.
func reduceText(row string) string {
	for {
		next := row
		next = strings.ReplaceAll(next, "xx", "x")
		next = strings.ReplaceAll(next, "oo", "o")
		next = strings.ReplaceAll(next, "xo", "x + o")
		next = strings.ReplaceAll(next, "ox", "o + x")
		if next == row {
			return row
		}
		row = next
	}
}

func parse(t testing.TB, text string) strip.Strip {
	t.Helper()
	s, err := strip.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Theorem 3: there are 3^(n+1) reduced strips with n points. Their texts and
// codes are all different, and the order is that of the codes.
func TestCountCodesAndOrder(t *testing.T) {
	longtest.Alone(t)
	for n := 1; n <= 8; n++ {
		texts := make(map[string]bool)
		var last strip.Strip
		code := uint64(0)
		eachStrip(t, n, func(s strip.Strip) {
			text := s.String()
			if texts[text] || reduceText(text) != text || strings.Count(text, ".") != n {
				t.Fatalf("%s is not a new reduced strip with %d points", text, n)
			}
			texts[text] = true
			if parse(t, text) != s {
				t.Fatalf("%s reads back as %s", text, parse(t, text))
			}
			if got, ok := s.Code(); !ok || got != code {
				t.Fatalf("%s has code %d, not %d", text, got, code)
			}
			if strip.Compare(last, s) >= 0 || strip.Compare(s, last) <= 0 || strip.Compare(s, s) != 0 {
				t.Fatalf("%s does not come after %s", s, last)
			}
			last = s
			code++
		})
		if uint64(len(texts)) != strip.Count(n) {
			t.Errorf("%d strips with %d points, not %d", len(texts), n, strip.Count(n))
		}
	}
}

func TestCodesOfThePaper(t *testing.T) {
	for text, want := range map[string]uint64{"...": 0, "x..o.x": 27 + 2*3 + 1} {
		if got, ok := parse(t, text).Code(); !ok || got != want {
			t.Errorf("code of %s is %d, not %d", text, got, want)
		}
	}
	sum := uint64(0)
	for n := 1; n <= 15; n++ {
		sum += strip.Count(n)
	}
	if sum != 64_570_077 {
		t.Errorf("%d strips with at most 15 points", sum)
	}
}

// The largest codes still fit, and Code refuses longer strips.
func TestCodesAtTheLimit(t *testing.T) {
	largest := strip.Count(strip.MaxCoded) - 1
	s, err := strip.At(strip.MaxCoded, largest)
	if err != nil {
		t.Fatal(err)
	}
	if want := "o" + strings.Repeat(".o", strip.MaxCoded); s.String() != want {
		t.Errorf("the last strip is %s, not %s", s, want)
	}
	if code, ok := s.Code(); !ok || code != largest {
		t.Errorf("its code is %d, not %d", code, largest)
	}
	if _, ok := parse(t, strings.Repeat(".", strip.MaxCoded+1)).Code(); ok {
		t.Error("a strip beyond the limit has a code")
	}
	for _, bad := range []struct {
		n    int
		code uint64
	}{{0, 0}, {-1, 0}, {strip.MaxCoded + 1, 0}, {1, 9}, {2, 27}, {strip.MaxCoded, largest + 1}} {
		if s, err := strip.At(bad.n, bad.code); err == nil {
			t.Errorf("At(%d, %d) gives %s", bad.n, bad.code, s)
		}
	}
}

// Legal moves, and the strips after every move, agree with the rules on the
// board 1×m that the strip draws.
func TestPlayFollowsTheRules(t *testing.T) {
	longtest.Alone(t)
	for n := 1; n <= 7; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			p, err := nogo.ParsePosition(s.String())
			if err != nil {
				t.Fatal(err)
			}
			comparePlay(t, s, p)
		})
	}
}

// Long strips, up to the longest that a board can hold.
func TestLongStripsFollowTheRules(t *testing.T) {
	longtest.Alone(t)
	rapid.Check(t, func(r *rapid.T) {
		row := rapid.StringMatching(`[xo.]{1,40}|[.]{40,63}`).Draw(r, "row")
		if p, err := nogo.ParsePosition(row); err == nil {
			row = reduceText(p.String())
		} else {
			r.SkipNow()
		}
		for text := range strings.SplitSeq(row, " + ") {
			p, err := nogo.ParsePosition(text)
			if err != nil {
				r.Fatal(err)
			}
			comparePlay(r, parse(t, text), p)
		}
	})
}

func comparePlay(t rapid.TB, s strip.Strip, p nogo.Position) {
	t.Helper()
	var legal [2]uint64
	legal[board.Black], legal[board.White] = s.Legal()
	for _, c := range []board.Colour{board.Black, board.White} {
		point := -1
		for q := range p.Empty().Points() {
			point++
			next, err := p.Play(c, q)
			if (err == nil) != (legal[c]>>point&1 != 0) {
				t.Fatalf("%s at point %d of %s: legal %t, the rules say %v", c, point, s, err != nil, err)
			}
			if err != nil {
				continue
			}
			left, right := s.Play(c, point)
			got := left.String()
			if right != (strip.Strip{}) {
				got += " + " + right.String()
			}
			if want := reduceText(next.String()); got != want {
				t.Fatalf("%s at point %d of %s gives %s, not %s", c, point, s, got, want)
			}
		}
		if legal[c]>>s.Points() != 0 {
			t.Fatalf("%s: moves beyond the end: %b", s, legal[c])
		}
	}
}

func TestReversalAndInversion(t *testing.T) {
	for n := 1; n <= 7; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			if got, want := s.Reverse().String(), reverseText(s.String()); got != want {
				t.Fatalf("the reverse of %s is %s, not %s", s, got, want)
			}
			if got, want := s.Inverse().String(), inverseText(s.String()); got != want {
				t.Fatalf("the inverse of %s is %s, not %s", s, got, want)
			}
			least := s.Least()
			if least != s.Reverse().Least() || strip.Compare(least, s) > 0 || least != s && least != s.Reverse() {
				t.Fatalf("the least of %s and its reverse is not %s", s, least)
			}
			black, white := s.Legal()
			reversed, _ := s.Reverse().Legal()
			if bits.Reverse64(reversed)>>(64-n) != black {
				t.Fatalf("%s and its reverse differ in legal moves", s)
			}
			if b, w := s.Inverse().Legal(); b != white || w != black {
				t.Fatalf("%s and its inverse differ in legal moves", s)
			}
		})
	}
	longest := parse(t, strings.Repeat(".", strip.MaxPoints-1)+"x.")
	if got := longest.Reverse().String(); got != reverseText(longest.String()) {
		t.Errorf("the reverse of %s is %s", longest, got)
	}
}

func reverseText(text string) string {
	out := []byte(text)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return string(out)
}

func inverseText(text string) string {
	return strings.NewReplacer("x", "o", "o", "x").Replace(text)
}
