package bucket

import (
	"math/bits"
	"unsafe"

	"tengen/internal/bigmem"
)

// Budget is an amount of memory that one or more tables share.
type Budget struct {
	limit, used int64
}

// NewBudget returns a budget of this number of bytes.
func NewBudget(bytes int64) *Budget { return &Budget{limit: bytes} }

// Limit is the number of bytes allowed.
func (b *Budget) Limit() int64 { return b.limit }

func (b *Budget) take(n int64) bool {
	if b.used+n > b.limit {
		return false
	}
	b.used += n
	return true
}

// charge takes n bytes even beyond the limit. The index of a file needs it:
// without the index the memory that the file replaces could not be freed.
func (b *Budget) charge(n int64) { b.used += n }

func (b *Budget) give(n int64) { b.used -= n }

// arena allocates blocks in one range of memory. A block is named by its 32-bit
// offset in units. Address space for the whole budget is reserved at once, and
// the budget is charged step by step as the used part grows. Unit 0 is never
// allocated, so offset 0 can mean "none".
type arena struct {
	words     *bigmem.Words
	budget    *Budget
	unitShift int      // log2 of the bytes in a unit
	next      uint32   // units allocated so far
	end       uint32   // units reserved
	charged   int64    // bytes taken from the budget
	step      int64    // bytes taken at a time
	free      []uint32 // free blocks by size in units, linked through their first 32 bits
}

const (
	minUnitShift = 3
	purpose      = "sorted bucket hash"
)

func newArena(b *Budget) (*arena, error) {
	size := max(b.limit&^7, 64)
	words, err := bigmem.Alloc(int(size/8), purpose)
	if err != nil {
		return nil, err
	}
	// Units grow with the arena so that 32 bits can count them.
	shift := max(minUnitShift, bits.Len64(uint64(size))-32)
	return &arena{
		words:     words,
		budget:    b,
		unitShift: shift,
		next:      1,
		end:       uint32(size >> shift),
		step:      min(max(b.limit/256, 4<<10), 1<<20),
	}, nil
}

// grow allocates fresh, zeroed units.
func (a *arena) grow(units uint32) (uint32, bool) {
	if units > a.end-a.next {
		return 0, false
	}
	need := int64(a.next+units)<<a.unitShift - a.charged
	if need > 0 {
		need = (need + a.step - 1) / a.step * a.step
		if !a.budget.take(need) {
			return 0, false
		}
		a.charged += need
	}
	at := a.next
	a.next += units
	return at, true
}

// alloc prefers a free block of the right size, then fresh memory, then part of
// a larger free block. The contents are unspecified.
func (a *arena) alloc(units uint32) (uint32, bool) {
	if at, ok := a.pop(units); ok {
		return at, true
	}
	if at, ok := a.grow(units); ok {
		return at, true
	}
	for size := units + 1; int(size) < len(a.free); size++ {
		if at, ok := a.pop(size); ok {
			a.release(at+units, size-units)
			return at, true
		}
	}
	return 0, false
}

func (a *arena) pop(units uint32) (uint32, bool) {
	if int(units) >= len(a.free) || a.free[units] == 0 {
		return 0, false
	}
	at := a.free[units]
	a.free[units] = uint32(*a.link(at))
	return at, true
}

// release returns a block for reuse.
func (a *arena) release(at, units uint32) {
	for int(units) >= len(a.free) {
		a.free = append(a.free, 0)
	}
	*a.link(at) = uint64(a.free[units])
	a.free[units] = at
}

func (a *arena) link(at uint32) *uint64 {
	return &a.words.Data[uint64(at)<<(a.unitShift-3)]
}

// bytes is the memory in use, free blocks included.
func (a *arena) bytes() int64 {
	return int64(a.next)<<a.unitShift + int64(cap(a.free))*4
}

func (a *arena) close() {
	a.words.Free()
	a.budget.give(a.charged)
	a.charged = 0
}

// view is the arena as an array of another integer type.
func view[T uint16 | uint32 | uint64](a *arena) []T {
	words := a.words.Data
	var t T
	n := len(words) * 8 / int(unsafe.Sizeof(t))
	return unsafe.Slice((*T)(unsafe.Pointer(&words[0])), n)
}
