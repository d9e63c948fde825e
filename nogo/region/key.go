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

// join combines the hashes of the Black and the White half.
func join(black, white Key) Key {
	return Key{
		fold(black[0], blackA) + fold(white[0], whiteA) + black[1],
		fold(black[1], blackB) + fold(white[1], whiteB) + white[0],
	}
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
// Of the up to eight orientations those count where the pair (points open to
// anybody, points open to both) is least; this choice does not depend on the
// colours. Where several tie, the least hash is taken.
func (r *Region) Keys(g nogo.Grid) (key, inverse Key) {
	box := boxOf(g, r.Points())
	all, both := box.pack(r.Points()), box.pack(r.Open[0]&r.Open[1])
	var images [8][2]uint64
	n := box.orient(all, both, &images)
	least := images[0]
	for _, m := range images[1:n] {
		if m[0] < least[0] || m[0] == least[0] && m[1] < least[1] {
			least = m
		}
	}
	first := true
	for i, m := range images[:n] {
		if m != least {
			continue
		}
		h := r.image(&box, i)
		k, v := join(h[0], h[1]), join(h[1], h[0])
		if first || k[0] < key[0] {
			key = k
		}
		if first || v[0] < inverse[0] {
			inverse = v
		}
		first = false
	}
	if box.pitch != 8 {
		// Equal packed masks of boxes of different width are different regions.
		width := Key{fold(uint64(box.cols), safeA), fold(uint64(box.cols), safeB)}
		key, inverse = key.Add(width), inverse.Add(width)
	}
	return key, inverse
}

// image hashes the halves of the region in one orientation.
func (r *Region) image(b *box, orientation int) [2]Key {
	var m Region
	for c := range 2 {
		m.Open[c] = b.turn(b.pack(r.Open[c]), orientation)
		if r.Safe[c] != 0 {
			m.Safe[c] = b.turn(b.pack(r.Safe[c]), orientation)
		}
		m.Count[c] = r.Count[c]
		for i, l := range r.Liberties[c][:r.Count[c]] {
			m.Liberties[c][i] = b.turn(b.pack(l), orientation)
		}
	}
	return m.halves()
}

// box is a bounding box; masks packed into it start at its corner. Boxes of at
// most 8×8 have rows of eight bits, so that they can be transposed.
type box struct {
	rows, cols  int
	origin      int
	from, pitch int // distance of rows on the board and in the box
}

func boxOf(g nogo.Grid, points uint64) box {
	s := g.Stride
	low := bits.TrailingZeros64(points) / s
	high := (63 - bits.LeadingZeros64(points)) / s
	row := uint64(1)<<s - 1
	var columns uint64
	for r := low; r <= high; r++ {
		columns |= points >> (r * s) & row
	}
	left := bits.TrailingZeros64(columns)
	b := box{rows: high - low + 1, cols: bits.Len64(columns) - left, origin: low*s + left, from: s, pitch: 8}
	if b.rows > 8 || b.cols > 8 {
		b.pitch = b.cols
	}
	return b
}

func (b *box) pack(x uint64) uint64 {
	x >>= b.origin
	row := uint64(1)<<b.cols - 1
	var out uint64
	for r := range b.rows {
		out |= x >> (r * b.from) & row << (r * b.pitch)
	}
	return out
}

// orient lists the images of two masks in every orientation that turn knows.
func (b *box) orient(x, y uint64, out *[8][2]uint64) int {
	n := 4
	if b.pitch == 8 {
		n = 8
	}
	for i := range n {
		out[i] = [2]uint64{b.turn(x, i), b.turn(y, i)}
	}
	return n
}

// turn brings a packed mask into an orientation: bit 0 mirrors the rows, bit 1
// the columns, bit 2 then transposes.
func (b *box) turn(x uint64, orientation int) uint64 {
	if b.pitch != 8 {
		if orientation&1 != 0 {
			x = b.mirror(x)
		}
		if orientation&2 != 0 {
			x = bits.Reverse64(b.mirror(x)) >> (64 - b.rows*b.cols)
		}
		return x
	}
	if orientation&1 != 0 {
		x = bits.ReverseBytes64(bits.Reverse64(x)) >> (8 - b.cols)
	}
	if orientation&2 != 0 {
		x = bits.ReverseBytes64(x) >> (64 - 8*b.rows)
	}
	if orientation&4 != 0 {
		x = transpose(x)
	}
	return x
}

// mirror reverses every row of a packed box.
func (b *box) mirror(x uint64) uint64 {
	row := uint64(1)<<b.cols - 1
	var out uint64
	for r := range b.rows {
		line := x >> (r * b.pitch) & row
		out |= bits.Reverse64(line) >> (64 - b.cols) << (r * b.pitch)
	}
	return out
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
