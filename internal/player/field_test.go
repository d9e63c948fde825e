package player

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

var fieldSizes = []string{"1x1", "1x2", "2x1", "1x63", "2x2", "3x5", "5x5", "7x8", "9x9", "13x7", "19x19"}

// A field agrees with the rules on every position of random games.
func TestFieldFollowsTheRules(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
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

// A playout is a game: moves alternate, the loser has none left, and every block
// has a liberty. So its result is that of its last position.
func TestPlayoutsAreGames(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
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
			var winner board.Colour
			switch i / 2 % 3 {
			case 0:
				winner = board.Colour(p.runPlain(g.stride, uint8(c)))
			case 1:
				p.spend(g.stride)
				fallthrough
			default:
				winner = board.Colour(p.run(g.stride, uint8(c), [2]uint16{}))
			}
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

// slowPlayout is a playout by the rules.
func slowPlayout(random *rand.Rand, p nogo.Position, c board.Colour) board.Colour {
	last := [2]board.Point{board.NoPoint, board.NoPoint}
	for {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			return c.Opponent()
		}
		move := board.NoPoint
		if shared := legal.Minus(legal.Minus(p.Legal(c.Opponent()))); !shared.IsEmpty() {
			if move = slowAtStake(p, c, last); move == board.NoPoint || !shared.Has(move) {
				move = pick(random, shared)
				if closing, ok := nearlyClosed(p, move, c); ok && shared.Has(closing) {
					move = closing
				}
			}
		} else {
			move = pick(random, legal)
		}
		p.Stones[c].Add(move)
		last[c] = move
		c = c.Opponent()
	}
}

// slowSpendingPlayout is a playout with spending by the rules.
func slowSpendingPlayout(random *rand.Rand, p nogo.Position, c board.Colour) board.Colour {
	black, white := p.Legal(board.Black), p.Legal(board.White)
	kept := [2]board.Set{black.Minus(white), white.Minus(black)}
	pool := slices.Collect(black.Minus(kept[0]).Points())
	random.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	last := [2]board.Point{board.NoPoint, board.NoPoint}
	// draw is the next point of the pool for c. Points that only the other side
	// may play stay in the pool.
	draw := func() board.Point {
		for len(pool) > 0 {
			q := pool[0]
			pool = pool[1:]
			yours := p.Legal(c.Opponent()).Has(q)
			if p.Legal(c).Has(q) {
				if closing, ok := nearlyClosed(p, q, c); ok && yours && p.Legal(c).Has(closing) && p.Legal(c.Opponent()).Has(closing) {
					kept[c].Add(q)
					return closing
				}
				return q
			}
			if yours {
				kept[c.Opponent()].Add(q)
			}
		}
		return board.NoPoint
	}
	for {
		move := slowAtStake(p, c, last)
		if move == board.NoPoint || !p.Legal(c).Has(move) || !p.Legal(c.Opponent()).Has(move) {
			move = draw()
		}
		if move == board.NoPoint {
			legal := p.Legal(c)
			left := legal.Minus(legal.Minus(kept[c]))
			if left.IsEmpty() {
				return c.Opponent()
			}
			move = pick(random, left)
		}
		p.Stones[c].Add(move)
		last[c] = move
		c = c.Opponent()
	}
}

// slowAtStake closes a point next to c's last move, or spoils one next to the
// opponent's last move.
func slowAtStake(p nogo.Position, c board.Colour, last [2]board.Point) board.Point {
	for _, q := range neighbours(p.Size, last[c]) {
		if closing, ok := nearlyClosed(p, q, c); ok {
			return closing
		}
	}
	for _, q := range neighbours(p.Size, last[c.Opponent()]) {
		if _, ok := nearlyClosed(p, q, c.Opponent()); ok {
			return q
		}
	}
	return board.NoPoint
}

// nearlyClosed reports whether q is vacant and all its neighbours but one vacant
// point are stones of c, and that point.
func nearlyClosed(p nogo.Position, q board.Point, c board.Colour) (closing board.Point, ok bool) {
	if !p.Empty().Has(q) {
		return board.NoPoint, false
	}
	gaps := 0
	for _, next := range neighbours(p.Size, q) {
		switch {
		case p.Empty().Has(next):
			closing = next
			gaps++
		case !p.Stones[c].Has(next):
			return board.NoPoint, false
		}
	}
	return closing, gaps == 1
}

// neighbours are the points next to one, within the row first; none of NoPoint.
func neighbours(size board.Size, p board.Point) (all []board.Point) {
	if p == board.NoPoint {
		return nil
	}
	row, col := size.Row(p), size.Col(p)
	for _, at := range [4][2]int{{row, col - 1}, {row, col + 1}, {row - 1, col}, {row + 1, col}} {
		if at[0] >= 0 && at[0] < size.Rows && at[1] >= 0 && at[1] < size.Cols {
			all = append(all, size.At(at[0], at[1]))
		}
	}
	return all
}

// Playouts and slow playouts win equally often, within four standard deviations.
func TestPlayoutsWinAsOftenAsSlowOnes(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	const n = 4000
	random := rand.New(rand.NewPCG(3, 3))
	p := new(playout)
	for range 12 {
		from := randomPosition(random, board.Size{Rows: 4, Cols: 5}, 8+random.IntN(9))
		g := newStart(from, board.Black)
		for _, spends := range []bool{false, true} {
			fast, slow := 0, 0
			for range n {
				p.field.copy(&g.field, g.cells)
				p.fill(g.candidates)
				if spends {
					p.spend(g.stride)
					slow += int(slowSpendingPlayout(random, from, board.Black))
				} else {
					slow += int(slowPlayout(random, from, board.Black))
				}
				fast += int(p.run(g.stride, 0, [2]uint16{}))
			}
			share := float64(fast+slow) / (2 * n)
			if d := float64(fast-slow) / n; math.Abs(d) > 4*math.Sqrt(2*share*(1-share)/n) {
				t.Errorf("White wins %d of %d playouts (spending: %t) and %d of the slow ones in\n%s", fast, n, spends, slow, from.Size.Diagram(from.Stones))
			}
		}
	}
}
