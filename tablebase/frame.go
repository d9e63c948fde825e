package tablebase

import (
	"encoding/binary"
	"errors"
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"
)

// Board is the entry of a board in a table: the value of the best stone for each
// plane and side, and its distance.
type Board struct {
	Code     uint64
	Values   [2][2]int8  // plane, side
	Distance [2][2]uint8 // plane, side
}

// Ban is the entry of a board with a banned point: the value of the best stone
// elsewhere for the side to play.
type Ban struct {
	Code     uint64
	Side     uint8
	Digit    uint8 // of the banned point
	Values   [2]int8
	Distance [2]uint8
}

// Special values of a distance.
const (
	// NoDistance means that the value is that of an endless game: neither side need force
	// the end.
	NoDistance = 0
	// NoStone means that there is no legal stone.
	NoStone = 255
)

// valueOffset is added to a value to store it as a byte.
const valueOffset = 64

// frameOverhead is about the memory of a frame in bytes without its arrays.
const frameOverhead = 400

// frame holds the boards of an interval of codes, in the order of the file.
type frame struct {
	bits   []uint64    // a bit for each code
	ranks  []uint16    // number of boards before each word of bits
	values [][]byte    // plane·2+side, board
	far    [][]byte    // distance: plane·2+side, board; none if not kept
	bans   []uint32    // board << 8 | side << 7 | digit, ascending
	banned [][]byte    // plane, ban
	banFar [][]byte    // distance: plane, ban
	held   int         // bytes in memory, for the cache
	asked  atomic.Bool // used since the hand of the cache last passed
}

func banKey(at int, side, digit uint8) uint32 { return uint32(at)<<8 | uint32(side)<<7 | uint32(digit) }

// find is the index of a code in the frame.
func (f *frame) find(at uint64) (int, bool) {
	word, bit := at/64, uint64(1)<<(at&63)
	return int(f.ranks[word]) + bits.OnesCount64(f.bits[word]&(bit-1)), f.bits[word]&bit != 0
}

// findBan is the index of a ban in the frame.
func (f *frame) findBan(key uint32) (int, bool) { return slices.BinarySearch(f.bans, key) }

// encode writes the frame as bytes; docs/tablebase-format.md draws it.
func (f *frame) encode(out []byte) []byte {
	boards := len(f.values[0])
	out = binary.LittleEndian.AppendUint32(out, uint32(boards))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(f.bans)))
	for _, w := range f.bits {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	for _, v := range f.values {
		out = append(out, v...)
	}
	for _, v := range f.far {
		out = append(out, v...)
	}
	for _, b := range f.bans {
		out = append(out, byte(b>>8), byte(b>>16), byte(b))
	}
	for _, v := range f.banned {
		out = append(out, v...)
	}
	for _, v := range f.banFar {
		out = append(out, v...)
	}
	return out
}

var errFrame = errors.New("a frame does not have the parts it should have")

// decodeFrame reads the bytes that encode wrote. It checks all of them.
func decodeFrame(h Header, raw []byte) (*frame, error) {
	f := &frame{}
	whole := len(raw)
	cut := func(n int) []byte {
		if n > len(raw) {
			return nil
		}
		part := raw[:n:n]
		raw = raw[n:]
		return part
	}
	head := cut(8)
	words := int(h.frameCodes()+63) / 64
	bitmap := cut(words * 8)
	if head == nil || bitmap == nil {
		return nil, errFrame
	}
	boards, bans := int(binary.LittleEndian.Uint32(head)), int(binary.LittleEndian.Uint32(head[4:]))
	if boards > int(h.frameCodes()) || bans > boards*2*h.Size.Points() || len(raw) != h.frameBytes(boards, bans) {
		return nil, errFrame
	}
	if !f.fillBits(bitmap, h.frameCodes(), boards) {
		return nil, errFrame
	}
	for range 2 * h.Loops.Planes() {
		f.values = append(f.values, cut(boards))
	}
	for range 2 * h.distances() {
		f.far = append(f.far, cut(boards))
	}
	keys := cut(3 * bans)
	for range h.Loops.Planes() {
		f.banned = append(f.banned, cut(bans))
	}
	for range h.distances() {
		f.banFar = append(f.banFar, cut(bans))
	}
	f.held = whole + 10*words + 4*bans + frameOverhead
	return f, f.fillBans(keys, boards, h.Size.Points())
}

// frameBytes is the length of a frame after its bits.
func (h Header) frameBytes(boards, bans int) int {
	bytes := h.Loops.Planes() + h.distances()
	return boards*2*bytes + bans*(3+bytes)
}

func (f *frame) fillBits(raw []byte, codes uint64, boards int) bool {
	words := len(raw) / 8
	f.bits, f.ranks = make([]uint64, words), make([]uint16, words)
	n := 0
	for i := range f.bits {
		f.bits[i], f.ranks[i] = binary.LittleEndian.Uint64(raw[8*i:]), uint16(n)
		n += bits.OnesCount64(f.bits[i])
	}
	beyond := uint64(0)
	if codes%64 != 0 {
		beyond = f.bits[words-1] >> (codes % 64)
	}
	return n == boards && beyond == 0
}

func (f *frame) fillBans(keys []byte, boards, points int) error {
	f.bans = make([]uint32, len(keys)/3)
	for i := range f.bans {
		k := keys[3*i : 3*i+3]
		f.bans[i] = uint32(k[0])<<8 | uint32(k[1])<<16 | uint32(k[2])
		at, digit := int(f.bans[i]>>8), int(f.bans[i]&0x7f)
		if at >= boards || digit >= points || i > 0 && f.bans[i] <= f.bans[i-1] {
			return errFrame
		}
	}
	return nil
}

// codes yields the boards of frame n: their indices in the frame and their
// codes.
func (t *Table) codes(n int, f *frame) iter.Seq2[int, uint64] {
	first := uint64(n) * t.header.frameCodes()
	return func(yield func(int, uint64) bool) {
		at := 0
		for i, w := range f.bits {
			for ; w != 0; w &= w - 1 {
				if !yield(at, first+uint64(i)*64+uint64(bits.TrailingZeros64(w))) {
					return
				}
				at++
			}
		}
	}
}
