package sums

import (
	"context"
	"math/rand"
	"testing"

	"tengen/board"
	"tengen/internal/solver"
)

// The policy network changes the number of nodes and no answer. Turned boards are searched
// in the same order.
func TestPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	rng := rand.New(rand.NewSource(1))
	differ := 0
	for _, names := range [][2]string{{"3x8", "8x3"}, {"4x6", "6x4"}, {"5x5", "5x5"}} {
		size, turned := parseSize(t, names[0]), parseSize(t, names[1])
		for range 4 {
			p := randomPosition(size, 8, rng)
			ask := func(o Options, q solver.Query) (board.Colour, uint64) {
				o.Threads, o.Memory = 1, 16<<20
				s, err := New(q.Position.Size, o)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				a, err := s.Solve(context.Background(), q)
				if err != nil {
					t.Fatal(err)
				}
				return a.Winner, s.Stats().Nodes
			}
			q := solver.Query{Position: p, ToPlay: board.Black}
			with, nodes := ask(Options{}, q)
			without, plain := ask(Options{Without: []string{"policy"}}, q)
			if with != without {
				t.Errorf("%s: %s wins, %s without the policy network", size.Line(p.Stones), with, without)
			}
			if nodes != plain {
				differ++
			}
			r := solver.Query{ToPlay: board.Black}
			r.Position.Size = turned
			for c := range p.Stones {
				for at := range p.Stones[c].Points() {
					r.Position.Stones[c].Add(turned.At(size.Col(at), size.Row(at)))
				}
			}
			if winner, count := ask(Options{}, r); winner != with || count != nodes && size != turned {
				t.Errorf("%s: %s wins after %d nodes, turned %s after %d", size.Line(p.Stones), with, nodes, winner, count)
			}
		}
	}
	if differ == 0 {
		t.Error("the policy network changes nothing: it was not asked")
	}
}
