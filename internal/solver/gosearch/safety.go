package gosearch

import (
	"math/bits"

	"tengen/weiqi"
)

// safety finds points that a side is sure to keep whatever the other side does:
// unconditionally alive blocks (Benson 1976) and regions between them in which the
// other side cannot make two eyes. docs/go-search.md has the definition, which is a
// little narrower than Benson's, and the proof that these points can also be had when
// the other side's dead stones must be taken.
type safety struct {
	grid   weiqi.Grid
	points int
	line   bool // the board is a single row or column
}

// maxParts bounds the blocks and regions of a board that is looked at.
const maxParts = 20

func newSafety(g *geometry) safety {
	return safety{g.grid, g.points, g.size.Rows == 1 || g.size.Cols == 1}
}

// parts are the blocks of one side and the regions between them.
type parts struct {
	blocks, regions [maxParts]uint64
	nb, nr          int
}

// split fails on boards with too many parts.
func (f safety) split(own uint64, p *parts) bool {
	p.nb, p.nr = 0, 0
	for rest := own; rest != 0; p.nb++ {
		if p.nb == maxParts {
			return false
		}
		p.blocks[p.nb] = f.grid.Flood(rest&-rest, own)
		rest &^= p.blocks[p.nb]
	}
	not := f.grid.Mask &^ own
	for rest := not; rest != 0; p.nr++ {
		if p.nr == maxParts {
			return false
		}
		p.regions[p.nr] = f.grid.Flood(rest&-rest, not)
		rest &^= p.regions[p.nr]
	}
	return true
}

// single reports whether a set has at most one point. A board of one row has less room
// to answer: there it must be empty.
func (f safety) single(set uint64) bool { return set == 0 || set&(set-1) == 0 && !f.line }

// cramped reports whether a set has at most one point, or two next to each other.
func (f safety) cramped(set uint64) bool {
	if set&(set-1) == 0 || f.line {
		return f.single(set)
	}
	rest := set & (set - 1)
	return rest&(rest-1) == 0 && f.grid.Around(set&-set)&rest != 0
}

// behind is the number of points that a wall could keep: a block and its rooms, none larger
// than half of the board. It is 0 if there are none, and less than all points if there is
// one room.
func (f safety) behind(block uint64) int {
	rooms, most := 0, bits.OnesCount64(block)
	for rest := f.grid.Mask &^ block; rest != 0; {
		room := f.grid.Flood(rest&-rest, rest)
		if rest &^= room; f.half(room) {
			rooms++
			most += bits.OnesCount64(room)
		}
	}
	switch rooms {
	case 0:
		return 0
	case 1:
		return min(most, f.points-1)
	}
	return most
}

// alive takes two points out of a set, each next to points of the set alone, so that the
// rest is one block with two eyes. It returns 0 if there are no such points.
func (f safety) alive(set uint64) uint64 {
	if 2*(bits.OnesCount64(set)-2) < f.points {
		return 0
	}
	inner := set &^ f.grid.Around(f.grid.Mask&^set)
	for first := inner; first != 0; first &= first - 1 {
		for second := first & (first - 1) &^ f.grid.Around(first&-first); second != 0; second &= second - 1 {
			if block := set &^ (first&-first | second&-second); f.grid.Flood(block&-block, block) == block {
				return block
			}
		}
	}
	return 0
}

// half reports whether a set has at most half of the points.
func (f safety) half(set uint64) bool { return 2*bits.OnesCount64(set) <= f.points }

// leastAlive is the number of stones below which nothing is alive: two eyes in a
// corner take fewer only on boards of one row.
const leastAlive = 2

// enough reports whether own is sure to keep a number of points.
func (f safety) enough(own, other uint64, want int) bool {
	if bits.OnesCount64(own) < leastAlive {
		return false
	}
	return bits.OnesCount64(f.find(own, other, 0)) >= want
}

// most is the number of points that own is sure to keep if the stones of the other side are
// where they harm it least.
func (f safety) most(own uint64) int { return bits.OnesCount64(f.find(own, f.grid.Mask&^own, 0)) }

