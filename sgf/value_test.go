package sgf_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/sgf"
)

func TestTextOfValues(t *testing.T) {
	for raw, want := range map[string]struct{ text, simple string }{
		`plain`:                   {"plain", "plain"},
		`a \] and a \\`:           {`a ] and a \`, `a ] and a \`},
		`need\less \:-\)`:         {"needless :-)", "needless :-)"},
		"two\nlines":              {"two\nlines", "two lines"},
		"two\r\nlines":            {"two\nlines", "two lines"},
		"soft \\\nline":           {"soft line", "soft line"},
		"soft \\\r\nline":         {"soft line", "soft line"},
		"a backslash\\\\\nbefore": {"a backslash\\\nbefore", "a backslash\\ before"},
		"tab\tand\vfeed":          {"tab and feed", "tab and feed"},
		"[ ( ; need none":         {"[ ( ; need none", "[ ( ; need none"},
		"":                        {"", ""},
	} {
		value, _ := parse(t, "(;C["+raw+"])")[0].Value("C")
		if value.Text() != want.text || value.SimpleText() != want.simple {
			t.Errorf("C[%s] is the text %q and the simple text %q", raw, value.Text(), value.SimpleText())
		}
	}
}

func TestCompose(t *testing.T) {
	for raw, want := range map[string][3]string{
		`a:b`:        {"a", "b", "yes"},
		`a\:b:c:d`:   {"a:b", "c:d", "yes"},
		`a\\:b`:      {`a\`, "b", "yes"},
		`:`:          {"", "", "yes"},
		`a\:b`:       {"a:b", "", "no"},
		"a\\\n:b\\]": {"a", "b]", "yes"},
	} {
		value, _ := parse(t, "(;AP["+raw+"])")[0].Value("AP")
		first, second, ok := value.Compose()
		got := [3]string{first.Text(), second.Text(), map[bool]string{true: "yes", false: "no"}[ok]}
		if got != want {
			t.Errorf("AP[%s] is %q, want %q", raw, got, want)
		}
	}
}

func TestValuesKeepTheirText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.NewReplacer("\t", "", "\v", "", "\f", "", "\r", "")
		first := text.Replace(rapid.String().Draw(t, "first"))
		second := text.Replace(rapid.String().Draw(t, "second"))
		if got := sgf.Text(first).Text(); got != first {
			t.Fatalf("%q becomes %q", first, got)
		}
		a, b, ok := sgf.Compose(first, second).Compose()
		if !ok || a.Text() != first || b.Text() != second {
			t.Fatalf("%q and %q become %q and %q", first, second, a.Text(), b.Text())
		}
	})
}

func TestBrokenTextIsRepaired(t *testing.T) {
	if got := sgf.Text("a\xffb\r\nc").Text(); got != "a\uFFFDb\nc" {
		t.Errorf("the text is %q", got)
	}
}
