package solve

import (
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/longtest"
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

// One thread searches the same positions every time: the search rests after a number of
// them to look at its table, and not after some time.
func TestOneThreadOfGoRepeats(t *testing.T) {
	longtest.Alone(t)
	p := weiqi.NewPosition(board.Size{Rows: 4, Cols: 4})
	var nodes [2]uint64
	for i := range nodes {
		r := &areaRun{request: GoRequest{Position: p, Limits: job.Limits{Memory: 64 << 20, Threads: 1}}, result: &GoResult{Position: p}}
		if err := r.prepare(); err != nil {
			t.Fatal(err)
		}
		r.memory, r.look = 1<<20, 1<<16
		if _, err := r.open(false, job.Cost{}); err != nil {
			t.Fatal(err)
		}
		a, err := r.narrow(t.Context(), p, between(1, 2), board.Black)
		if err != nil || !a.LowHeld {
			t.Errorf("%+v, %v", a, err)
		}
		if nodes[i] = r.stats().Nodes; r.memory == 1<<20 {
			t.Errorf("the table did not grow within %d positions", nodes[i])
		}
		r.close()
	}
	if nodes[0] != nodes[1] {
		t.Errorf("%d positions, then %d", nodes[0], nodes[1])
	}
}
