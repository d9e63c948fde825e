package cluster

import (
	"math"
	"testing"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/longtest"
)

func simulate(t *testing.T, size string, workers int, costs Costs) Simulated {
	t.Helper()
	s, err := Simulate(t.Context(), Question{Position: empty(t, size), ToPlay: board.Black}, workers, costs, Options{Budgets: small, Share: 32})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Any number of workers finds the winner in virtual time, and the same call the same again.
func TestSimulatedWinners(t *testing.T) {
	longtest.Alone(t)
	for _, size := range []string{"3x4", "3x5"} {
		want := tree.Lost
		if plain(t, Question{Position: empty(t, size), ToPlay: board.Black}).Winner == board.Black {
			want = tree.Won
		}
		for _, workers := range []int{1, 32} {
			s := simulate(t, size, workers, Measured)
			if s.Outcome != want {
				t.Errorf("%s with %d workers: %d, not %d", size, workers, s.Outcome, want)
			}
			if again := simulate(t, size, workers, Measured); again != s {
				t.Errorf("%s with %d workers: %+v, then %+v", size, workers, s, again)
			}
		}
	}
}

// One worker takes the time of its jobs and of the messages between them, no more and no
// less: nothing but checks goes on beside it.
func TestOneSimulatedWorkerTakesTheSum(t *testing.T) {
	longtest.Alone(t)
	c := Measured
	c.Each, c.Report, c.PerWorker = 0, 0, 0
	s := simulate(t, "3x5", 1, c)
	want := float64(s.Nodes)/c.Rate + float64(s.Jobs)*(c.Send+c.Fetch+c.HandIn+c.Arrive+c.Keep+c.Decide)
	if math.Abs(s.Seconds-want) > 1e-9*want || s.Dropped != 0 {
		t.Errorf("%g s, not %g: %+v", s.Seconds, want, s)
	}
}

// A tree that is made up is decided as it was made, the same way every time, and takes a
// worker what a plain search takes if nothing is lost between jobs.
func TestMadeUpTree(t *testing.T) {
	longtest.Alone(t)
	m := Made{Nodes: 3e7, Moves: 12, First: 0.8, Spread: 1, Kept: 1, Seed: 1}
	for _, workers := range []int{1, 16, 256} {
		s, err := SimulateMade(t.Context(), m, workers, Measured, tree.Budgets{})
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := SimulateMade(t.Context(), m, workers, Measured, tree.Budgets{}); again != s {
			t.Errorf("%+v, then %+v", s, again)
		}
		if s.Outcome != tree.Won || workers == 1 && math.Abs(float64(s.Nodes)-m.Nodes) > m.Nodes/1000 {
			t.Errorf("%d workers: %+v", workers, s)
		}
		t.Logf("%+v", s)
	}
}
