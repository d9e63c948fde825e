package player

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"tengen/board"
	"tengen/nogo"
	"tengen/solver"
	"tengen/solver/sums"
	"tengen/table"
)

func parseSize(t testing.TB, text string) board.Size {
	t.Helper()
	size, err := board.ParseSize(text)
	if err != nil {
		t.Fatal(err)
	}
	return size
}

func newTestEndgame(t testing.TB) *endgame {
	t.Helper()
	thresholds, err := table.NewThresholds(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(thresholds.Close)
	return newEndgame(thresholds, new(atomic.Bool))
}

// randomPosition plays random moves, of both colours alike, until at most so many
// points are playable.
func randomPosition(random *rand.Rand, size board.Size, points int) nogo.Position {
	p := nogo.NewPosition(size)
	c := board.Black
	for playable(p) > points {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			c = c.Opponent()
			continue
		}
		n := random.IntN(legal.Len())
		for q := range legal.Points() {
			if n == 0 {
				p.Stones[c].Add(q)
			}
			n--
		}
		c = c.Opponent()
	}
	return p
}

func newStart(p nogo.Position, c board.Colour) *start {
	g := &start{terrain: newTerrain(p.Size)}
	g.enter(p, c)
	return g
}

// The solver for small boards decides the same positions by other code.
func TestEndgameAgreesWithSums(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	e := newTestEndgame(t)
	for _, text := range []string{"1x12", "12x1", "4x4", "3x6", "6x3", "5x5", "6x7", "7x6"} {
		size := parseSize(t, text)
		s, err := sums.New(size, sums.Options{Threads: 1, Memory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			p := randomPosition(random, size, min(size.Points()-3, 4+random.IntN(12)))
			c := board.Colour(random.IntN(2))
			g := newStart(p, c)
			sh, ok := newSheet(g.terrain, g.candidates)
			if !ok {
				t.Fatalf("no sheet for\n%s", size.Diagram(p.Stones))
			}
			known, move := e.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, 0)
			q := solver.Query{Position: p, ToPlay: c}
			want, err := s.Solve(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if known == Unknown || (known == Won) != (want.Winner == c) {
				t.Fatalf("%s to play is %s, want a win of %s, in\n%s", c, known, want.Winner, size.Diagram(p.Stones))
			}
			if known != Won {
				continue
			}
			after, err := s.Solve(t.Context(), q.After(g.point(move)))
			if err != nil || !p.Legal(c).Has(g.point(move)) || after.Winner != c {
				t.Fatalf("%s does not win for %s (%v) in\n%s", size.Name(g.point(move)), c, err, size.Diagram(p.Stones))
			}
		}
		s.Close()
	}
}
