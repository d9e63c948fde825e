package strip

import "math/bits"

// most is the largest number of parts of a sum: the sums are the results of a
// move in a strip with MaxBounds points, and a part that is not an integer has at
// least two points.
const most = (MaxBounds - 1) / 2

// part is a strip in a sum, with its bounds. It is not an integer.
type part struct {
	strip     Strip
	id        uint32 // place of its bounds; the last bit is set for the inverse
	low, high int8
}

// find looks a strip up.
func (l layers) find(s Strip) (p part, b Bounds) {
	if s.n < 2 {
		return part{}, Bounds{}
	}
	index, inverse := s.place()
	b = unpack(l[s.n][index])
	id := uint32(2*(powers[s.n-1]-1)+index) << 1 // after the entries of all layers before
	if inverse {
		b = b.Inverse()
		id |= 1
	}
	return part{s, id, int8(b.Low), int8(b.High)}, b
}

// sum is a sum of strips and a balance of free moves. The strips are in ascending
// order, and none is an integer: integers become free moves. Parts with the same
// entry all have one sign, because opposite parts cancel.
type sum struct {
	parts [most]part
	count int
	free  int
}

// add puts a strip into the sum, next to equal strips or against its inverse. If
// the reverse or inverse of a strip has its own entry, it is not recognised as
// such. Looking for it costs more than it saves.
func (x *sum) add(s Strip, table layers) {
	p, b := table.find(s)
	if b.Integer() {
		x.free += b.Low
		return
	}
	at := x.count
	for at > 0 && x.parts[at-1].id>>1 > p.id>>1 {
		at--
	}
	if at > 0 && x.parts[at-1].id == p.id^1 {
		x.remove(at - 1)
		return
	}
	copy(x.parts[at+1:x.count+1], x.parts[at:x.count])
	x.parts[at] = p
	x.count++
}

func (x *sum) remove(i int) {
	x.count--
	copy(x.parts[i:x.count], x.parts[i+1:x.count+1])
}

// invert exchanges the colours. The order stays, as it does not depend on signs.
func (x *sum) invert() {
	x.free = -x.free
	for i := range x.parts[:x.count] {
		p := &x.parts[i]
		*p = part{p.strip.Inverse(), p.id ^ 1, -p.high, -p.low}
	}
}

// span encloses a number.
type span struct {
	least, greatest int
}

// lows and highs enclose the two bounds of the sum without its free moves.
//
// The bounds of the parts add up to bounds of the sum, but perhaps not to the
// best. If the sum is ≥ k, then each part is ≥ k less the High of all others. The
// widest part gives the strongest condition.
func (x *sum) lows() span {
	low, high, widest := x.reach()
	return span{low, high - widest}
}

func (x *sum) highs() span {
	low, high, widest := x.reach()
	return span{low + widest, high}
}

// reach adds up the bounds and finds the greatest distance between two.
func (x *sum) reach() (low, high, widest int) {
	for i := range x.count {
		p := &x.parts[i]
		low += int(p.low)
		high += int(p.high)
		widest = max(widest, int(p.high-p.low))
	}
	return low, high, widest
}

// key identifies a sum without its free moves.
type key [most]uint32

func (x *sum) key() (k key) {
	for i := range x.count {
		k[i] = x.parts[i].id
	}
	return k
}

func (k *key) hash() uint64 {
	h := uint64(0)
	for i := 0; i < len(k) && k[i] != 0; i += 2 {
		hi, lo := bits.Mul64(h^(uint64(k[i])<<32|uint64(k[i+1])), 0x9e3779b97f4a7c15)
		h = hi ^ lo
	}
	return h
}
