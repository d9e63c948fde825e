package tablebase

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"sync/atomic"
	"unsafe"

	"tengen/internal/bigmem"
)

// resident is the source that holds the value of every position in memory. A lookup
// costs two cache misses, or a few more with a ban. The value is computed once, when
// the table is read, and not once for every move that leads to the position.
//
// A cell is two machine words for the 81 codes that differ only in the lowest four
// digits. It has a bit for each code, and in its highest 32 bits the number of its
// first board. Boards are numbered in the order in which their frames are read,
// which depends on the threads.
type resident struct {
	t      *Table
	width  uint64 // bytes of an outcome
	memory []*bigmem.Words
	cells  []uint64
	values []byte   // outcomes: board, side
	keys   []uint32 // bans as in their frame
	banned []byte   // outcomes: ban
	places []place  // by frame

	boards, bans atomic.Uint64 // read so far
}

// place says where the boards and bans of a frame begin, and its number of bans.
type place struct {
	board, ban, bans uint64
}

const (
	cellCodes = 81
	cellWords = 2
)

// cells is the number of cells up to the last frame with boards.
func (t *Table) cells() uint64 {
	last := t.header.frames() - 1
	for last > 0 && t.offsets[last] == t.offsets[last+1] {
		last--
	}
	return (uint64(last+1)*t.header.frameCodes() + cellCodes - 1) / cellCodes
}

// outcomeBytes is the size of an outcome in memory.
func (h Header) outcomeBytes() uint64 {
	return uint64(h.Loops.Planes() + h.distances())
}

// residentBytes is the memory that a resident source takes.
func (t *Table) residentBytes() int64 {
	h, width := t.header, t.header.outcomeBytes()
	return int64(8*cellWords*t.cells() + 2*width*h.Boards + (4+width)*h.Bans + uint64(unsafe.Sizeof(place{}))*uint64(h.frames()))
}

// newResident reads the whole table on several threads. It calls report with the
// bytes of each frame.
func newResident(ctx context.Context, t *Table, threads int, report func(bytes int)) (*resident, error) {
	h := t.header
	r := &resident{t: t, width: h.outcomeBytes(), places: make([]place, h.frames())}
	var errs [4]error
	r.cells, errs[0] = reserve[uint64](r, cellWords*t.cells())
	r.values, errs[1] = reserve[byte](r, 2*r.width*h.Boards)
	r.keys, errs[2] = reserve[uint32](r, h.Bans)
	r.banned, errs[3] = reserve[byte](r, r.width*h.Bans)
	err := errors.Join(errs[:]...)
	if err == nil {
		err = t.eachFrame(ctx, 0, t.Frames(), threads, func(_, n int, f *frame) error {
			report(t.bytes(n, n+1))
			return r.add(n, f)
		})
	}
	if err != nil {
		r.free()
		return nil, err
	}
	return r, nil
}

// reserve takes memory outside the heap for n items, at least one.
func reserve[T uint64 | uint32 | byte](r *resident, n uint64) ([]T, error) {
	var item T
	size := uint64(unsafe.Sizeof(item))
	words, err := bigmem.Alloc(int((n*size+7)/8+1), "values to verify")
	if err != nil {
		return nil, err
	}
	r.memory = append(r.memory, words)
	return unsafe.Slice((*T)(unsafe.Pointer(&words.Data[0])), n), nil
}

func (r *resident) free() {
	for _, words := range r.memory {
		words.Free()
	}
}

