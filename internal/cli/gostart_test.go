package cli

import (
	"strings"
	"testing"

	"tengen/board"
)

// Whatever is read as moves reads the same when it is written out.
func FuzzGoMoves(f *testing.F) {
	for _, text := range []string{"", "B2 pass C3", "a1,PASS,\tc1\n", "pass pass pass", "I1", "A0", "A99999999999999999999", "passA1", "é1"} {
		f.Add(text)
	}
	size := board.Size{Rows: 3, Cols: 4}
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := goMoves(size, text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "--moves: move ") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := goMoves(size, strings.Join(goNames(size, moves), " "))
		if err != nil || len(again) != len(moves) {
			t.Fatalf("%q is %v, and that reads as %v: %v", text, moves, again, err)
		}
		for i, m := range moves {
			if again[i] != m || m != board.NoPoint && !size.Contains(m) {
				t.Fatalf("%q is %v, and that reads as %v", text, moves, again)
			}
		}
	})
}
