package retro

import (
	"encoding/binary"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/s2"

	"tengen/internal/bigmem"
)

// pool keeps words in less memory than their size. The words are cut into blocks,
// which are kept packed. Recently used blocks are open as well. Neighbouring blocks
// belong to different shards. Each shard has its own lock and its own share of the
// memory.
//
// A pool gets its memory once. Memory that packed blocks do not need holds open
// blocks. So there are many open blocks at first, when most words are still zero,
// and fewer later.
type pool struct {
	memory *bigmem.Words
	shards []shard
	taken  uint64 // words handed out
	// over is set when a shard has taken more memory than the pool was given.
	over atomic.Bool
}

const (
	blockWords = 128
	blockBytes = 8 * blockWords
	// unitWords is the unit of memory for packed blocks. A packed block is a chain
	// of units, so nothing has to be moved when its size changes.
	unitWords  = 8
	blockUnits = blockWords / unitWords
	// leastOpen blocks of a shard are always open, even if that exceeds its memory.
	leastOpen = 16
	// shardBlocks is the least number of blocks of a shard, if there are several.
	shardBlocks = 256
	maxShards   = 64
)

// shard is a part of a pool. Its memory consists of pages, each the size of a block:
// one for every open block, and the others cut into units.
type shard struct {
	sync.Mutex
	pool   *pool
	words  []uint64   // of the pages that were given
	extra  [][]uint64 // pages beyond these
	pages  int        // in use
	limit  int        // of them
	blocks []block
	open   []openBlock
	hand   int      // of the clock that finds the open block to close
	next   []uint32 // unit → the unit after it, of the same block or free too
	free   chain
	raw    [blockBytes]byte
	packed []byte
}

// block says where the content of a block is. A block that is all zero has no
// content.
type block struct {
	open   uint32 // number among the open blocks, from 1; 0 if it is not one
	packed chain
	bytes  uint16 // when packed; blockBytes if packing does not pay
}

// chain is a list of units.
type chain struct{ first, units uint32 }

type openBlock struct {
	block   uint32
	page    uint32
	recent  bool // used since the clock came by
	changed bool // and so not packed
}

// Memory that a pool needs for each block and page beside the words.
const (
	blockCost = 16
	pageCost  = 12 + 4*blockUnits
	shardCost = 4 << 10
)

// blocksOf is the number of blocks for a number of words.
func blocksOf(words uint64) uint64 { return (words + blockWords - 1) / blockWords }

// leastPool is the memory of a pool for a number of blocks that fill at most packed
// pages when packed.
func leastPool(blocks, packed uint64) int64 {
	shards := shardsOf(blocks)
	pages := packed + 2*leastOpen*shards
	return int64(pages*(blockBytes+pageCost) + blocks*blockCost + shards*shardCost)
}

func shardsOf(blocks uint64) uint64 {
	shards := uint64(1)
	for shards < maxShards && blocks/(2*shards) >= shardBlocks {
		shards *= 2
	}
	return shards
}

// newPool makes a pool for a number of blocks in a number of bytes.
func newPool(blocks uint64, bytes int64) (*pool, error) {
	n := shardsOf(blocks)
	each := blocks/n + 1
	fixed := each*n*blockCost + n*shardCost
	pages := uint64(max(bytes-int64(fixed), 0)) / n / (blockBytes + pageCost)
	pages = min(max(pages, leastOpen), 2*each)
	share := pages * blockWords
	memory, err := bigmem.Alloc(int(n*share), "packed values of Go boards")
	if err != nil {
		return nil, err
	}
	p := &pool{memory: memory, shards: make([]shard, n)}
	for i := range p.shards {
		p.shards[i] = shard{
			pool:   p,
			words:  memory.Data[uint64(i)*share:][:share],
			limit:  int(pages),
			blocks: make([]block, each),
			next:   make([]uint32, pages*blockUnits),
			packed: make([]byte, s2.MaxEncodedLen(blockBytes)),
		}
	}
	return p, nil
}

// bytes is the memory that the pool may take.
func (p *pool) bytes() int64 {
	s := &p.shards[0]
	return int64(len(p.shards)) * int64(s.limit*(blockBytes+pageCost)+len(s.blocks)*blockCost+shardCost)
}

// take hands out n zeroed words that begin a block.
func (p *pool) take(n uint64) uint64 {
	first := p.taken
	p.taken += blocksOf(n) * blockWords
	return first
}

func (p *pool) load(i uint64) uint64 {
	s, b := p.find(i)
	s.Lock()
	w := s.page(s.opened(b).page)[i%blockWords]
	s.Unlock()
	return w
}

// update keeps some bits of a word, sets others and then adds to it. It returns what the word
// held.
func (p *pool) update(i, keep, set, plus uint64) uint64 {
	s, b := p.find(i)
	s.Lock()
	o := s.opened(b)
	w := &s.page(o.page)[i%blockWords]
	held := *w
	if now := (held&keep | set) + plus; now != held {
		*w = now
		if !o.changed {
			o.changed = true
			s.release(&s.blocks[b].packed)
			s.blocks[b].bytes = 0
		}
	}
	s.Unlock()
	return held
}

