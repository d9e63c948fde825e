package player

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/internal/lockless"
	"tengen/internal/longtest"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
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
	thresholds, err := lockless.New(8 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(thresholds.Close)
	return newEndgame(thresholds, new(atomic.Bool))
}

// randomPosition plays random moves, of both colours in turn, until at most
// points points are playable. It plays on a field, because the rules are slow
// on large boards. Another test compares fields with the rules.
func randomPosition(random *rand.Rand, size board.Size, points int) nogo.Position {
	g := newStart(nogo.NewPosition(size), board.Black)
	for c := uint8(0); ; c ^= 1 {
		var legal []uint16
		playable := 0
		for _, cell := range g.candidates {
			if g.field.holds[cell] != vacant {
				continue
			}
			open := g.field.open(g.stride, cell)
			if open&side(c) != 0 {
				legal = append(legal, cell)
			}
			if open != 0 {
				playable++
			}
		}
		if playable <= points {
			return g.field.position(g.terrain)
		}
		if len(legal) > 0 {
			g.field.play(g.stride, legal[random.IntN(len(legal))], c)
		}
	}
}

func newStart(p nogo.Position, c board.Colour) *start {
	g := &start{terrain: newTerrain(p.Size)}
	g.enter(p, c)
	return g
}

// The solver for small boards decides the same positions by other code.
func TestEndgameAgreesWithSums(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	random := rand.New(rand.NewPCG(3, 4))
	e := newTestEndgame(t)
	for _, text := range []string{"1x12", "12x1", "4x4", "3x6", "6x3", "5x5", "6x7", "7x6"} {
		size := parseSize(t, text)
		s, err := sums.New(size, sums.Options{Threads: 1, Memory: 64 << 20})
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			p := randomPosition(random, size, min(size.Points()-3, 4+random.IntN(10)))
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
			if known == game.Unknown || (known == game.Won) != (want.Winner == c) {
				t.Fatalf("%s to play is %s, want a win of %s, in\n%s", c, known, want.Winner, size.Diagram(p.Stones))
			}
			if known != game.Won {
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

// outcome tells by plain recursion whether c, to move, wins.
func outcome(known map[question]bool, p nogo.Position, c board.Colour) bool {
	q := question{p.Stones, c}
	if won, ok := known[q]; ok {
		return won
	}
	won := false
	for move := range p.Legal(c).Points() {
		next := p
		next.Stones[c].Add(move)
		if !outcome(known, next, c.Opponent()) {
			won = true
			break
		}
	}
	known[q] = won
	return won
}

type question struct {
	stones board.Stones
	toPlay board.Colour
}

// On boards that do not fit in a machine word, only the rules can check the
// answer.
func TestEndgamesOfLargeBoards(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(5, 6))
	e := newTestEndgame(t)
	for _, text := range []string{"9x9", "8x11", "2x19", "19x19"} {
		size := parseSize(t, text)
		for range 12 {
			p := randomPosition(random, size, 7)
			known := make(map[question]bool)
			for _, c := range []board.Colour{board.Black, board.White} {
				g := newStart(p, c)
				sh, ok := newSheet(g.terrain, g.candidates)
				if !ok {
					t.Fatalf("no sheet for\n%s", size.Diagram(p.Stones))
				}
				got, move := e.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, 0)
				if got == game.Unknown || (got == game.Won) != outcome(known, p, c) {
					t.Fatalf("%s to play is %s in\n%s", c, got, size.Diagram(p.Stones))
				}
				if got == game.Won {
					next, err := p.Play(c, g.point(move))
					if err != nil || outcome(known, next, c.Opponent()) {
						t.Fatalf("%s does not win (%v) in\n%s", size.Name(g.point(move)), err, size.Diagram(p.Stones))
					}
				}
			}
		}
	}
}

// A search with too few nodes returns Unknown, and later searches are still
// right.
func TestEndgameGivesUp(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	e, careful := newTestEndgame(t), newTestEndgame(t)
	gaveUp := 0
	for range 30 {
		g := newStart(randomPosition(random, board.Size{Rows: 9, Cols: 9}, 14), board.White)
		sh, _ := newSheet(g.terrain, g.candidates)
		want, _ := careful.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, 0)
		for nodes := 1; ; nodes *= 2 {
			got, _ := e.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, nodes)
			if got == want {
				break
			}
			if got != game.Unknown {
				t.Fatalf("%s after %d nodes, %s after all", got, nodes, want)
			}
			gaveUp++
		}
	}
	if gaveUp == 0 {
		t.Error("no search was cut short")
	}
}

// Values that were computed for other questions and forgotten since change no
// answer and no number of nodes.
func TestEndgamesAfterManyOthers(t *testing.T) {
	longtest.Alone(t)
	random := rand.New(rand.NewPCG(9, 10))
	used := newTestEndgame(t)
	const beyond = 100_000 // more values than are kept
	for n := 0; n < 20 || used.valued < beyond; n++ {
		g := newStart(randomPosition(random, board.Size{Rows: 9, Cols: 9}, 18), board.Black)
		sh, ok := newSheet(g.terrain, g.candidates)
		if !ok {
			continue
		}
		fresh := newEndgame(used.table, used.stop)
		used.history = fresh.history
		used.table.Clear()
		got, move := used.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, 300)
		fresh.table.Clear()
		want, same := fresh.decide(g.terrain, sh, &g.field, g.candidates, g.toPlay, 300)
		if got != want || move != same || used.nodes != fresh.nodes {
			t.Fatalf("%s after %d nodes, %s after %d", got, used.nodes, want, fresh.nodes)
		}
	}
}
