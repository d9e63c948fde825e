package retro

import (
	"sync/atomic"

	"tengen/internal/bigmem"
)

// store is an array of small fields of equal width, packed into words. Any thread
// may read; a field has one writer at a time, its neighbours in the word may have
// others.
type store struct {
	words *bigmem.Words
	per   uint64 // fields per word, as a shift
	width uint64 // bits per field
}

// newStore packs n fields of 8, 16 or 32 bits.
func newStore(n uint64, width uint64, purpose string) (*store, error) {
	s := &store{width: width}
	for width<<s.per < 64 {
		s.per++
	}
	words, err := bigmem.Alloc(int(n>>s.per+1), purpose)
	s.words = words
	return s, err
}

func (s *store) at(i uint64) (word *uint64, shift uint64) {
	return &s.words.Data[i>>s.per], (i & (1<<s.per - 1)) * s.width
}

func (s *store) load(i uint64) uint32 {
	word, shift := s.at(i)
	return uint32(atomic.LoadUint64(word) >> shift & (1<<s.width - 1))
}

// replace writes a field that holds old. Adding the difference leaves the
// neighbours alone whatever they become meanwhile.
func (s *store) replace(i uint64, old, now uint32) {
	if old != now {
		word, shift := s.at(i)
		atomic.AddUint64(word, (uint64(now)-uint64(old))<<shift)
	}
}

// fill gives every field the same content.
func (s *store) fill(field uint32) {
	pattern := uint64(field)
	for w := s.width; w < 64; w *= 2 {
		pattern |= pattern << w
	}
	for i := range s.words.Data {
		s.words.Data[i] = pattern
	}
}

func (s *store) free() {
	if s != nil {
		s.words.Free()
	}
}

// entry is what is known of a board: for each value that is kept, one byte for
// side 0 and one for side 1. A byte is the value plus offset; the top bit of the
// lowest byte says that a ban is possible on this board.
type entry uint32

const (
	offset  = 64
	hasKo   = 0x80
	payload = 0x7f
)

// value is the best result of playing a stone, for a plane and a side.
func (e entry) value(plane int, side uint8) int {
	return int(e>>(16*plane+8*int(side))&payload) - offset
}

func (e entry) with(plane int, side uint8, v int) entry {
	shift := 16*plane + 8*int(side)
	return e&^(payload<<shift) | entry(v+offset)<<shift
}

// koEntry is what is known of a board with a ban: one byte for each value that is kept.
type koEntry uint32

func (e koEntry) value(plane int) int { return int(e>>(8*plane)&0xff) - offset }

func (e koEntry) with(plane, v int) koEntry {
	return e&^(0xff<<(8*plane)) | koEntry(v+offset)<<(8*plane)
}
