package player

import (
	"sync"
	"testing"

	"tengen/board"
	"tengen/nogo"
)

// families walks through the upper tree and collects, by position, the
// families found there and the number of paths to each.
func families(t *tree, e *edge, p nogo.Position, c board.Colour, g *start, depth int, found map[nogo.Position]map[uint32]int) {
	if e.children == 0 {
		return
	}
	if found[p] == nil {
		found[p] = make(map[uint32]int)
	}
	found[p][e.children]++
	for i := range t.family(e) {
		if depth > 0 {
			reply := &t.family(e)[i]
			q := p
			q.Stones[c].Add(g.point(reply.cell()))
			families(t, reply, q, c.Opponent(), g, depth-1, found)
		}
	}
}

// A position that is reached in several ways has one family, and different
// positions have different ones, also after the tree has moved.
func TestTranspositionsShareFamilies(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread, nothing to race")
	}
	size := board.Size{Rows: 5, Cols: 6}
	for _, c := range []struct {
		without []string
		shared  bool
	}{{[]string{"solver", "haste"}, true}, {[]string{"solver", "haste", "transpositions"}, false}} {
		m, err := NewMCTS(size, TreeOptions{Threads: 1, Memory: 64 << 20, Without: c.without})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if _, err := m.Move(t.Context(), nogo.NewPosition(size), board.Black, Budget{Playouts: 20_000}); err != nil {
			t.Fatal(err)
		}
		for _, when := range []string{"before", "after"} {
			found := make(map[nogo.Position]map[uint32]int)
			families(m.tree, m.tree.root(), m.position, board.Black, &m.start, 4, found)
			owner := make(map[uint32]nogo.Position)
			several := 0
			for p, numbers := range found {
				if c.shared && len(numbers) != 1 {
					t.Errorf("%s the move %d families belong to\n%s", when, len(numbers), size.Diagram(p.Stones))
				}
				for number, paths := range numbers {
					if q, ok := owner[number]; ok {
						t.Errorf("%s the move a family belongs to\n%s\nand to\n%s", when, size.Diagram(p.Stones), size.Diagram(q.Stones))
					}
					owner[number] = p
					if paths > 1 {
						several++
					}
				}
			}
			if c.shared == (several == 0) {
				t.Errorf("without %v %d of %d positions have several parents", c.without, several, len(found))
			}
			t.Logf("without %v: %d of %d positions have several parents", c.without, several, len(found))
			m.tree.move()
		}
	}
}

// Threads that fill a store at the same time get different families and edges.
func TestStoreGivesNothingTwice(t *testing.T) {
	for range 200 {
		s := newStore(20_000, false)
		s.clear(edge{})
		var numbers [4][]uint32
		var wait sync.WaitGroup
		for i := range numbers {
			wait.Go(func() {
				for range 100 {
					if number := s.take(1 + i*3); number != 0 {
						numbers[i] = append(numbers[i], number)
					}
				}
			})
		}
		wait.Wait()
		seen := make([]bool, len(s.families))
		taken := make([]bool, len(s.edges))
		for _, list := range numbers {
			for _, number := range list {
				f := s.families[number]
				if seen[number] {
					t.Fatalf("family %d was given twice", number)
				}
				seen[number] = true
				for i := f.first; i < f.first+f.n; i++ {
					if taken[i] {
						t.Fatalf("edge %d was given twice", i)
					}
					taken[i] = true
				}
			}
		}
	}
}
