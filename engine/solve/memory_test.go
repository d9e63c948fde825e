//go:build invariants

package solve_test

import (
	"maps"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/internal/bigmem"
	"tengen/nogo"
)

// Memory outside the heap is counted in this build alone.
func TestMemoryIsReturned(t *testing.T) {
	for _, method := range []solve.Method{solve.Sums, solve.SBH} {
		before := bigmem.InUse()
		request := solve.Request{Position: nogo.NewPosition(board.Size{Rows: 3, Cols: 3}), Limits: job.Limits{Memory: testMemory}, Method: method}
		if _, err := solve.NoGo(t.Context(), request); err != nil {
			t.Fatal(err)
		}
		if after := bigmem.InUse(); !maps.Equal(after, before) {
			t.Errorf("%s: memory in use was %v and is %v", method, before, after)
		}
	}
}
