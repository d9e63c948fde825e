package gosearch

import (
	"context"
	"math/bits"
	"sync"
	"sync/atomic"

	"tengen/board"
)

// stones estimates how many stones the prover must add to a set, the other side passing,
// until all points could be safe. The search cuts a state where fewer moves are left. The
// estimate may be too high, but a deeper search cuts less, so no proof is missed for ever.
type stones struct {
	rows, cols, stride int
	points             int
	need               []uint8    // and a bit for sets with a wall
	bit                [64]uint32 // of a point in the index of a set

	// The sets are counted in layers of equal size, once for need and once for walls. In
	// each orbit of the symmetries one set is counted.
	layer  int
	next   atomic.Uint32 // the next set of the last points, with all sets of the first ones
	left   atomic.Uint64 // sets that are left: each is looked at twice
	lows   [][]uint32    // sets of the first points, by their size
	images []image
}

// lowBits is the number of points that are the first ones.
const lowBits = 16

// image maps sets by a symmetry: the first points eight at a time, the others one by one.
type image struct {
	first [lowBits / 8][1 << 8]uint32
	point [maxStonesPoints]uint32
}

// of is the image of a set, point by point.
func (i *image) of(m uint32) (to uint32) {
	for ; m != 0; m &= m - 1 {
		to |= i.point[bits.TrailingZeros32(m)]
	}
	return to
}

// ofFirst is the image of a set of first points.
func (i *image) ofFirst(m uint32) uint32 { return i.first[0][m&255] | i.first[1][m>>8] }

// wallBit marks sets of which some block is a wall: it cuts the board into rooms.
const wallBit = 128

// margins are moves of the prover that a proof takes beside the stones that are lacking, by
// their number: hardly any proof on 4×5 and 5×5 takes fewer.
var margins = [...]int{2: 1, 3: 3, 4: 5, 5: 6}

func margin(need int) int { return margins[min(need, len(margins)-1)] }

// Stones are always counted on boards of smallStonesPoints, which takes 32 MiB, and on
// boards of up to maxStonesPoints, 1 GiB, if there is memory enough.
const (
	smallStonesPoints = 25
	maxStonesPoints   = 30
)

// CountsStones reports whether a search that may take some memory in all should count
// stones: their table takes a quarter of it at most.
func CountsStones(size board.Size, memory int64) bool {
	n := size.Points()
	return n <= smallStonesPoints || n <= maxStonesPoints && memory>>2 >= 1<<n
}

// Fixed is the memory of a search of a board beside its table: the stones that are
// counted, the numbers of positions, and the threads.
func Fixed(size board.Size, threads int, stones bool) int64 {
	const numbers, thread = 1 << 20, 3 << 20 // upper bounds
	fixed := int64(numbers + threads*thread)
	if stones && size.Points() <= maxStonesPoints {
		fixed += 1 << size.Points()
	}
	return fixed
}

func newStones(g *geometry) *stones {
	t := &stones{rows: g.size.Rows, cols: g.size.Cols, stride: g.size.Stride(), points: g.points, need: make([]uint8, 1<<g.points)}
	all := g.size.All()
	for i, p := range all {
		t.bit[p] = 1 << i
	}
	low := min(g.points, lowBits)
	t.lows = make([][]uint32, low+1)
	for m := range uint32(1 << low) {
		n := bits.OnesCount32(m)
		t.lows[n] = append(t.lows[n], m)
	}
	t.images = make([]image, g.syms)
	for s := range t.images {
		to := &t.images[s]
		for i, p := range all {
			to.point[i] = t.bit[g.image[s][p]]
		}
		for m := range uint32(1 << 8) {
			to.first[0][m], to.first[1][m] = to.of(m), to.of(m<<8)
		}
	}
	t.left.Store(2 * uint64(len(t.need)))
	return t
}

// count fills the table, or goes on where the last call was stopped. Layers of need come
// from the full board down, those of walls from the empty one up.
func (t *stones) count(ctx context.Context, g *geometry, threads int) error {
	for t.left.Load() > 0 {
		size, number := t.points-t.layer, t.lacks
		if size < 0 {
			size, number = -size-1, t.walls
		}
		if !t.sweep(ctx, g, threads, size, number) {
			return ctx.Err()
		}
		t.layer++
		t.next.Store(0)
	}
	return nil
}

// sweep gives every set of a layer its number, by some goroutines. It reports whether the
// layer is complete.
func (t *stones) sweep(ctx context.Context, g *geometry, threads, size int, number func(safety, uint32) uint8) bool {
	low := len(t.lows) - 1
	end := uint32(1) << (t.points - low)
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			f := newSafety(g)
			for ctx.Err() == nil {
				high := t.next.Add(1) - 1
				if high >= end {
					return
				}
				rest := size - bits.OnesCount32(high)
				if rest < 0 || rest > low {
					continue
				}
				var last [maxSymmetries]uint32
				for s := range t.images {
					last[s] = t.images[s].of(high << low)
				}
				for _, first := range t.lows[rest] {
					t.fill(f, first, &last, number)
				}
				t.left.Add(-uint64(len(t.lows[rest])))
			}
		})
	}
	wait.Wait()
	return t.next.Load() >= end
}

// fill gives a set and its images their number, if the set is the least of them. It gets the
// first points of the set and the images of its other points.
func (t *stones) fill(f safety, first uint32, last *[maxSymmetries]uint32, number func(safety, uint32) uint8) {
	m := first | last[0]
	var orbit [maxSymmetries]uint32
	for s := range t.images {
		if orbit[s] = t.images[s].ofFirst(first) | last[s]; orbit[s] < m {
			return
		}
	}
	n := number(f, m)
	for _, image := range orbit[:len(t.images)] {
		t.need[image] = n
	}
}

// lacks is the number of stones that a set lacks. Larger sets are counted already.
func (t *stones) lacks(f safety, m uint32) uint8 {
	all := uint32(len(t.need) - 1)
	least := uint8(t.points) // for a set that must lose stones first
	for rest := all &^ m; rest != 0; rest &= rest - 1 {
		least = min(least, t.need[m|rest&-rest]+1)
	}
	if least > 0 && m != all && f.possible(t.spread(uint64(m))) {
		least = 0
	}
	return least
}

// walls is the number of a set, with a mark if it has a wall. Smaller sets are marked
// already.
func (t *stones) walls(f safety, m uint32) uint8 {
	own := t.spread(uint64(m))
	block := f.grid.Flood(own&-own, own)
	n := t.need[m]
	if block == own {
		if f.cuts(block) {
			n |= wallBit
		}
		return n
	}
	part := t.index(block)
	return n | (t.need[part]|t.need[m&^part])&wallBit
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
