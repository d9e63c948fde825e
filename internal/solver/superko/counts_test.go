package superko_test

import (
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
)

// The oracle itself reproduces published counts: games under positional superko,
// and Tromp's search of 2×2.
func TestOracle(t *testing.T) {
	longtest.Alone(t)
	for cols, want := range map[int]int{1: 1, 2: 9, 3: 907} {
		o := newOracle(board.Size{Rows: 1, Cols: cols}, psk, 0)
		start := strings.Repeat(".", cols)
		o.seen[start]++
		if got := o.games(start, 0, false); got != want {
			t.Errorf("1x%d has %d games, want %d", cols, got, want)
		}
	}
	o := newOracle(board.Size{Rows: 2, Cols: 2}, psk, 1e6)
	o.seen["...."]++
	if v := o.value("....", 0, false, -4, 4, 0); v != 1 || o.nodes != 1446 || o.deepest != 22 {
		t.Errorf("2x2 is %d after %d nodes to depth %d, want 1, 1446, 22", v, o.nodes, o.deepest)
	}
}