// find is the shard of a word and the number of its block there.
func (p *pool) find(i uint64) (*shard, uint32) {
	n := uint64(len(p.shards)) // a power of two
	b := i / blockWords
	return &p.shards[b&(n-1)], uint32(b / n)
}

func (p *pool) freeMemory() {
	if p != nil {
		p.memory.Free()
	}
}

func (s *shard) page(i uint32) []uint64 {
	at := uint64(i) * blockWords
	if at >= uint64(len(s.words)) {
		return s.extra[(at-uint64(len(s.words)))/blockWords]
	}
	return s.words[at:][:blockWords]
}

func (s *shard) unit(i uint32) []uint64 {
	return s.page(i / blockUnits)[i%blockUnits*unitWords:][:unitWords]
}

// opened opens a block unless it is open.
func (s *shard) opened(b uint32) *openBlock {
	at := s.blocks[b].open
	if at == 0 {
		at = s.vacate() + 1
		s.open[at-1].block = b
		s.blocks[b].open = at
		s.unpack(&s.blocks[b], s.page(s.open[at-1].page))
	}
	o := &s.open[at-1]
	o.recent = true
	return o
}

// vacate finds a page for a block that will be opened.
func (s *shard) vacate() uint32 {
	if s.pages < s.limit {
		s.open = append(s.open, openBlock{page: uint32(s.pages)})
		s.pages++
		return uint32(len(s.open) - 1)
	}
	for {
		if s.hand >= len(s.open) {
			s.hand = 0
		}
		at := s.hand
		s.hand++
		if s.open[at].recent {
			s.open[at].recent = false
		} else if s.close(at) {
			return uint32(at)
		}
	}
}

// close packs an open block. It returns false if that needed the block's own page.
func (s *shard) close(at int) bool {
	o := &s.open[at]
	b := &s.blocks[o.block]
	b.open = 0
	if !o.changed {
		return true
	}
	o.changed = false
	packed := s.pack(s.page(o.page))
	units := uint32(len(packed)+8*unitWords-1) / (8 * unitWords)
	left := true
	if s.free.units < units {
		left = s.moreUnits(at)
	}
	b.bytes = uint16(len(packed))
	b.packed = s.fill(units, packed)
	return left
}

// moreUnits cuts a page into units. It takes the page of the block being closed.
// If too few blocks are open, it takes a page beyond the memory of the shard instead.
func (s *shard) moreUnits(at int) (left bool) {
	page := s.open[at].page
	if left = len(s.open) <= leastOpen; left {
		s.pool.over.Store(true)
		page = uint32(s.pages)
		s.pages++
		s.limit++
		s.extra = append(s.extra, make([]uint64, blockWords))
		s.next = append(s.next, make([]uint32, blockUnits)...)
	} else {
		last := len(s.open) - 1
		if at != last {
			s.open[at] = s.open[last]
			s.blocks[s.open[at].block].open = uint32(at) + 1
		}
		s.open = s.open[:last]
	}
	for i := range uint32(blockUnits) {
		unit := page*blockUnits + i
		s.next[unit] = s.free.first
		s.free.first = unit
	}
	s.free.units += blockUnits
	return left
}

// fill takes units and copies packed bytes to them.
func (s *shard) fill(units uint32, packed []byte) chain {
	c := chain{s.free.first, units}
	at := c.first
	for range units {
		words := s.unit(at)
		for i := range words {
			if len(packed) < 8 {
				var last [8]byte
				copy(last[:], packed)
				packed = last[:]
			}
			words[i] = binary.LittleEndian.Uint64(packed)
			packed = packed[8:]
		}
		at = s.next[at]
	}
	s.free.first = at
	s.free.units -= units
	return c
}

// release gives the units of a chain back.
func (s *shard) release(c *chain) {
	if c.units == 0 {
		return
	}
	last := c.first
	for range c.units - 1 {
		last = s.next[last]
	}
	s.next[last] = s.free.first
	s.free.first = c.first
	s.free.units += c.units
	*c = chain{}
}

// pack compresses the content of a page, if possible.
func (s *shard) pack(words []uint64) []byte {
	for i, w := range words {
		binary.LittleEndian.PutUint64(s.raw[8*i:], w)
	}
	if packed := s2.EncodeBetter(s.packed, s.raw[:]); len(packed) < blockBytes {
		return packed
	}
	return s.raw[:]
}

func (s *shard) unpack(b *block, words []uint64) {
	if b.bytes == 0 {
		clear(words)
		return
	}
	packed := s.packed[:0]
	at := b.packed.first
	for range b.packed.units {
		for _, w := range s.unit(at) {
			packed = binary.LittleEndian.AppendUint64(packed, w)
		}
		at = s.next[at]
	}
	raw := packed[:b.bytes]
	if b.bytes < blockBytes {
		var err error
		if raw, err = s2.Decode(s.raw[:], raw); err != nil {
			panic("a packed block does not unpack: " + err.Error())
		}
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(raw[8*i:])
	}
}
