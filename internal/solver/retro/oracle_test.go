package retro_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
	"tengen/weiqi"
)

// graph is every position that can come up, with the positions that moves lead
// to: no symmetry, no colour flip, passes and bans written out.
type graph struct {
	positions []weiqi.Position
	number    map[weiqi.Position]int
	next      [][]int
}

// eachBoard visits every sound board with either side to play.
func eachBoard(size board.Size, visit func(weiqi.Position)) {
	grid := weiqi.NewGrid(size)
	var fill func(points []board.Point, s board.Stones)
	fill = func(points []board.Point, s board.Stones) {
		if len(points) == 0 {
			if grid.Sound(s[0][0], s[1][0]) {
				for c := range s {
					visit(weiqi.Position{Size: size, Stones: s, ToPlay: board.Colour(c), Ko: board.NoPoint})
				}
			}
			return
		}
		fill(points[1:], s)
		for c := range s {
			t := s
			t[c].Add(points[0])
			fill(points[1:], t)
		}
	}
	fill(size.All(), board.Stones{})
}

// explore walks forward from every board.
func explore(size board.Size) *graph {
	g := &graph{number: map[weiqi.Position]int{}}
	eachBoard(size, func(p weiqi.Position) { g.add(p) })
	for i := 0; i < len(g.positions); i++ {
		var list []int
		for _, m := range moves(g.positions[i]) {
			next, err := weiqi.Rules{}.Play(g.positions[i], m)
			if err != nil {
				panic(err)
			}
			list = append(list, g.add(next))
		}
		g.next = append(g.next, list)
	}
	return g
}

func (g *graph) add(p weiqi.Position) int {
	n, ok := g.number[p]
	if !ok {
		n = len(g.positions)
		g.number[p] = n
		g.positions = append(g.positions, p)
	}
	return n
}

func moves(p weiqi.Position) []board.Point {
	if p.Over() {
		return nil
	}
	list := []board.Point{weiqi.Pass}
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		list = append(list, q)
	}
	return list
}

// settle plays ever longer games until no value changes. A game that is cut off
// counts as loop. All values are Black minus White, one for each position.
func (g *graph) settle(loop int) []int {
	values := make([]int, len(g.positions))
	for i, p := range g.positions {
		values[i] = loop
		if p.Over() {
			values[i] = p.Score()
		}
	}
	for changed := true; changed; {
		changed = false
		next := make([]int, len(values))
		for i, p := range g.positions {
			if next[i] = values[i]; p.Over() {
				continue
			}
			next[i] = values[g.next[i][0]]
			for _, n := range g.next[i] {
				if p.ToPlay == board.Black {
					next[i] = max(next[i], values[n])
				} else {
					next[i] = min(next[i], values[n])
				}
			}
			changed = changed || next[i] != values[i]
		}
		values = next
	}
	return values
}

// distances works from the ends of games backwards, one move at a time. They belong to
// values that are not those of an endless game.
func (g *graph) distances(values []int, endless int) []int {
	far := make([]int, len(values))
	for d := 1; ; d++ {
		var found []int
		for i, p := range g.positions {
			if values[i] == endless || far[i] != 0 || p.Over() {
				continue
			}
			some, all := false, true
			for _, n := range g.next[i] {
				if values[n] == values[i] {
					known := g.positions[n].Over() || far[n] != 0
					some, all = some || known, all && known
				}
			}
			if winner := (values[i] > endless) == (p.ToPlay == board.Black); winner && some || all {
				found = append(found, i)
			}
		}
		if len(found) == 0 {
			return far
		}
		for _, i := range found {
			far[i] = d
		}
	}
}

// Every position of small boards, however it was reached, has the value of the game
// played out move by move.
func TestAgainstWholeGraph(t *testing.T) {
	sizes := []string{"1x1", "1x2", "1x3", "1x5", "1x8", "2x2", "2x3", "2x4", "3x3"}
	switch {
	case testing.Short():
		sizes = sizes[:7]
	case longtest.On():
		sizes = append(sizes, "1x11", "2x5", "5x2", "3x4")
	}
	for _, name := range sizes {
		t.Run(name, func(t *testing.T) {
			size := sizeOf(t, name)
			g := explore(size)
			n := size.Points()
			lost, drawn, won := g.settle(-n), g.settle(0), g.settle(n)
			far, lostFar, wonFar := g.distances(drawn, 0), g.distances(lost, -n), g.distances(won, n)
			for _, loops := range []tablebase.Loops{tablebase.Drawn, tablebase.Range} {
				table, _ := build(t, retro.Options{Size: size, Loops: loops, Distance: true})
				for i, p := range g.positions {
					want := tablebase.Value{Score: drawn[i], Lo: lost[i], Hi: won[i], Distance: far[i], LoDistance: lostFar[i], HiDistance: wonFar[i]}
					if p.ToPlay == board.White {
						want = tablebase.Value{Score: -drawn[i], Lo: -won[i], Hi: -lost[i], Distance: far[i], LoDistance: wonFar[i], HiDistance: lostFar[i]}
					}
					got, err := table.Value(p)
					if err != nil {
						t.Fatal(err)
					}
					if loops == tablebase.Drawn {
						if got.Lo > want.Lo || got.Hi < want.Hi {
							t.Fatalf("%v does not bound %v, %s", got, want, describe(p))
						}
						want.Lo, want.Hi, want.LoDistance, want.HiDistance = got.Lo, got.Hi, got.LoDistance, got.HiDistance
					}
					if got != want {
						t.Fatalf("got %v, want %v, %s", got, want, describe(p))
					}
				}
			}
		})
	}
}

