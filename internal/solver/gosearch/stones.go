package gosearch

import (
	"context"
	"math"
	"math/bits"
	"sync"
	"sync/atomic"

	"tengen/board"
)

// stones says of every set of stones of a side how many points could be safe, for some
// stones of the other side, and how many could be kept behind a wall. Tables of what sets
// lack come from it.
type stones struct {
	sets
	holds []uint8 // safe points, and a level of points behind walls

	// The sets are counted in layers of equal size, the small ones first. In each orbit of
	// the symmetries one set is counted.
	layer  int
	next   atomic.Uint32 // the next set of the last points, with all sets of the first ones
	left   atomic.Uint64 // sets that are left
	lows   [][]uint32    // sets of the first points, by their size
	images []image
}

// lacks estimates how many stones the prover must add to a set, the other side passing,
// until the points that it claims could be safe. The search cuts a state where fewer moves
// are left. The estimate may be too high, but a deeper search cuts less, so no proof is
// missed for ever.
type lacks struct {
	sets
	want int     // points that are claimed
	need []uint8 // and a bit for sets with a wall
}

// sets are those of the points of a board, as numbers without the padding.
type sets struct {
	rows, cols, stride int
	points             int
	bit                [64]uint32 // of a point
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

// Five bits of a number are the points that could be safe. The others are a level: 0 if no
// block is a wall, mostLevel if one cuts all other points into rooms, at least two. Between
// them a level stands for several numbers of points.
const (
	safeBits  = 5
	mostLevel = 7
)

// level is that of a number of points behind a wall.
func (t *sets) level(points int) uint8 {
	if points == t.points {
		return mostLevel
	}
	return uint8((points*(mostLevel-1) + t.points - 1) / t.points)
}

// wallBit marks sets of which some block is a wall with about as many points as are
// claimed, rooms included.
const wallBit = 128

// margins are moves of the prover that a proof takes beside the stones that are lacking, by
// their number: hardly any proof on 4×5 and 5×5 takes fewer.
var margins = [...]int{2: 1, 3: 3, 4: 5, 5: 6}

func margin(need int) int { return margins[min(need, len(margins)-1)] }

// A table of stones takes a byte for each set: 32 MiB on boards of smallStonesPoints, 1 GiB
// on boards of maxStonesPoints. With one table only claims of all points have stones. With
// more, one is for every set and the others are for the claims that were made last.
const (
	smallStonesPoints = 25
	maxStonesPoints   = 30
	largeStones       = 4 // tables on large boards
	stonesRoom        = largeStones << smallStonesPoints
)

// Stones is the number of tables of stones for a search that may take some memory in all:
// half of it at most, but one on boards that are not large.
func Stones(size board.Size, memory int64) int {
	n := size.Points()
	switch {
	case n > maxStonesPoints || n > smallStonesPoints && memory>>n < 4:
		return 0
	case memory>>n < 4:
		return 1
	}
	return int(min(memory>>n/2, int64(max(largeStones, min(stonesRoom>>n, n+1)))))
}

// Fixed is the memory of a search of a board beside its table: the tables of stones, the
// numbers of positions, and the threads.
func Fixed(size board.Size, threads, stones int) int64 {
	const (
		numbers, remembered, worker = 1 << 20, 2 << 20, 5 << 18 // upper bounds
		marked                      = markSize << markBits
		holder                      = 2*worker + marked + marked/2 // while the marks double
	)
	fixed := int64(numbers + threads*(remembered+worker+holder))
	if sets := int64(1) << min(size.Points(), maxStonesPoints); stones > 0 {
		fixed += int64(stones)*sets + sets/4 // for the bits of a claim that is made
	}
	return fixed
}

func newStones(g *geometry) *stones {
	t := &stones{holds: make([]uint8, 1<<g.points)}
	t.sets = sets{rows: g.size.Rows, cols: g.size.Cols, stride: g.size.Stride(), points: g.points}
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
	t.left.Store(uint64(len(t.holds)))
	return t
}

// complete reports whether all sets are counted.
func (t *stones) complete() bool { return t.left.Load() == 0 }

// count fills the table, or goes on where the last call was stopped.
func (t *stones) count(ctx context.Context, g *geometry, threads int) error {
	for !t.complete() {
		if !t.sweep(ctx, g, threads) {
			return ctx.Err()
		}
		t.layer++
		t.next.Store(0)
	}
	return nil
}

// sweep counts every set of a layer, by some goroutines. It reports whether the layer is
// complete.
func (t *stones) sweep(ctx context.Context, g *geometry, threads int) bool {
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
				rest := t.layer - bits.OnesCount32(high)
				if rest < 0 || rest > low {
					continue
				}
				var last [maxSymmetries]uint32
				for s := range t.images {
					last[s] = t.images[s].of(high << low)
				}
				for _, first := range t.lows[rest] {
					t.fill(f, first, &last)
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
func (t *stones) fill(f safety, first uint32, last *[maxSymmetries]uint32) {
	m := first | last[0]
	var orbit [maxSymmetries]uint32
	for s := range t.images {
		if orbit[s] = t.images[s].ofFirst(first) | last[s]; orbit[s] < m {
			return
		}
	}
	n := t.number(f, m)
	for _, image := range orbit[:len(t.images)] {
		t.holds[image] = n
	}
}

// number is that of a set. Smaller sets have theirs already.
func (t *stones) number(f safety, m uint32) uint8 {
	if m == 0 {
		return 0
	}
	own := t.spread(uint64(m))
	var level uint8
	if block := f.grid.Flood(own&-own, own); block == own {
		level = t.level(f.behind(block))
	} else {
		part := t.index(block)
		level = max(t.holds[part], t.holds[m&^part]) >> safeBits
	}
	return level<<safeBits | uint8(f.most(own))
}

// claim fills the table of what sets lack for a number of points. Its memory may be that of
// the stones themselves. It reports whether it came to an end.
func (t *stones) claim(ctx context.Context, want int, need []uint8, threads int) (*lacks, bool) {
	within := make([]uint64, (len(t.holds)+63)/64) // sets that lack a number of stones at most
	wall := t.level(want)
	if !inParts(ctx, len(within), threads, func(from, to int) {
		for m := 64 * from; m < min(64*to, len(need)); m++ {
			n := t.holds[m]
			need[m] = uint8(t.points) // for a set that must lose stones first
			if int(n&(1<<safeBits-1)) >= want {
				need[m] = 0
				within[m/64] |= 1 << (m % 64)
			}
			if n>>safeBits >= wall {
				need[m] |= wallBit
			}
		}
	}) {
		return nil, false
	}
	more := make([]uint64, len(within))
	for lack := uint8(1); ; lack++ {
		var grown atomic.Bool
		if !inParts(ctx, len(within), threads, func(from, to int) {
			some := uint64(0)
			for w := from; w < to; w++ {
				more[w] = less(within, w)
				some |= more[w] ^ within[w]
				for rest := more[w] &^ within[w]; rest != 0; rest &= rest - 1 {
					m := 64*w + bits.TrailingZeros64(rest)
					need[m] = need[m]&wallBit | lack
				}
			}
			if some != 0 {
				grown.Store(true)
			}
		}) {
			return nil, false
		}
		if !grown.Load() {
			return &lacks{t.sets, want, need}, true
		}
		within, more = more, within
	}
}

// inParts does something with all numbers below n, in some goroutines and part by part. It
// reports whether it came to an end.
func inParts(ctx context.Context, n, threads int, do func(from, to int)) bool {
	const part = 1 << 14
	var next atomic.Int64
	var wait sync.WaitGroup
	for range threads {
		wait.Go(func() {
			for ctx.Err() == nil {
				from := int(next.Add(part)) - part
				if from >= n {
					return
				}
				do(from, min(from+part, n))
			}
		})
	}
	wait.Wait()
	return next.Load() >= int64(n)
}

// less is a word of a set of sets, with those that have one point less than one of them.
func less(of []uint64, w int) uint64 {
	has := [...]uint64{0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000}
	word := of[w]
	for i, mask := range has {
		word |= of[w] & mask >> (1 << i)
	}
	for bit := 1; bit < len(of) && word != math.MaxUint64; bit <<= 1 {
		if w&bit == 0 {
			word |= of[w|bit]
		}
	}
	return word
}

// spread puts the padding back.
func (t *sets) spread(m uint64) uint64 {
	var x uint64
	row := uint64(1)<<t.cols - 1
	for r := range t.rows {
		x |= m >> (r * t.cols) & row << (r * t.stride)
	}
	return x
}

// index is a set without the padding.
func (t *sets) index(own uint64) uint32 {
	var m uint64
	row := uint64(1)<<t.cols - 1
	for r := range t.rows {
		m |= own >> (r * t.stride) & row << (r * t.cols)
	}
	return uint32(m)
}

// of is the number of stones that a set lacks.
func (t *lacks) of(own uint64) int { return int(t.need[t.index(own)] &^ wallBit) }

// look is the number of stones that a set lacks, and whether it has a wall.
func (t *lacks) look(own uint64) (lacking int, wall bool) {
	x := t.need[t.index(own)]
	return int(x &^ wallBit), x&wallBit != 0
}
