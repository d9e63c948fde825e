package gosearch

import (
	"context"
	"math/bits"
	"sync/atomic"

	"tengen/board"
)

// stones estimates how many stones the prover must add to a set, the other side passing,
// until all points could be safe. The search cuts a state where fewer moves are left. The
// estimate may be too high, but a deeper search cuts less, so no proof is missed for ever.
type stones struct {
	rows, cols, stride int
	need               []uint8       // and a bit for sets with a wall
	left               atomic.Uint64 // steps that are left: each set is looked at twice
	bit                [64]uint32    // of a point in the index of a set
}

// wallBit marks sets of which some block is a wall: it cuts the board into rooms.
const wallBit = 128

// margins are moves of the prover that a proof takes beside the stones that are lacking, by
// their number: hardly any proof on 4×5 and 5×5 takes fewer.
var margins = [...]int{2: 1, 3: 3, 4: 5, 5: 6}

func margin(need int) int { return margins[min(need, len(margins)-1)] }

// maxStonesPoints is the largest board with such a table: 32 MiB.
const maxStonesPoints = 25

// Fixed is the memory of a search of a board beside its table: the stones that are
// counted, the numbers of positions, and the threads.
func Fixed(size board.Size, threads int) int64 {
	const numbers, thread = 1 << 20, 1 << 19 // upper bounds
	fixed := int64(numbers + threads*thread)
	if size.Points() <= maxStonesPoints {
		fixed += 1 << size.Points()
	}
	return fixed
}

func newStones(g *geometry) *stones {
	t := &stones{rows: g.size.Rows, cols: g.size.Cols, stride: g.size.Stride(), need: make([]uint8, 1<<g.points)}
	for i, p := range g.size.All() {
		t.bit[p] = 1 << i
	}
	t.left.Store(2 * uint64(len(t.need)))
	return t
}

// count fills the table, or goes on where the last call was stopped.
func (t *stones) count(ctx context.Context, g *geometry) error {
	f := newSafety(g)
	sets := uint64(len(t.need))
	for left := t.left.Load(); left > 0; left-- {
		if left&0xfff == 0 {
			if t.left.Store(left); ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if left > sets {
			t.lacks(f, left-sets-1)
		} else {
			t.walls(f, sets-left)
		}
	}
	t.left.Store(0)
	return nil
}

// lacks counts the stones that a set lacks. Larger sets come first.
func (t *stones) lacks(f safety, m uint64) {
	all := uint64(len(t.need) - 1)
	least := f.points // for a set that must lose stones first
	for rest := all &^ m; rest != 0; rest &= rest - 1 {
		least = min(least, int(t.need[m|rest&-rest])+1)
	}
	if least > 0 && m != all && f.possible(t.spread(m)) {
		least = 0
	}
	t.need[m] = uint8(least)
}

// walls marks a set with a wall. Smaller sets come first.
func (t *stones) walls(f safety, m uint64) {
	own := t.spread(m)
	block := f.grid.Flood(own&-own, own)
	if block == own {
		if f.cuts(block) {
			t.need[m] |= wallBit
		}
		return
	}
	part := uint64(t.index(block))
	t.need[m] |= (t.need[part] | t.need[m&^part]) & wallBit
}

// spread puts the padding back.
func (t *stones) spread(m uint64) uint64 {
	var x uint64
	row := uint64(1)<<t.cols - 1
	for r := range t.rows {
		x |= m >> (r * t.cols) & row << (r * t.stride)
	}
	return x
}

// of is the number of stones that a set lacks.
func (t *stones) of(own uint64) int { return int(t.need[t.index(own)] &^ wallBit) }

// look is the number of stones that a set lacks, and whether it has a wall.
func (t *stones) look(own uint64) (lacking int, wall bool) {
	x := t.need[t.index(own)]
	return int(x &^ wallBit), x&wallBit != 0
}

// index is a set without the padding.
func (t *stones) index(own uint64) uint32 {
	var m uint64
	row := uint64(1)<<t.cols - 1
	for r := range t.rows {
		m |= own >> (r * t.stride) & row << (r * t.cols)
	}
	return uint32(m)
}

// possible reports whether own could be safe everywhere for some stones of the other
// side: every block is next to two regions, and in no region there is room for two eyes.
func (f safety) possible(own uint64) bool {
	var p parts
	switch {
	case bits.OnesCount64(own) < leastAlive:
		return false
	case !f.split(own, &p):
		return true
	}
	inner := f.grid.Mask &^ (own | f.grid.Around(own))
	for r := range p.nr {
		if !f.cramped(p.regions[r] & inner) {
			return false
		}
	}
	for b := range p.nb {
		around, count := f.grid.Around(p.blocks[b]), 0
		for r := range p.nr {
			if around&p.regions[r] != 0 {
				count++
			}
		}
		if count < 2 {
			return false
		}
	}
	return true
}
