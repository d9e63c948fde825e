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

// join combines the hashes of the Black and the White half. It must not be a
// sum of something of the one and something of the other: keys are added, and
// the halves of two regions could then be exchanged unnoticed.
func join(black, white Key) Key {
	a := black[0]*blackA + bits.RotateLeft64(white[0], 23)*whiteA
	b := black[1]*blackB + bits.RotateLeft64(white[1], 23)*whiteB
	return Key{scramble(a + bits.RotateLeft64(b, 32)), scramble(b ^ a>>31)}
}

// scramble is a bijection without linear structure.
func scramble(x uint64) uint64 {
	x ^= x >> 32
	x *= openB
	x ^= x >> 29
	x *= safeA
	return x ^ x>>32
}

// halves hashes each colour's masks.
func (r *Region) halves() (h [2]Key) {
	for c := range 2 {
		a, b := fold(r.Open[c], openA), fold(r.Open[c], openB)
		if s := r.Safe[c]; s != 0 {
			a += fold(s, safeA)
			b += fold(s, safeB)
		}
		for _, l := range r.Liberties[c][:r.Count[c]] {
			a += fold(l, blockA)
			b += fold(l, blockB)
		}
		h[c] = Key{a, b}
	}
	return h
}

// Raw hashes the region as it lies, for caches of what is costly to derive.
func (r *Region) Raw() Key {
	h := r.halves()
	return join(h[0], h[1])
}

// Keys are the key of the region and of its inverse, the same position with the
// colours exchanged.
//
// Of the orientations those count where the set of points open to anybody, and
// then the set of points open to both, is the least number; this choice does not
// depend on the colours. Where several tie, the least hash is taken.
func (r *Region) Keys(g nogo.Grid) (key, inverse Key) {
	b := boxOf(g, r.Points())
	tied := b.least(r.Points())
	if tied&(tied-1) != 0 {
		tied = b.leastAmong(r.Open[0]&r.Open[1], tied)
	}
	key[0], inverse[0] = ^uint64(0), ^uint64(0)
	for ; tied != 0; tied &= tied - 1 {
		h := r.image(&b, bits.TrailingZeros(tied))
		if k := join(h[0], h[1]); k[0] <= key[0] {
			key = k
		}
		if k := join(h[1], h[0]); k[0] <= inverse[0] {
			inverse = k
		}
	}
	return key, inverse
}

// image hashes the halves of the region in one orientation.
func (r *Region) image(b *box, orientation int) (h [2]Key) {
	for c := range 2 {
		x := b.turn(r.Open[c], orientation)
		p, q := fold(x, openA), fold(x, openB)
		if r.Safe[c] != 0 {
			x = b.turn(r.Safe[c], orientation)
			p += fold(x, safeA)
			q += fold(x, safeB)
		}
		for _, l := range r.Liberties[c][:r.Count[c]] {
			x = b.turn(l, orientation)
			p += fold(x, blockA)
			q += fold(x, blockB)
		}
		h[c] = Key{p, q}
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
	s := g.Stride
	low := bits.TrailingZeros64(points) / s
	high := (63 - bits.LeadingZeros64(points)) / s
	columns := points
	if s == 8 {
		columns |= columns >> 32
		columns |= columns >> 16
		columns |= columns >> 8
		columns &= 255
	} else {
		columns = 0
		for r := low; r <= high; r++ {
			columns |= points >> (r * s) & (1<<s - 1)
		}
	}
	left := bits.TrailingZeros64(columns)
	return box{rows: high - low + 1, cols: bits.Len64(columns) - left, origin: low*s + left, stride: s}
}

// least finds which orientations make the smallest number of a mask.
func (b *box) least(x uint64) (tied uint) {
	if b.stride != 8 {
		return b.leastAmong(x, 15)
	}
	var y [8]uint64
	y[0] = x >> b.origin
	y[1] = b.mirror(y[0])
	y[2] = b.flip(y[0])
	y[3] = b.flip(y[1])
	best := min(y[0], y[1], y[2], y[3])
	for i := range 4 {
		y[4+i] = transpose(y[i])
		best = min(best, y[4+i])
	}
	for i, v := range y {
		if v == best {
			tied |= 1 << i
		}
	}
	return tied
}

// leastAmong does the same for some of the orientations.
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
	x >>= b.origin
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
	return bits.ReverseBytes64(bits.Reverse64(x)) >> (8 - b.cols)
}

func (b *box) flip(x uint64) uint64 { return bits.ReverseBytes64(x) >> (64 - 8*b.rows) }

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
