package cluster

import (
	"slices"
	"testing"

	"tengen/board"
	"tengen/internal/cluster/tree"
)

// TestClaimsThatAreAlwaysCheckedWait fills the queue of a busy examiner.
func TestClaimsThatAreAlwaysCheckedWait(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 3}
	e := newExaminer(1)
	e.running = true // at another claim
	const others = 20
	for range mostWaiting / 2 {
		e.examine(claim{size, Key{}, tree.Won, "worker", true})
		for range others {
			e.examine(claim{size, Key{ToPlay: board.White}, tree.Won, "worker", false})
		}
	}
	always := len(slices.DeleteFunc(slices.Clone(e.waiting), func(c claim) bool { return !c.always }))
	if always != mostWaiting/2 || len(e.waiting) > mostWaiting+always {
		t.Errorf("%d claims wait, and %d of %d that are always checked", len(e.waiting), always, mostWaiting/2)
	}
}
