package bucket

import (
	"math/bits"

	"tengen/internal/solver"
)

// buckets is the memory tier. A bucket is a block of the arena: its number of
// entries, then the entries in ascending order, all of type E. The directory
// maps a bucket's index to its block in two steps; a page of the second step
// exists only if one of its buckets does.
type buckets[E uint16 | uint32 | uint64] struct {
	layout
	arena  *arena
	slots  []E      // the arena as entries
	dir    []uint32 // the arena as block offsets
	top    []uint32 // page offsets, a part of dir
	growth bool
	count  uint64

	entryShift int // log2 of the entries in a unit
	dirShift   int // log2 of the block offsets in a unit
}

// pageBits is log2 of the buckets in a directory page. 512 make a page of 2 KiB.
const pageBits = 9

func newBuckets[E uint16 | uint32 | uint64](l layout, o Options) (*buckets[E], error) {
	a, err := newArena(o.Budget)
	if err != nil {
		return nil, err
	}
	b := &buckets[E]{
		layout:     l,
		arena:      a,
		slots:      view[E](a),
		dir:        view[uint32](a),
		growth:     o.Growth,
		entryShift: a.unitShift - bits.TrailingZeros(uint(l.width)),
		dirShift:   a.unitShift - 2,
	}
	if !b.openDirectory(o.Sparse) {
		b.close()
		return nil, solver.ErrMemory
	}
	return b, nil
}

// openDirectory allocates the first step and, unless pages are allocated on
// demand, every page.
func (b *buckets[E]) openDirectory(sparse bool) bool {
	pages := uint64(1) << max(0, b.indexBits-pageBits)
	at, ok := b.arena.grow(b.unitsFor(pages, b.dirShift))
	if !ok {
		return false
	}
	start := uint64(at) << b.dirShift
	b.top = b.dir[start : start+pages : start+pages]
	if !sparse {
		for i := range b.top {
			if b.top[i], ok = b.newPage(); !ok {
				return false
			}
		}
	}
	return true
}

func (b *buckets[E]) newPage() (uint32, bool) {
	return b.arena.grow(b.unitsFor(1<<pageBits, b.dirShift))
}

// unitsFor is the number of units that hold n items, if 1<<shift items fit in a
// unit.
func (b *buckets[E]) unitsFor(n uint64, shift int) uint32 {
	return uint32((n + 1<<shift - 1) >> shift)
}

// block is the slot at which a bucket begins. Slot 0 stands for all empty
// buckets: it lies in the arena's reserved unit and always reads as a count of 0.
func (b *buckets[E]) block(index uint64) uint64 {
	page := b.top[index>>pageBits]
	if page == 0 {
		return 0
	}
	at := b.dir[uint64(page)<<b.dirShift+index&(1<<pageBits-1)]
	return uint64(at) << b.entryShift
}

// search finds the place of an entry among sorted ones: how many are smaller.
// The body of the loop compiles to a conditional move: a branch there could not
// be predicted.
func search[E uint16 | uint32 | uint64](entries []E, least E) int {
	low, n := 0, len(entries)
	for n > 1 {
		half := n >> 1
		if entries[low+half-1] < least {
			low += half
		}
		n -= half
	}
	if n == 1 && entries[low] < least {
		low++
	}
	return low
}

// lookup is the slot of a code's entry in the bucket that begins at a slot.
func (b *buckets[E]) lookup(code, at uint64, count E) (uint64, bool) {
	entries := b.slots[at+1 : at+1+uint64(count)]
	least := E(b.check(code) << b.shift())
	i := search(entries, least)
	if i >= len(entries) || entries[i]-least >= 1<<b.shift() {
		return 0, false
	}
	return at + 1 + uint64(i), true
}

func (b *buckets[E]) get(code uint64) (Entry, bool) {
	index := b.index(code)
	at := b.block(index)
	slot, ok := b.lookup(code, at, b.slots[at])
	if !ok {
		return Entry{}, false
	}
	return b.unpack(index, uint64(b.slots[slot])), true
}

