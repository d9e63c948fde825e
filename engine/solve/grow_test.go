package solve

import (
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/solver/gosearch"
	"tengen/weiqi"
)

// A table that is half full is replaced by a larger one, which has its proofs.
func TestTheTableOfGoGrows(t *testing.T) {
	p := weiqi.NewPosition(board.Size{Rows: 3, Cols: 3})
	r := &areaRun{request: GoRequest{Position: p, Limits: job.Limits{Memory: 16 << 20, Threads: 1}}, result: &GoResult{Position: p}}
	if err := r.prepare(); err != nil {
		t.Fatal(err)
	}
	r.memory = 2 << 10
	if _, err := r.open(false, job.Cost{}); err != nil {
		t.Fatal(err)
	}
	defer func() { r.close() }()
	s, err := r.narrow(t.Context(), p, between(8, 9), board.Black)
	if err != nil || !s.Exact() || s.Low != 9 {
		t.Fatalf("%+v, %v", s, err)
	}
	nodes := r.stats().Nodes
	if err := r.grow(); err != nil {
		t.Fatal(err)
	}
	if r.memory != growth*2<<10 || r.stats().Nodes != nodes || r.solver.Stats().Stored == 0 {
		t.Errorf("%d bytes, %d nodes, %+v", r.memory, r.stats().Nodes, r.solver.Stats())
	}
	if v, err := r.solver.Prove(t.Context(), gosearch.Question{Position: p, Prover: board.Black, Goal: 9}, 200); err != nil || v != gosearch.Proven {
		t.Errorf("%v, %v", v, err)
	}
}
