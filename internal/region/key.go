package region

import (
	"math/bits"

	"tengen/nogo"
)

// Key identifies a region up to translation and the symmetries of the plane, or
// a sum of regions if keys are added. It is a hash of 128 bits.
type Key [2]uint64

// Add is the key of a sum.
func (k Key) Add(m Key) Key { return Key{k[0] + m[0], k[1] + m[1]} }

// Multipliers of the hash: arbitrary odd constants, one pair for each kind of mask.
const (
	openA  = 0x9e3779b97f4a7c15
	openB  = 0xc2b2ae3d27d4eb4f
	safeA  = 0x165667b19e3779f9
	safeB  = 0xd6e8feb86659fd93
	blockA = 0xa0761d6478bd642f
	blockB = 0xe7037ed1a0b428db
	blackA = 0x8ebc6af09c88c6e3
	blackB = 0x589965cc75374cc3
	whiteA = 0x1d8e4e27c47d124f
	whiteB = 0xeb44accab455d165
)

func fold(x, k uint64) uint64 {
	hi, lo := bits.Mul64(x^(k>>7), k)
	return hi ^ lo
}

// half is a hash of the masks of one colour.
type half struct{ a, b uint64 }

// add takes in a mask. The multipliers depend on the kind of the mask.
func (h *half) add(x, kindA, kindB uint64) {
	h.a += fold(x, kindA)
	h.b += fold(x, kindB)
}

// join combines the hashes of the Black and the White half. It must not be a sum of
// a Black term and a White term. Keys are added, and such keys would not change if
// two regions exchanged their halves.
func join(black, white half) (x, y uint64) {
	a := black.a*blackA + bits.RotateLeft64(white.a, 23)*whiteA
	b := black.b*blackB + bits.RotateLeft64(white.b, 23)*whiteB
	return scramble(a + bits.RotateLeft64(b, 32)), scramble(b ^ a>>31)
}

// scramble is a bijection without linear structure.
func scramble(x uint64) uint64 {
	x ^= x >> 32
	x *= openB
	x ^= x >> 29
	x *= safeA
	return x ^ x>>32
}

// Keys are the key of the region and of its inverse, the same position with the
// colours exchanged.
//
// Keys uses the orientations in which the set of points open to anybody is the
// least number, and among those the ones in which the set of points open to both is
// the least. This choice does not depend on the colours. Where several orientations
// tie, the least hash is taken.
func (r *Region) Keys(g nogo.Grid) (key, inverse Key) {
	points := r.Points()
	b := boxOf(g, points)
	tied := uint(1) // enough for a single point
	if points&(points-1) != 0 {
		tied = b.least(points)
	}
	if tied&(tied-1) != 0 {
		tied = b.leastAmong(r.Open[0]&r.Open[1], tied)
	}
	key[0], inverse[0] = ^uint64(0), ^uint64(0)
	for ; tied != 0; tied &= tied - 1 {
		o := bits.TrailingZeros(tied)
		black, white := r.image(0, &b, o), r.image(1, &b, o)
		if x, y := join(black, white); x <= key[0] {
			key = Key{x, y}
		}
		if x, y := join(white, black); x <= inverse[0] {
			inverse = Key{x, y}
		}
	}
	return key, inverse
}

// image hashes the masks of a colour in one orientation.
func (r *Region) image(c int, b *box, orientation int) half {
	var h half
	h.add(b.turn(r.Open[c], orientation), openA, openB)
	if r.Safe[c] != 0 {
		h.add(b.turn(r.Safe[c], orientation), safeA, safeB)
	}
	for _, l := range r.Liberties[c][:r.Count[c]] {
		h.add(b.turn(l, orientation), blockA, blockB)
	}
	return h
}

// box is a bounding box on a grid. On grids of stride 8 it can be transposed.
type box struct {
	rows, cols int
	origin     int
	stride     int
}

func boxOf(g nogo.Grid, points uint64) box {
	if g.Stride != 8 {
		return wideBoxOf(g.Stride, points)
	}
	top := bits.TrailingZeros64(points) >> 3
	bottom := (63 - bits.LeadingZeros64(points)) >> 3
	columns := points | points>>32
	columns |= columns >> 16
	columns |= columns >> 8
	columns &= 255
	left := bits.TrailingZeros64(columns)
	return box{rows: bottom - top + 1, cols: bits.Len64(columns) - left, origin: top<<3 + left, stride: 8}
}

