// Package region turns NoGo positions on small boards into sums of independent
// regions in normal form, and plays on those.
//
// Nothing is ever captured in NoGo, so a point closed to a colour stays closed.
// A point closed to both is a liberty for ever, and the blocks that touch it are
// immortal. What is left of a position is the set of points still open to each
// colour, which of those points are safe from suicide, and the liberties of the
// blocks that are still mortal; the stones themselves vanish. Such a form falls
// apart into regions that cannot influence each other. docs/regions.md argues
// every step. The package knows nothing of search.
package region

import (
	"tengen/board"
	"tengen/nogo"
)

// MaxBlocks bounds the mortal blocks in a region.
const MaxBlocks = 24

// MaxPoints is the largest board the package takes: every block needs a stone.
const MaxPoints = 2 * MaxBlocks

// Region is a position, or an independent part of one, in normal form.
type Region struct {
	Open  [2]uint64 // points where Black, White may play
	Safe  [2]uint64 // those of them where a stone can never be without a liberty
	Count [2]uint8  // number of mortal blocks
	// Liberties are the liberty sets of the mortal blocks of each colour. All
	// their points are open to somebody, and no set occurs twice.
	Liberties [2][MaxBlocks]uint64
}

// Points is the set of points open to either colour.
func (r *Region) Points() uint64 { return r.Open[0] | r.Open[1] }

// Of is the normal form of a whole position.
func Of(g nogo.Grid, s nogo.Stones) Region {
	var r Region
	empty := g.Mask &^ (s[0] | s[1])
	r.Open[0], r.Open[1] = g.Legal(s)
	dead := empty &^ r.Points()
	for c := range 2 {
		r.Safe[c] = g.Around(dead)
		for rest := s[c]; rest != 0; {
			block := g.Flood(rest&-rest, s[c])
			rest &^= block
			liberties := g.Around(block) & empty
			if liberties&dead != 0 {
				r.Safe[c] |= liberties
			} else {
				r.addBlock(c, liberties)
			}
		}
	}
	r.tidy(g)
	return r
}

func (r *Region) addBlock(c int, liberties uint64) {
	r.Liberties[c][r.Count[c]] = liberties
	r.Count[c]++
}

// Play puts a stone of colour c on an open point and leaves the result in out,
// which must not be r. The result may have fallen apart: see Component.
func (r *Region) Play(g nogo.Grid, c board.Colour, point uint64, out *Region) {
	me, you := int(c), int(c)^1
	points := r.Points() &^ point
	out.Open[0] = r.Open[0] &^ point
	out.Open[1] = r.Open[1] &^ point
	out.Safe = r.Safe
	out.Count = [2]uint8{}

	merged := g.Around(point) & points
	for _, l := range r.Liberties[me][:r.Count[me]] {
		if l&point != 0 {
			merged |= l &^ point
		} else {
			out.addBlock(me, l)
		}
	}
	if r.Safe[me]&point != 0 {
		out.Safe[me] |= merged
	} else {
		out.addBlock(me, merged)
	}
	for _, l := range r.Liberties[you][:r.Count[you]] {
		out.addBlock(you, l&^point)
	}
	out.settle(g)
}

// settle closes the points that have become suicide or capture, and lets points
// closed to both make their surroundings safe. One pass is enough: a newly dead
// point is an empty neighbour before and after.
func (r *Region) settle(g nogo.Grid) {
	before := r.Points()
	var last, strong [2]uint64
	for c := range 2 {
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if l&(l-1) == 0 {
				last[c] |= l
			} else {
				strong[c] |= l
			}
		}
	}
	roomy := g.Around(before)
	for c := range 2 {
		r.Open[c] &= (roomy | strong[c] | r.Safe[c]) &^ last[c^1]
	}
	if dead := before &^ r.Points(); dead != 0 {
		beside := g.Around(dead)
		for c := range 2 {
			r.Safe[c] |= beside
			k := uint8(0)
			for _, l := range r.Liberties[c][:r.Count[c]] {
				if l&dead != 0 {
					r.Safe[c] |= l
				} else {
					r.Liberties[c][k] = l
					k++
				}
			}
			r.Count[c] = k
		}
	}
	r.tidy(g)
}

// tidy drops what can no longer matter: safety of closed points, blocks that can
// neither restrict the opponent nor protect a point of their own colour, blocks
// with a single liberty (it is closed to the opponent already) and all but one
// of blocks with equal liberties.
func (r *Region) tidy(g nogo.Grid) {
	for c := range 2 {
		r.Safe[c] &= r.Open[c]
		r.secure(g, c)
		loose := r.Open[c] &^ r.Safe[c]
		matters := r.Open[c^1] | loose
		k := uint8(0)
	blocks:
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if l&matters == 0 || l&(l-1) == 0 {
				continue
			}
			for _, m := range r.Liberties[c][:k] {
				if m == l {
					continue blocks
				}
			}
			r.Liberties[c][k] = l
			k++
		}
		r.Count[c] = k
	}
}

// secure spreads safety from firm points: safe for c and closed to the opponent,
// a firm point is a liberty until c fills it with an immortal stone. Neighbours
// are therefore safe, and blocks with a firm liberty are as good as immortal.
func (r *Region) secure(g nogo.Grid, c int) {
	closed := r.Open[c] &^ r.Open[c^1]
	for {
		firm := r.Safe[c] & closed
		if firm == 0 {
			return
		}
		grown := r.Safe[c] | g.Around(firm)&r.Open[c]
		k := uint8(0)
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if l&firm != 0 {
				grown |= l & r.Open[c]
			} else {
				r.Liberties[c][k] = l
				k++
			}
		}
		r.Count[c] = k
		if grown == r.Safe[c] {
			return
		}
		r.Safe[c] = grown
	}
}

// Component is the independent part of r around the lowest point of rest, which
// must be a union of such parts. Two neighbouring points influence each other
// only if at least one of them is open to a colour without being safe for it;
// the liberties of a mortal block belong together.
func (r *Region) Component(g nogo.Grid, rest uint64) uint64 {
	loose := r.Open[0]&^r.Safe[0] | r.Open[1]&^r.Safe[1]
	part := rest & -rest
	for {
		next := part | g.Around(part&loose)&rest | g.Around(part)&rest&loose
		for c := range 2 {
			for _, l := range r.Liberties[c][:r.Count[c]] {
				if l&next != 0 {
					next |= l
				}
			}
		}
		if next == part {
			return part
		}
		part = next
	}
}

// CopyTo copies r without the unused room for blocks.
func (r *Region) CopyTo(out *Region) {
	out.Open, out.Safe, out.Count = r.Open, r.Safe, r.Count
	for c := range 2 {
		copy(out.Liberties[c][:], r.Liberties[c][:r.Count[c]])
	}
}

// Part leaves in out the part of r on the given points, a union of components.
func (r *Region) Part(points uint64, out *Region) {
	for c := range 2 {
		out.Open[c] = r.Open[c] & points
		out.Safe[c] = r.Safe[c] & points
		k := uint8(0)
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if l&points != 0 {
				out.Liberties[c][k] = l
				k++
			}
		}
		out.Count[c] = k
	}
}