// getMany does each step for all codes before the next step, so that many cache
// misses overlap.
func (b *buckets[E]) getMany(codes []uint64, out []Value) {
	var at [MaxBatch]uint64
	var count [MaxBatch]E
	for i, code := range codes {
		at[i&(MaxBatch-1)] = b.block(b.index(code))
	}
	for i := range codes {
		count[i&(MaxBatch-1)] = b.slots[at[i&(MaxBatch-1)]]
	}
	mask := E(1)<<b.valueBits - 1
	for i, code := range codes {
		out[i] = Missing
		if n := count[i&(MaxBatch-1)]; n != 0 {
			if slot, ok := b.lookup(code, at[i&(MaxBatch-1)], n); ok {
				out[i] = Value(b.slots[slot] & mask)
			}
		}
	}
}

// add inserts an entry that is not there; false means that memory is used up.
func (b *buckets[E]) add(r Entry) bool {
	index := b.index(r.Code)
	page := &b.top[index>>pageBits]
	if *page == 0 {
		at, ok := b.newPage()
		if !ok {
			return false
		}
		*page = at
	}
	at := &b.dir[uint64(*page)<<b.dirShift+index&(1<<pageBits-1)]
	if !b.reserve(at) {
		return false
	}
	start := uint64(*at) << b.entryShift
	entry, count := E(b.pack(r)), uint64(b.slots[start])
	entries := b.slots[start+1 : start+2+count]
	i := search(entries[:count], entry)
	copy(entries[i+1:], entries[i:count])
	entries[i] = entry
	b.slots[start]++
	b.count++
	return true
}

// reserve makes room for one more entry in the bucket that a directory cell names.
func (b *buckets[E]) reserve(cell *uint32) bool {
	if *cell == 0 {
		at, ok := b.arena.alloc(b.units(1))
		if ok {
			b.slots[uint64(at)<<b.entryShift] = 0
			*cell = at
		}
		return ok
	}
	old := uint64(*cell) << b.entryShift
	count := uint64(b.slots[old])
	before, after := b.units(count), b.units(count+1)
	if before == after {
		return true
	}
	at, ok := b.arena.alloc(after)
	if !ok {
		return false
	}
	copy(b.slots[uint64(at)<<b.entryShift:], b.slots[old:old+1+count])
	b.arena.release(*cell, before)
	*cell = at
	return true
}

// units is the size of a block for a number of entries. With growth, sizes above
// four units have three significant bits: at most a quarter is slack, and a
// bucket moves a logarithmic number of times.
func (b *buckets[E]) units(count uint64) uint32 {
	n := b.unitsFor(count+1, b.entryShift)
	if !b.growth || n <= 4 {
		return n
	}
	drop := bits.Len32(n) - 3
	return (n + 1<<drop - 1) >> drop << drop
}

func (b *buckets[E]) entries() uint64 { return b.count }

func (b *buckets[E]) bytes() int64 { return b.arena.bytes() }

func (b *buckets[E]) close() {
	b.arena.close()
	b.slots, b.dir, b.top = nil, nil, nil
}

// bucketCursor walks the entries in ascending order of code.
type bucketCursor[E uint16 | uint32 | uint64] struct {
	b       *buckets[E]
	index   uint64 // the next bucket
	current uint64 // the bucket of rest
	rest    []E
}

func (b *buckets[E]) cursor() cursor { return &bucketCursor[E]{b: b} }

func (c *bucketCursor[E]) next() (Entry, bool) {
	for len(c.rest) == 0 {
		if c.index>>pageBits >= uint64(len(c.b.top)) {
			return Entry{}, false
		}
		if c.b.top[c.index>>pageBits] == 0 {
			c.index = (c.index>>pageBits + 1) << pageBits
			continue
		}
		at := c.b.block(c.index)
		c.rest = c.b.slots[at+1 : at+1+uint64(c.b.slots[at])]
		c.current = c.index
		c.index++
	}
	r := c.b.unpack(c.current, uint64(c.rest[0]))
	c.rest = c.rest[1:]
	return r, true
}

func (c *bucketCursor[E]) err() error { return nil }
