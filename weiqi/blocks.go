package weiqi

// Blocks holds the blocks of both sides of a small board with their liberties. It
// finds all moves of either side without another flood fill, for code that plays
// every move of millions of boards. Its zero value is ready for Take.
type Blocks struct {
	grid  Grid
	sides [2]side
	empty uint64
	roomy uint64 // empty points next to empty points
}

// side is what Blocks knows of one side.
type side struct {
	all       uint64
	count     int
	stones    [maxBlocks]uint64
	liberties [maxBlocks]uint64
}

// maxBlocks bounds the blocks of one side. No two of them touch, so a board of at
// most 63 points has no more of them than a single row with a stone on every
// other point.
const maxBlocks = 32

// Stone is a legal move: its point, the stones it captures, and the point that
// the opponent may not retake at once, or 0.
type Stone struct {
	Point, Taken, Ban uint64
}

// Take replaces the board by one with these stones of side 0 and side 1.
func (b *Blocks) Take(g Grid, first, second uint64) {
	b.grid = g
	b.empty = g.Mask &^ (first | second)
	b.roomy = g.Around(b.empty) & b.empty
	b.sides[0].take(g, first, b.empty)
	b.sides[1].take(g, second, b.empty)
}

func (s *side) take(g Grid, stones, empty uint64) {
	s.all, s.count = stones, 0
	for rest := stones; rest != 0; {
		block := g.Flood(rest&-rest, stones)
		rest &^= block
		s.stones[s.count], s.liberties[s.count] = block, g.Around(block)&empty
		s.count++
	}
}

// Sound reports whether every block has a liberty.
func (b *Blocks) Sound() bool {
	for i := range b.sides {
		s := &b.sides[i]
		for _, liberties := range s.liberties[:s.count] {
			if liberties == 0 {
				return false
			}
		}
	}
	return true
}

// Moves appends every point where a side may play without suicide, in ascending
// order. The caller excludes the ban of a ko. The board must be sound.
func (b *Blocks) Moves(which int, list []Stone) []Stone {
	own, other := &b.sides[which], &b.sides[which^1]
	legal := b.roomy
	for _, liberties := range own.liberties[:own.count] {
		if liberties&(liberties-1) != 0 {
			legal |= liberties
		}
	}
	var taking uint64
	for _, liberties := range other.liberties[:other.count] {
		if liberties&(liberties-1) == 0 {
			taking |= liberties
		}
	}
	for legal |= taking; legal != 0; legal &= legal - 1 {
		m := Stone{Point: legal & -legal}
		if m.Point&taking != 0 {
			m.Taken = other.last(m.Point)
			if m.Taken&(m.Taken-1) == 0 && b.grid.Around(m.Point)&^(other.all&^m.Taken) == m.Taken {
				m.Ban = m.Taken
			}
		}
		list = append(list, m)
	}
	return list
}

// last is the union of the blocks whose last liberty is the point.
func (s *side) last(point uint64) uint64 {
	var stones uint64
	for i, liberties := range s.liberties[:s.count] {
		if liberties == point {
			stones |= s.stones[i]
		}
	}
	return stones
}
