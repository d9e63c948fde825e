package bucket

import (
	"math/bits"

	"tengen/internal/bigmem"
)

// filter is a Bloom filter that keeps all bits of a code in one machine word, so
// that a test costs one cache miss. It lets most lookups of absent codes skip the
// file. A nil filter lets everything through.
type filter struct {
	words  *bigmem.Words
	budget *Budget
}

const (
	filterBest   = 10 // bits per code: about one false alarm in forty
	filterWorst  = 2  // below this a filter is not worth its memory
	filterHashes = 4
)

// newFilter takes at most allowed bytes of the budget, or makes no filter.
func newFilter(codes uint64, allowed int64, b *Budget) *filter {
	perCode := min(filterBest, max(0, allowed)*8/int64(codes))
	words := int64(codes)*perCode/64 + 1
	if perCode < filterWorst || !b.take(words*8) {
		return nil
	}
	w, err := bigmem.Alloc(int(words), purpose+" filter")
	if err != nil {
		// A filter is optional: without memory for it, lookups read the file.
		b.give(words * 8)
		return nil
	}
	return &filter{w, b}
}

// place is the machine word of a code and its bits in that word.
func (f *filter) place(code uint64) (word, pattern uint64) {
	hash := code * mixFirst
	hash ^= hash >> 32
	hash *= mixSecond
	word, _ = bits.Mul64(hash, uint64(len(f.words.Data)))
	for range filterHashes {
		pattern |= 1 << (hash & 63)
		hash >>= 6
	}
	return word, pattern
}

func (f *filter) add(code uint64) {
	word, pattern := f.place(code)
	f.words.Data[word] |= pattern
}

func (f *filter) mayHave(code uint64) bool {
	if f == nil {
		return true
	}
	word, pattern := f.place(code)
	return f.words.Data[word]&pattern == pattern
}

func (f *filter) bytes() int64 {
	if f == nil {
		return 0
	}
	return int64(len(f.words.Data)) * 8
}

func (f *filter) close() {
	if f == nil {
		return
	}
	f.budget.give(f.bytes())
	f.words.Free()
}
