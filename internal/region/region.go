// Package region turns NoGo positions on small boards into sums of independent
// regions in normal form, and plays on those.
//
// Nothing is ever captured in NoGo, so a point closed to a colour stays closed. A
// point closed to both is a liberty for ever, and the blocks that touch it are
// immortal. The normal form keeps the playable points (open to one colour or both),
// which of them are safe from suicide, and the liberties of the blocks that are still
// mortal. It drops the stones themselves. Such a form falls apart into regions that
// cannot influence each other. docs/regions.md proves every step. The package does
// not search.
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
//
// The blocks of r have at least two liberties, so only blocks that the move touches
// can be left with one. That last liberty closes to the opponent, and tidy drops the
// block.
func (r *Region) Play(g nogo.Grid, c board.Colour, point uint64, out *Region) {
	me, you := int(c&1), int(c&1^1)
	points := r.Points() &^ point
	out.Safe = r.Safe
	strong, last := r.grow(g, me, point, out)
	strongYours, lastYours := r.shrink(you, point, out)
	roomy := g.Around(points)
	out.Open[me] = r.Open[me] & points & (roomy | strong | out.Safe[me]) &^ lastYours
	out.Open[you] = r.Open[you] & points & (roomy | strongYours | out.Safe[you]) &^ last
	if dead := points &^ out.Points(); dead != 0 {
		out.bury(g, dead)
	}
	out.tidy(g)
}

// grow adds a stone of c to the blocks of c. The blocks that have the point as a
// liberty become one. It returns the liberties of blocks with several liberties, and
// the liberties that are the last of their block.
func (r *Region) grow(g nogo.Grid, c int, point uint64, out *Region) (strong, last uint64) {
	merged := g.Around(point)
	k := 0
	blocks := &out.Liberties[c]
	for _, l := range r.Liberties[c][:r.Count[c]] {
		hit := some(l & point)
		merged |= l & hit
		strong |= l &^ hit
		blocks[k] = l
		k += int(hit + 1)
	}
	merged &= r.Points() &^ point
	switch {
	case r.Safe[c]&point != 0:
		out.Safe[c] |= merged
	case merged&(merged-1) == 0:
		last = merged
	default:
		blocks[k] = merged
		k++
		strong |= merged
	}
	out.Count[c] = uint8(k)
	return strong, last
}

// shrink takes a liberty from the blocks of c. It returns the same two sets as grow.
func (r *Region) shrink(c int, point uint64, out *Region) (strong, last uint64) {
	k := 0
	blocks := &out.Liberties[c]
	for _, l := range r.Liberties[c][:r.Count[c]] {
		l &^= point
		several := some(l & (l - 1))
		strong |= l & several
		last |= l &^ several
		blocks[k] = l
		k += int(several & 1)
	}
	out.Count[c] = uint8(k)
	return strong, last
}

// bury makes the surroundings of points that are now closed to both safe. One pass is
// enough: a newly dead point is an empty neighbour before and after.
func (r *Region) bury(g nogo.Grid, dead uint64) {
	beside := g.Around(dead)
	for c := range 2 {
		r.Safe[c] |= beside
		k := 0
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if l&dead != 0 {
				r.Safe[c] |= l
			} else {
				r.Liberties[c][k] = l
				k++
			}
		}
		r.Count[c] = uint8(k)
	}
}

// tidy drops everything that can no longer matter: safety of closed points; blocks
// that neither restrict the opponent nor protect a point of their own colour; blocks
// with a single liberty (it is closed to the opponent already); and all but one of
// several blocks with equal liberties.
func (r *Region) tidy(g nogo.Grid) {
	for c := range 2 {
		r.Safe[c] &= r.Open[c]
		if r.Safe[c]&^r.Open[c^1] != 0 {
			r.secure(g, c)
		}
		if r.Count[c] == 0 {
			continue
		}
		matters := r.Open[c^1] | r.Open[c]&^r.Safe[c]
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

// secure spreads safety from firm points. A firm point is safe for c and closed to
// the opponent, so it is a liberty until c fills it with an immortal stone. Therefore
// its neighbours are safe, and blocks with a firm liberty are as good as immortal.
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
		next := part | (g.Around(part&loose)|g.Around(part)&loose)&rest
		for _, l := range r.Liberties[0][:r.Count[0]] {
			next |= l & some(l&next)
		}
		for _, l := range r.Liberties[1][:r.Count[1]] {
			next |= l & some(l&next)
		}
		if next == part || next == rest {
			return next
		}
		part = next
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

// some has all bits set if x has any. It replaces a branch whose outcome is nearly
// random: a wrong prediction costs more than computing both ways.
func some(x uint64) uint64 { return uint64(int64(x|-x) >> 63) }