// add adds the boards and bans of a frame.
func (r *resident) add(n int, f *frame) error {
	h := r.t.header
	boards, bans := uint64(len(f.values[0])), uint64(len(f.bans))
	at := place{r.boards.Add(boards) - boards, r.bans.Add(bans) - bans, bans}
	if at.board+boards > h.Boards || at.ban+bans > h.Bans {
		return wrong("%s holds more than the %d boards and %d bans its header says", r.t.path, h.Boards, h.Bans)
	}
	r.places[n] = at
	copy(r.keys[at.ban:], f.bans)
	ban := 0
	for i, code := range r.t.codes(n, f) {
		r.mark(code, at.board+uint64(i))
		score := r.t.grid.Score(r.t.coder.stones(code))
		scores := [2]int{score, -score}
		for side := range uint8(2) {
			k := r.t.kept(f, i, side)
			r.put(r.values, 2*(at.board+uint64(i))+uint64(side), r.t.valueOf(&k, scores[side], 0))
		}
		for ; ban < len(f.bans) && int(f.bans[ban]>>8) == i; ban++ {
			side := uint8(f.bans[ban] >> 7 & 1)
			k := r.t.kept(f, i, side)
			r.t.banned(&k, f, ban)
			r.put(r.banned, at.ban+uint64(ban), r.t.valueOf(&k, scores[side], 0))
		}
	}
	return nil
}

// mark enters a board into its cell; boards come in ascending order.
func (r *resident) mark(code, number uint64) {
	cell := r.cells[code/cellCodes*cellWords:][:cellWords]
	if cell[0] == 0 && cell[1] == 0 {
		cell[1] = number << 32
	}
	bit := code % cellCodes
	cell[bit/64] |= 1 << (bit % 64)
}

// number is the number of a board, if it is there.
func (r *resident) number(code uint64) (uint64, bool) {
	at := code / cellCodes * cellWords
	if at >= uint64(len(r.cells)) {
		return 0, false
	}
	cell := r.cells[at:][:cellWords]
	bit := code % cellCodes
	// One of these is the bit of the code and the other is 0. This avoids a branch
	// that no processor could predict.
	low, high := uint64(1)<<bit, uint64(1)<<(bit-64)
	before := bits.OnesCount64(cell[0]&(low-1)) + bits.OnesCount64(cell[1]&(high-min(high, 1)))
	return cell[1]>>32 + uint64(before), cell[0]&low|cell[1]&high != 0
}

// fill looks up all numbers and then all values, so that several cache misses
// overlap.
func (r *resident) fill(list []successor) error {
	var numbers [2 * MaxPoints]uint64
	for i := range list {
		n := &list[i]
		numbers[i], n.found = r.number(n.code)
	}
	for i := range list {
		n := &list[i]
		switch {
		case !n.found:
		case n.ban == noBan:
			n.outcome = r.get(r.values, 2*numbers[i]+uint64(n.side))
		default:
			n.outcome, n.found = r.getBan(n.slot, numbers[i])
		}
	}
	return nil
}

// getBan is the outcome of a ban, if it is there.
func (r *resident) getBan(s slot, number uint64) (outcome, bool) {
	at := r.places[r.t.header.frameOf(s.code)]
	keys := r.keys[at.ban:][:at.bans]
	j, found := slices.BinarySearch(keys, banKey(int(number-at.board), s.side, s.ban))
	if !found {
		return outcome{}, false
	}
	return r.get(r.banned, at.ban+uint64(j)), true
}

// put writes an outcome: the value of each plane, and the distances if there are any.
func (r *resident) put(to []byte, i uint64, v Value) {
	o := r.t.outcome(v)
	to = to[i*r.width:][:r.width]
	planes := r.t.header.Loops.Planes()
	for plane := range planes {
		to[plane] = byte(o.value[plane])
	}
	copy(to[planes:], o.far[:])
}

// get reads an outcome that put wrote.
func (r *resident) get(from []byte, i uint64) outcome {
	var o outcome
	if r.width == 1 { // loops drawn, and no distances
		o.value[0] = int8(from[i])
		return o
	}
	from = from[i*r.width:][:r.width]
	planes := r.t.header.Loops.Planes()
	for plane := range planes {
		o.value[plane] = int8(from[plane])
	}
	copy(o.far[:], from[planes:])
	return o
}
