package strip_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/internal/strip"
	"tengen/nogo"
)

func TestReduce(t *testing.T) {
	for row, want := range map[string]string{
		".":            ".",
		"bB-wW":        "x.o",
		".xxx..ooxx..": ".x..o + x..",
		".xo.ox.xxo.":  ".x + o.o + x.x + o.",
		"xxxx.":        "x.",
	} {
		got, err := strip.Reduce(row)
		if err != nil {
			t.Errorf("%s: %v", row, err)
		} else if strip.Format(got) != want {
			t.Errorf("%s becomes %s, not %s", row, strip.Format(got), want)
		}
	}
}

// Reduce accepts the rows that the rules accept, and gives the same strips as
// rewriting.
func TestReduceFollowsTheRules(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		row := rapid.StringMatching(`[xo.]{1,30}`).Draw(r, "row")
		got, err := strip.Reduce(row)
		_, refused := nogo.ParsePosition(row)
		switch {
		case (err == nil) != (refused == nil):
			r.Fatalf("%s: %v, the rules say %v", row, err, refused)
		case err == nil && strip.Format(got) != reduceText(row):
			r.Fatalf("%s becomes %s, not %s", row, strip.Format(got), reduceText(row))
		}
	})
}

// parseSum reads rows with plus signs between them and reduces each.
func parseSum(text string) ([]strip.Strip, error) {
	var sum []strip.Strip
	for row := range strings.SplitSeq(text, "+") {
		parts, err := strip.Reduce(strings.TrimSpace(row))
		if err != nil {
			return nil, err
		}
		sum = append(sum, parts...)
	}
	return sum, nil
}

func TestErrorsNameStripAndColumn(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "a strip has no points: give x, o and . such as .x..o",
		".x?":                   `strip ".x?", column 3: '?' is not a stone (x, o) or an empty point (.)`,
		"xx":                    `strip "xx", column 1: the black block has no liberty`,
		".xoox.":                `strip ".xoox.", column 3: the white block has no liberty`,
		"xox.":                  `strip "xox.", column 1: the black block has no liberty`,
		strings.Repeat(".", 64): `strip "` + strings.Repeat(".", 64) + `", column 1: the strip that begins here has more than 63 empty points`,
		".é":                    `strip ".é", column 2: 'é' is not a stone (x, o) or an empty point (.)`,
		".x. .":                 `strip ".x. .", column 4: ' ' is not a stone (x, o) or an empty point (.)`,
	} {
		_, err := strip.Reduce(text)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := strip.Parse(".xo."); err == nil || err.Error() != `strip ".xo." falls apart into .x + o.; one strip is wanted` {
		t.Errorf("two strips for one: %v", err)
	}
}

func FuzzReduce(f *testing.F) {
	for _, seed := range []string{".x. + o..x", "x", "", "+", ".xo.", strings.Repeat(".x", 70), "x.\x00", "-b-w"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		sum, err := parseSum(text)
		if err != nil {
			return
		}
		again, err := parseSum(strip.Format(sum))
		if err != nil || strip.Format(again) != strip.Format(sum) {
			t.Fatalf("%q becomes %s, which reads back as %s, %v", text, strip.Format(sum), strip.Format(again), err)
		}
	})
}
