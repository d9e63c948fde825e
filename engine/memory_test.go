//go:build invariants

package engine_test

import (
	"maps"
	"testing"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/bigmem"
	"tengen/nogo"
)

// Memory outside the heap is counted in this build alone.
func TestMemoryIsReturned(t *testing.T) {
	for _, method := range []engine.Method{engine.Sums, engine.SBH} {
		before := bigmem.InUse()
		request := engine.Request{Position: nogo.NewPosition(board.Size{Rows: 3, Cols: 3}), Limits: engine.Limits{Memory: testMemory}, Method: method}
		if _, err := engine.Solve(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if after := bigmem.InUse(); !maps.Equal(after, before) {
			t.Errorf("%s: memory in use was %v and is %v", method, before, after)
		}
	}
}
