package retro

import "math/bits"

// move is a legal move and its effect; ban is the cell that may not be retaken.
type move struct {
	point, taken, ban uint64
}

// forward lists the legal moves of own, without suicide and without regard to a ban.
func (g *geometry) forward(own, other uint64, list []move) []move {
	grid := g.grid
	empty := grid.Mask &^ (own | other)
	roomy := grid.Around(empty) & empty
	var last, block [MaxPoints]uint64 // blocks of other in atari, with their last liberty
	n, open := 0, roomy
	for rest := other; rest != 0; {
		b := grid.Flood(rest&-rest, other)
		rest &^= b
		if liberties := grid.Around(b) & empty; liberties&(liberties-1) == 0 {
			last[n], block[n] = liberties, b
			n++
			open |= liberties
		}
	}
	for rest := grid.Around(empty&^open) & own; rest != 0; {
		b := grid.Flood(rest&-rest, own)
		rest &^= b
		if liberties := grid.Around(b) & empty; liberties&(liberties-1) != 0 {
			open |= liberties
		}
	}
	for ; open != 0; open &= open - 1 {
		m := move{point: open & -open}
		for i := range n {
			if last[i] == m.point {
				m.taken |= block[i]
			}
		}
		if m.taken != 0 && m.taken&(m.taken-1) == 0 && grid.Around(m.point)&^(other&^m.taken) == m.taken {
			m.ban = m.taken
		}
		list = append(list, m)
	}
	return list
}

// backward lists the moves that may have led to a board on which own is to play,
// except those that leave a ban. point is a stone of other, and taken are the
// stones it took.
//
// The stones that a move takes become a whole empty region that touches only
// stones of the taker. So each stone can have taken any of the few such regions
// next to it. Not every board before these moves is sound; the index contains
// only sound ones.
func (g *geometry) backward(own, other uint64, list []move) []move {
	grid := g.grid
	var regions [MaxPoints]uint64
	n := 0
	for rest := grid.Mask &^ (own | other); rest != 0; {
		r := grid.Flood(rest&-rest, grid.Mask&^(own|other))
		rest &^= r
		if grid.Around(r)&own == 0 {
			regions[n] = r
			n++
		}
	}
	for rest := other; rest != 0; rest &= rest - 1 {
		point := rest & -rest
		list = append(list, move{point: point})
		around := grid.Around(point)
		var next [4]uint64
		k := 0
		for _, r := range regions[:n] {
			if around&r != 0 {
				next[k] = r
				k++
			}
		}
		for subset := 1; subset < 1<<k; subset++ {
			var taken uint64
			for i := range k {
				if subset>>i&1 != 0 {
					taken |= next[i]
				}
			}
			if taken&(taken-1) != 0 || around&^own != taken {
				list = append(list, move{point: point, taken: taken})
			}
		}
	}
	return list
}

// taking is the move that has led to a ban. Its stone is the only one next to the
// banned cell without another liberty.
func (g *geometry) taking(b stones, k koState) move {
	ban := g.cell[k.digit()]
	m := move{taken: ban}
	for rest := g.grid.Around(ban); rest != 0; rest &= rest - 1 {
		if point := rest & -rest; g.grid.Around(point)&^b.own == ban {
			m.point = point
		}
	}
	return m
}

func cellOf(point uint64) int { return bits.TrailingZeros64(point) }
