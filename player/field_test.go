package player

import (
	"math"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

var fieldSizes = []string{"1x1", "1x2", "2x1", "1x63", "2x2", "3x5", "5x5", "7x8", "9x9", "13x7", "19x19"}

// The rules say the same as a field on every position of random games.
func TestFieldFollowsTheRules(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, text := range fieldSizes {
		size := parseSize(t, text)
		terrain := newTerrain(size)
		games := min(30, 1+2000/size.Points())
		for range games {
			f := new(field)
			p := nogo.NewPosition(size)
			f.set(terrain, p)
			for {
				legal := [2]board.Set{p.Legal(board.Black), p.Legal(board.White)}
				checkOpen(t, terrain, f, p, legal)
				c := board.Colour(random.IntN(2))
				if legal[c].IsEmpty() {
					break
				}
				move := pick(random, legal[c])
				p.Stones[c].Add(move)
				f.play(terrain.stride, terrain.cell(move), uint8(c))
			}
			afresh := new(field)
			afresh.set(terrain, p)
			checkOpen(t, terrain, afresh, p, [2]board.Set{p.Legal(board.Black), p.Legal(board.White)})
		}
	}
}

func checkOpen(t *testing.T, terrain terrain, f *field, p nogo.Position, legal [2]board.Set) {
	t.Helper()
	for q := range p.Empty().Points() {
		open := f.open(terrain.stride, terrain.cell(q))
		for c := range legal {
			if (open>>c&1 != 0) != legal[c].Has(q) {
				t.Fatalf("%s at %s: the field says %v, the rules %v, in\n%s",
					board.Colour(c), p.Size.Name(q), open>>c&1 != 0, legal[c].Has(q), p.Size.Diagram(p.Stones))
			}
		}
	}
}

func pick(random *rand.Rand, set board.Set) board.Point {
	n := random.IntN(set.Len())
	for q := range set.Points() {
		if n == 0 {
			return q
		}
		n--
	}
	panic("the set is empty")
}

// position reads a field back.
func (f *field) position(t terrain) nogo.Position {
	p := nogo.NewPosition(t.size)
	for _, q := range t.size.All() {
		if c := f.holds[t.cell(q)]; c < vacant {
			p.Stones[c].Add(q)
		}
	}
	return p
}

// A playout is a game: moves alternate, the loser has none left, and nobody is
// without a liberty. Its result is therefore that of its last position.
func TestPlayoutsAreGames(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	p := new(playout)
	for _, text := range fieldSizes {
		size := parseSize(t, text)
		for i := range 200 {
			from := randomPosition(random, size, random.IntN(size.Points()+1))
			c := board.Colour(i % 2)
			g := newStart(from, c)
			p.field.copy(&g.field, g.cells)
			p.fill(g.candidates)
			run := p.run
			if i%4 < 2 {
				run = p.runPlain
			}
			winner := board.Colour(run(g.stride, uint8(c)))
			end := p.field.position(g.terrain)
			mine := end.Stones[c].Len() - from.Stones[c].Len()
			yours := end.Stones[c.Opponent()].Len() - from.Stones[c.Opponent()].Len()
			toPlay := c
			if mine == yours+1 {
				toPlay = c.Opponent()
			} else if mine != yours {
				t.Fatalf("%s made %d moves and %s %d", c, mine, c.Opponent(), yours)
			}
			if !end.Legal(toPlay).IsEmpty() || winner == toPlay || end.Validate() != nil {
				t.Fatalf("%s won, %s to play (%v), in\n%s", winner, toPlay, end.Validate(), size.Diagram(end.Stones))
			}
		}
	}
}

// slowPlayout plays as a playout should, by the rules.
func slowPlayout(random *rand.Rand, p nogo.Position, c board.Colour) board.Colour {
	for {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			return c.Opponent()
		}
		var shared board.Set
		for q := range legal.Points() {
			if p.Legal(c.Opponent()).Has(q) {
				shared.Add(q)
			}
		}
		if !shared.IsEmpty() {
			legal = shared
		}
		p.Stones[c].Add(pick(random, legal))
		c = c.Opponent()
	}
}

// Playouts win as often as slow ones do, to within four standard deviations.
func TestPlayoutsWinAsOftenAsSlowOnes(t *testing.T) {
	const n = 4000
	random := rand.New(rand.NewPCG(3, 3))
	p := new(playout)
	for range 12 {
		from := randomPosition(random, board.Size{Rows: 4, Cols: 5}, 8+random.IntN(9))
		g := newStart(from, board.Black)
		fast, slow := 0, 0
		for range n {
			p.field.copy(&g.field, g.cells)
			p.fill(g.candidates)
			fast += int(p.run(g.stride, 0))
			slow += int(slowPlayout(random, from, board.Black))
		}
		share := float64(fast+slow) / (2 * n)
		if d := float64(fast-slow) / n; math.Abs(d) > 4*math.Sqrt(2*share*(1-share)/n) {
			t.Errorf("White wins %d of %d playouts and %d of the slow ones in\n%s", fast, n, slow, from.Size.Diagram(from.Stones))
		}
	}
}
