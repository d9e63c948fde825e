package session

import (
	"tengen/board"
	"tengen/nogo"
)

// regionsOf numbers the points that somebody may still play on by the independent part
// of the position they belong to, from 1 in the order of their first points.
//
// It follows docs/regions.md on boards of any size. Two points of different numbers
// do not influence each other. Package region may split some parts further.
func regionsOf(p nogo.Position) map[board.Point]int {
	m := newRegionMap(p)
	for q := range m.points.Points() {
		for _, n := range p.Size.Neighbours(q) {
			if m.points.Has(n) && (m.loose.Has(q) || m.loose.Has(n)) {
				m.join(q, n)
			}
		}
	}
	for _, liberties := range m.mortal {
		first := board.NoPoint
		for q := range liberties.Points() {
			if first == board.NoPoint {
				first = q
			}
			m.join(first, q)
		}
	}
	return m.numbers()
}

// regionMap is a position in the terms of docs/regions.md.
type regionMap struct {
	points board.Set   // open to somebody
	loose  board.Set   // open to somebody, but a stone there might be without a liberty
	mortal []board.Set // liberties of blocks without a permanent liberty
	parent map[board.Point]board.Point
}

func newRegionMap(p nogo.Position) *regionMap {
	open := [2]board.Set{p.Legal(board.Black), p.Legal(board.White)}
	m := &regionMap{points: open[0].Union(open[1]), parent: map[board.Point]board.Point{}}
	dead := p.Empty().Minus(m.points)
	for c := range open {
		var safe board.Set
		for q := range dead.Points() {
			safe = safe.Union(board.SetOf(p.Size.Neighbours(q)...))
		}
		for _, liberties := range blockLiberties(p, board.Colour(c)) {
			if liberties.Minus(dead) != liberties {
				safe = safe.Union(liberties)
			} else {
				m.mortal = append(m.mortal, liberties)
			}
		}
		m.loose = m.loose.Union(open[c].Minus(safe))
	}
	return m
}

// blockLiberties lists the liberties of each block of a colour.
func blockLiberties(p nogo.Position, c board.Colour) []board.Set {
	var all []board.Set
	for rest := p.Stones[c]; !rest.IsEmpty(); {
		var liberties board.Set
		var queue []board.Point
		for q := range rest.Points() {
			queue = append(queue, q)
			rest.Remove(q)
			break
		}
		for len(queue) > 0 {
			q := queue[0]
			queue = queue[1:]
			for _, n := range p.Size.Neighbours(q) {
				switch {
				case p.Stones.At(n) == board.Empty:
					liberties.Add(n)
				case rest.Has(n):
					rest.Remove(n)
					queue = append(queue, n)
				}
			}
		}
		all = append(all, liberties)
	}
	return all
}

func (m *regionMap) find(p board.Point) board.Point {
	for {
		next, ok := m.parent[p]
		if !ok {
			return p
		}
		p = next
	}
}

func (m *regionMap) join(p, q board.Point) {
	if p, q = m.find(p), m.find(q); p != q {
		m.parent[max(p, q)] = min(p, q)
	}
}

func (m *regionMap) numbers() map[board.Point]int {
	numbers := map[board.Point]int{}
	count := 0
	for p := range m.points.Points() {
		root := m.find(p)
		if numbers[root] == 0 {
			count++
			numbers[root] = count
		}
		numbers[p] = numbers[root]
	}
	return numbers
}