func describe(p weiqi.Position) string {
	return fmt.Sprintf("%s to play, ban at %s, %d passes, in\n%s", p.ToPlay, p.Size.Name(p.Ko), p.Passes, p.Size.Diagram(p.Stones))
}

// searcher plays every line to a fixed number of moves and counts an unfinished game
// as a draw.
type searcher map[question]bool

type question struct {
	p     weiqi.Position
	at    int
	moves int
}

// reaches reports whether the side to play can get at least at within depth moves.
func (s searcher) reaches(p weiqi.Position, at, depth int) bool {
	if p.Over() {
		score := p.Score()
		if p.ToPlay == board.White {
			score = -score
		}
		return score >= at
	}
	if depth == 0 {
		return 0 >= at
	}
	q := question{p, at, depth}
	if answer, ok := s[q]; ok {
		return answer
	}
	answer := false
	for _, m := range moves(p) {
		next, err := weiqi.Rules{}.Play(p, m)
		if err != nil {
			panic(err)
		}
		if !s.reaches(next, 1-at, depth-1) {
			answer = true
			break
		}
	}
	s[q] = answer
	return answer
}

// Random positions are searched forward. The score is reached within a few moves of
// the distance, never a better one, and never anything but a draw from a draw.
func TestAgainstForwardSearch(t *testing.T) {
	for _, c := range []struct {
		size         string
		games, depth int
	}{{"3x3", longtest.Times(30, 60), 14}, {"3x4", longtest.Times(20, 40), 10}, {"4x4", 60, 9}} {
		t.Run(c.size, func(t *testing.T) {
			switch {
			case c.size == "4x4":
				longtest.Skip(t)
			case c.size == "3x4" && testing.Short():
				t.Skip("not in short mode")
			}
			size := sizeOf(t, c.size)
			table, _ := build(t, retro.Options{Size: size, Distance: true})
			rnd := rand.New(rand.NewPCG(4, 3))
			reached := 0
			for range c.games {
				if compare(t, table, randomPosition(rnd, size), c.depth) {
					reached++
				}
			}
			if reached < c.games/8 {
				t.Errorf("only %d of %d positions were decided by the search", reached, c.games)
			}
		})
	}
}

func randomPosition(rnd *rand.Rand, size board.Size) weiqi.Position {
	p := weiqi.NewPosition(size)
	for range size.Points()/2 + rnd.IntN(3*size.Points()) {
		list := moves(p)
		m := list[rnd.IntN(len(list))]
		if m == weiqi.Pass && p.Passes == 1 {
			continue
		}
		next, err := weiqi.Rules{}.Play(p, m)
		if err != nil {
			panic(err)
		}
		p = next
	}
	return p
}

// compare reports whether the search reached the value in the table.
func compare(t *testing.T, table *tablebase.Table, p weiqi.Position, depth int) bool {
	t.Helper()
	v, err := table.Value(p)
	if err != nil {
		t.Fatal(err)
	}
	s := searcher{}
	for d := range depth + 1 {
		// A result within a limit lies between a draw and the value.
		low, high := min(v.Score, 0), max(v.Score, 0)
		if !s.reaches(p, low, d) || s.reaches(p, high+1, d) {
			t.Fatalf("the table says %v, %d moves say otherwise, %s", v, d, describe(p))
		}
		if v.Score != 0 && d < v.Distance && s.reaches(p, v.Score, d) && !s.reaches(p, v.Score+1, d) && v.Score > 0 {
			t.Fatalf("the table says %v, %d moves suffice, %s", v, d, describe(p))
		}
		if v.Score > 0 && s.reaches(p, v.Score, d) || v.Score < 0 && !s.reaches(p, v.Score+1, d) {
			return true
		}
	}
	return false
}