// keeps reports whether own is sure to keep all points if one of its blocks, the wall,
// has a second eye elsewhere.
func (f safety) keeps(own, other, wall uint64) bool { return f.find(own, other, wall) == f.grid.Mask }

// find is the set of points that own is sure to keep. A block that has stones of the wall
// needs one eye, others need two.
func (f safety) find(own, other, wall uint64) uint64 {
	var p parts
	if !f.split(own, &p) {
		return 0
	}
	var next [maxParts]uint64  // to blocks
	var walls [maxParts]uint32 // blocks around a region
	var vital [maxParts]uint32 // and those to which it is vital
	for b := range p.nb {
		next[b] = f.grid.Around(p.blocks[b])
	}
	for r := range p.nr {
		empty := p.regions[r] &^ other
		for b := range p.nb {
			if next[b]&p.regions[r] == 0 {
				continue
			}
			walls[r] |= 1 << b
			if empty&^next[b] == 0 && f.single(p.regions[r]&^next[b]) {
				vital[r] |= 1 << b
			}
		}
	}
	alive := uint32(1)<<p.nb - 1
	for changed := true; changed; {
		changed = false
		for b := range p.nb {
			if alive>>b&1 == 0 {
				continue
			}
			eyes := 0
			if p.blocks[b]&wall != 0 {
				eyes = 1
			}
			for r := range p.nr {
				if vital[r]>>b&1 != 0 && walls[r]&^alive == 0 {
					eyes++
				}
			}
			if eyes < 2 {
				alive &^= 1 << b
				changed = true
			}
		}
	}
	if alive == 0 {
		return 0
	}
	var area, around uint64
	for b := range p.nb {
		if alive>>b&1 != 0 {
			area |= p.blocks[b]
			around |= next[b]
		}
	}
	for r := range p.nr {
		if walls[r]&^alive == 0 && f.cramped(p.regions[r]&^around) {
			area |= p.regions[r]
		}
	}
	return area
}

// shape says of the stones of own alone when all points are safe: whether they can be, and
// where stones of the other side must fill an eye for that.
type shape struct {
	own  uint64
	kind shapeKind
	n    uint8
	eyes [maxShort]uint64 // of a block that is short of eyes: the points that make one if filled
	less [maxShort]uint8  // and how many of them it needs
}

// maxShort bounds the blocks of a shape that are short of eyes.
const maxShort = 4

type shapeKind uint8

const (
	shapeUnsafe shapeKind = iota
	shapeSafe             // if each block that is short of eyes has them
	shapeMixed            // too many blocks are short of eyes: it must be looked at
)

// shape is found by the definition of find for the case that all points are safe: then all
// blocks are alive. A region is vital to a block next to it if at most one of its points is
// not next to the block, and that point has a stone of the other side.
func (f safety) shape(own uint64) shape {
	unsafe, found := shape{own: own}, shape{own: own, kind: shapeSafe}
	var p parts
	if bits.OnesCount64(own) < leastAlive || !f.split(own, &p) {
		return unsafe
	}
	around := f.grid.Around(own)
	for r := range p.nr {
		if !f.cramped(p.regions[r] &^ around) {
			return unsafe
		}
	}
	for b := range p.nb {
		next := f.grid.Around(p.blocks[b])
		eyes, fill := 0, uint64(0)
		for r := range p.nr {
			switch rest := p.regions[r] &^ next; {
			case next&p.regions[r] == 0 || !f.single(rest):
			case rest == 0:
				eyes++
			default:
				fill |= rest
			}
		}
		switch {
		case eyes >= 2:
		case eyes+bits.OnesCount64(fill) < 2:
			return unsafe
		case found.n == maxShort:
			found.kind = shapeMixed
		default:
			found.eyes[found.n], found.less[found.n] = fill, uint8(2-eyes)
			found.n++
		}
	}
	return found
}

// safe reports whether all points are safe against the stones of the other side.
func (s *shape) safe(f safety, other uint64) bool {
	switch s.kind {
	case shapeUnsafe:
		return false
	case shapeMixed:
		return f.find(s.own, other, 0) == f.grid.Mask
	}
	for i := range s.n {
		if bits.OnesCount64(s.eyes[i]&other) < int(s.less[i]) {
			return false
		}
	}
	return true
}
