package gtp

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		line string
		want Command
		ok   bool
	}{
		{"", Command{}, false},
		{" \t\r\n", Command{}, false},
		{"# a comment", Command{}, false},
		{"\x00\x07", Command{}, false},
		{"name", Command{Name: "name", Args: []string{}}, true},
		{"12 name\r\n", Command{ID: "12", Name: "name", Args: []string{}}, true},
		{"7", Command{ID: "7", Args: []string{}}, true},
		{"play\tb  E5 # centre", Command{Name: "play", Args: []string{"b", "E5"}, Text: "b  E5"}, true},
		{"  3   loadsgf my game.sgf", Command{ID: "3", Name: "loadsgf", Args: []string{"my", "game.sgf"}, Text: "my game.sgf"}, true},
		{"pl\x01ay b a1", Command{Name: "play", Args: []string{"b", "a1"}, Text: "b a1"}, true},
		{"-1 name", Command{Name: "-1", Args: []string{"name"}, Text: "name"}, true},
	} {
		got, ok := Parse(test.line)
		if ok != test.ok || !reflect.DeepEqual(got, test.want) {
			t.Errorf("Parse(%q) = %+v, %v, want %+v, %v", test.line, got, ok, test.want, test.ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, line := range []string{"1 play b A1\n", "# interrupt", "\t\r", "99999999999999999999 x", "a#b", "\xff\x00 é"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		c, ok := Parse(line)
		if !ok {
			return
		}
		if c.ID == "" && c.Name == "" {
			t.Fatalf("%q holds nothing but counts as a command", line)
		}
		for _, part := range append([]string{c.ID, c.Name, c.Text}, c.Args...) {
			if strings.ContainsFunc(part, func(r rune) bool { return r < 0x80 && unicode.IsControl(r) || r == '#' }) {
				t.Fatalf("%q leaves %q", line, part)
			}
		}
		// A command that is parsed and written again is parsed as the same
		// command.
		again, ok := Parse(strings.TrimSpace(c.ID + " " + c.Name + " " + c.Text))
		if !ok || !reflect.DeepEqual(again, c) {
			t.Fatalf("%q is %+v and then %+v", line, c, again)
		}
	})
}
