package area

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// settled reports whether the prover, with the other side to move, is sure to reach the
// goal: enough points are safe, and if the other side may end the game by a pass, the
// score is good already. docs/go-search.md proves that safe points suffice.
func settled(p weiqi.Position, c Claim) bool {
	if p.Passes > 0 && scoreOf(p, c.Prover) < c.Goal {
		return false
	}
	return c.enough(safe(p, c.Prover, 0))
}

// enough reports whether points that the prover keeps reach the goal, if all others are the
// other side's.
func (c Claim) enough(kept uint64) bool {
	return 2*bits.OnesCount64(kept)-c.Root.Size.Points() >= c.Goal
}

// scoreOf is the score of a board as one side sees it.
func scoreOf(p weiqi.Position, side board.Colour) int {
	if side == board.White {
		return -p.Score()
	}
	return p.Score()
}

// region is a connected set of points that a side has no stones on, with the blocks of
// that side around it.
type region struct {
	points uint64
	walls  []int
}

// safe is the set of points that a side is sure to keep: blocks that have two vital
// regions each, all of whose walls are such blocks, and regions between such blocks in
// which the other side has no room for two eyes. For the wall of a room one vital region
// is enough; wall is 0 if there is none.
func safe(p weiqi.Position, side board.Colour, wall uint64) uint64 {
	g := weiqi.NewGrid(p.Size)
	own, other := p.Stones[side][0], p.Stones[side.Opponent()][0]
	blocks := components(g, own)
	var regions []region
	for _, points := range components(g, g.Mask&^own) {
		r := region{points: points}
		for i, block := range blocks {
			if g.Around(block)&points != 0 {
				r.walls = append(r.walls, i)
			}
		}
		regions = append(regions, r)
	}
	alive := make([]bool, len(blocks))
	for i := range alive {
		alive[i] = true
	}
	enclosed := func(r region) bool {
		for _, i := range r.walls {
			if !alive[i] {
				return false
			}
		}
		return len(r.walls) > 0
	}
	for again := true; again; {
		again = false
		for i, block := range blocks {
			vital := 0
			if block == wall {
				vital = 1
			}
			next := g.Around(block)
			for _, r := range regions {
				if next&r.points != 0 && enclosed(r) && r.points&^other&^next == 0 &&
					bits.OnesCount64(r.points&^next) <= 1 && narrow(p.Size, g, r.points&^next) {
					vital++
				}
			}
			if alive[i] && vital < 2 {
				alive[i], again = false, true
			}
		}
	}
	var sure, next uint64
	for i, block := range blocks {
		if alive[i] {
			sure |= block
			next |= g.Around(block)
		}
	}
	area := sure
	for _, r := range regions {
		if enclosed(r) && narrow(p.Size, g, r.points&^next) {
			area |= r.points
		}
	}
	return area
}

// components are the connected parts of a set.
func components(g weiqi.Grid, set uint64) (list []uint64) {
	for set != 0 {
		part := g.Flood(set&-set, set)
		list = append(list, part)
		set &^= part
	}
	return list
}

// narrow reports whether a set has no point, one point, or two points next to each
// other. On a board of one row only the empty set is narrow.
func narrow(size board.Size, g weiqi.Grid, set uint64) bool {
	switch n := bits.OnesCount64(set); {
	case n == 0:
		return true
	case size.Rows == 1 || size.Cols == 1:
		return false
	case n == 2:
		return g.Around(set&-set)&set != 0
	default:
		return n == 1
	}
}
