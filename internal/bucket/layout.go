package bucket

import "math/bits"

// layout says how a code and an entry split into bits.
//
//	code   | index: which bucket | validation        |
//	        keyBits-validation     validation
//	entry  | validation | 0     | value |
//	        high bits     1 bit   valueBits
//
// The validation bits lead, so entries sort as plain integers. The bit in the middle is
// that of the paper, which marks the positions of a solution with it.
type layout struct {
	keyBits    int
	indexBits  int
	validation int
	valueBits  int
	width      int // bytes of an entry
}

// targetLoad is the mean number of entries per bucket when memory is full, for layouts
// that can choose it. A bucket should fit one or two cache lines, and the directory's
// four bytes per bucket should be a small part of the memory.
const targetLoad = 8

// groupBits is log2 of the number of buckets that codes are spread over. 64 buckets
// are enough to even out the load, and their part of the directory is four cache
// lines.
const groupBits = 6

// directoryShare is the part of memory the directory may take.
const directoryShare = 4

// chooseLayout takes the narrowest entry whose directory fits its share of the memory.
func chooseLayout(keyBits, valueBits int, memory int64) layout {
	for _, width := range []int{2, 4} {
		validation := min(keyBits, 8*width-1-valueBits)
		if width > 2 {
			// Wider entries have more validation bits than they need, so the memory
			// decides.
			wanted := bits.Len64(uint64(memory)/(uint64(width)*targetLoad)) - 1
			validation = min(validation, max(0, keyBits-wanted))
		}
		indexBits := keyBits - validation
		if indexBits < 40 && memory/directoryShare >= int64(4)<<indexBits {
			return layout{keyBits, indexBits, validation, valueBits, width}
		}
	}
	indexBits := min(keyBits, max(0, bits.Len64(uint64(memory)/(8*targetLoad))-1))
	// At 63-bit codes and 6-bit values 57 validation bits are the most that fit.
	indexBits = max(indexBits, keyBits-(63-valueBits))
	return layout{keyBits, indexBits, keyBits - indexBits, valueBits, 8}
}

func (l layout) index(code uint64) uint64 { return code >> l.validation }

func (l layout) check(code uint64) uint64 { return code & (1<<l.validation - 1) }

// pack makes an entry; shift is where its validation bits begin.
func (l layout) pack(r Entry) uint64 { return l.check(r.Code)<<l.shift() | uint64(r.Value) }

// unpack reads an entry of the bucket with a given index.
func (l layout) unpack(index, entry uint64) Entry {
	return Entry{Code: index<<l.validation | entry>>l.shift(), Value: Value(entry & (1<<l.valueBits - 1))}
}

// mixBits is the number of low code bits that spreading changes: enough for the
// codes of a group of neighbouring buckets.
func (l layout) mixBits() int { return min(l.keyBits, l.validation+groupBits) }

func (l layout) shift() int { return l.valueBits + 1 }