func wideBoxOf(stride int, points uint64) box {
	top := bits.TrailingZeros64(points) / stride
	bottom := (63 - bits.LeadingZeros64(points)) / stride
	columns := uint64(0)
	for r := top; r <= bottom; r++ {
		columns |= points >> (r * stride) & (1<<stride - 1)
	}
	left := bits.TrailingZeros64(columns)
	return box{rows: bottom - top + 1, cols: bits.Len64(columns) - left, origin: top*stride + left, stride: stride}
}

// least finds the orientations in which a mask is the smallest number.
func (b *box) least(x uint64) (tied uint) {
	if b.stride != 8 {
		return b.leastAmong(x, 15)
	}
	y0 := x >> (b.origin & 63)
	y1 := b.mirror(y0)
	y2 := b.flip(y0)
	y3 := b.flip(y1)
	y4, y5, y6, y7 := transpose(y0), transpose(y1), transpose(y2), transpose(y3)
	best := min(min(y0, y1), min(y2, y3), min(y4, y5), min(y6, y7))
	return same(y0, best) | same(y1, best)<<1 | same(y2, best)<<2 | same(y3, best)<<3 |
		same(y4, best)<<4 | same(y5, best)<<5 | same(y6, best)<<6 | same(y7, best)<<7
}

// same is 1 if x and y are equal. It has no branch, because the branch would be
// unpredictable.
func same(x, y uint64) uint {
	var one uint
	if x == y {
		one = 1
	}
	return one
}

// leastAmong is least for some of the orientations.
func (b *box) leastAmong(x uint64, among uint) (tied uint) {
	best := ^uint64(0)
	for ; among != 0; among &= among - 1 {
		o := bits.TrailingZeros(among)
		y := b.turn(x, o)
		if y < best {
			best, tied = y, 0
		}
		if y == best {
			tied |= 1 << o
		}
	}
	return tied
}

// turn moves a mask to the corner of the board in an orientation: bit 0 mirrors
// left and right, bit 1 top and bottom, bit 2 then transposes.
func (b *box) turn(x uint64, orientation int) uint64 {
	x >>= b.origin & 63
	if b.stride != 8 {
		return b.turnWide(x, orientation)
	}
	if orientation&1 != 0 {
		x = b.mirror(x)
	}
	if orientation&2 != 0 {
		x = b.flip(x)
	}
	if orientation&4 != 0 {
		x = transpose(x)
	}
	return x
}

func (b *box) mirror(x uint64) uint64 {
	x = x>>1&0x5555555555555555 | x&0x5555555555555555<<1
	x = x>>2&0x3333333333333333 | x&0x3333333333333333<<2
	x = x>>4&0x0f0f0f0f0f0f0f0f | x&0x0f0f0f0f0f0f0f0f<<4
	return x >> ((8 - b.cols) & 63)
}

func (b *box) flip(x uint64) uint64 { return bits.ReverseBytes64(x) >> ((64 - 8*b.rows) & 63) }

// turnWide reverses the order of the rows, of the whole, or of both.
func (b *box) turnWide(x uint64, orientation int) uint64 {
	if orientation&1 != 0 {
		x = bits.Reverse64(x) >> (64 - (b.rows-1)*b.stride - b.cols)
	}
	if orientation&2 != 0 && b.rows > 1 {
		row := uint64(1)<<b.stride - 1
		var out uint64
		for r := range b.rows {
			out |= x >> (r * b.stride) & row << ((b.rows - 1 - r) * b.stride)
		}
		x = out
	}
	return x
}

// transpose exchanges rows and columns of an 8×8 mask.
func transpose(x uint64) uint64 {
	t := (x ^ x>>7) & 0x00aa00aa00aa00aa
	x ^= t ^ t<<7
	t = (x ^ x>>14) & 0x0000cccc0000cccc
	x ^= t ^ t<<14
	t = (x ^ x>>28) & 0x00000000f0f0f0f0
	return x ^ t ^ t<<28
}

// Mark is the key of the same regions with something else attached.
func (k Key) Mark(x uint64) Key {
	return Key{k[0] + fold(x, whiteA), k[1] + fold(x, blackB)}
}
