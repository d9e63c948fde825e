package retro

// store is an array of small fields of equal width, packed into words. Any thread
// may read. A field has one writer at a time, but other threads may write its
// neighbours in the word.
type store struct {
	array
	per   uint64 // fields per word, as a shift
	width uint64 // bits per field
}

// fieldsPerWord is the number of fields of 8, 16 or 32 bits in a word, as a shift.
func fieldsPerWord(width uint64) (shift uint64) {
	for width<<shift < 64 {
		shift++
	}
	return shift
}

// storeWords is the number of words for n fields.
func storeWords(n, width uint64) uint64 { return n>>fieldsPerWord(width) + 1 }

func newStore(p *pool, n, width uint64, purpose string) (*store, error) {
	a, err := newArray(p, storeWords(n, width), purpose)
	return &store{a, fieldsPerWord(width), width}, err
}

func (s *store) field(i uint64) uint32 {
	return uint32(s.load(i>>s.per) >> s.shift(i) & (1<<s.width - 1))
}

func (s *store) shift(i uint64) uint64 { return (i & (1<<s.per - 1)) * s.width }

// replace writes a field that holds old. It adds the difference, which does not
// change the neighbours, whatever is written to them meanwhile.
func (s *store) replace(i uint64, old, now uint32) {
	if old != now {
		s.add(i>>s.per, (uint64(now)-uint64(old))<<s.shift(i))
	}
}

// fill sets every field to the same content.
func (s *store) fill(field uint32) {
	pattern := uint64(field)
	for w := s.width; w < 64; w *= 2 {
		pattern |= pattern << w
	}
	for i := range s.len {
		s.put(i, pattern)
	}
}

// entry holds the values of a board: for each loop rule that is kept, one byte
// for side 0 and one for side 1. A byte is the value plus offset. The top bit of
// the lowest byte says that a ban is possible on this board.
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

// koEntry holds the values of a board with a ban: one byte for each loop rule
// that is kept.
type koEntry uint32

func (e koEntry) value(plane int) int { return int(e>>(8*plane)&0xff) - offset }

func (e koEntry) with(plane, v int) koEntry {
	return e&^(0xff<<(8*plane)) | koEntry(v+offset)<<(8*plane)
}
