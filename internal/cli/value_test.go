package cli

import (
	"strings"
	"testing"
)

// Whatever is read as a position is a sum of at least as many games as it has
// signs, and each board among them is one that the rules allow.
func FuzzSummands(f *testing.F) {
	for _, text := range []string{".x..o.", ".x. + o..x", "x../.o.", "x..|.o. + 1x6", "3x3", "-", "..+", "xo", "0x0", "1x63", "x\n."} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := (&value{}).read([]string{text})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: the error is not one line: %v", text, err)
			}
			return
		}
		if len(s.Rows)+len(s.Boards) < 1+strings.Count(text, "+") {
			t.Errorf("%q has only %d strips and %d boards", text, len(s.Rows), len(s.Boards))
		}
		for _, p := range s.Boards {
			if err := p.Validate(); err != nil {
				t.Errorf("%q: %v", text, err)
			}
		}
		for _, row := range s.Rows {
			if row.Points() == 0 {
				t.Errorf("%q has a strip without points", text)
			}
		}
	})
}
