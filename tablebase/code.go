package tablebase

import (
	"math/bits"

	"tengen/board"
)

// coder finds where a position is kept. A board is coded with its points as base-3
// digits, A1 the lowest, row by row: 1 for a stone of one side, 2 for one of the
// other. Of a board, its images under the symmetries of the size, and all of these
// with the sides exchanged, the smallest code is kept.
type coder struct {
	points []board.Point
	syms   []board.Symmetry
	digit  [][64]uint8  // symmetry, cell → digit of the image
	weight [][64]uint64 // symmetry, cell → 3^digit
}

func newCoder(size board.Size) *coder {
	c := &coder{points: size.All(), syms: size.Symmetries()}
	var place [64]uint8
	for i, p := range c.points {
		place[p] = uint8(i)
	}
	c.digit = make([][64]uint8, len(c.syms))
	c.weight = make([][64]uint64, len(c.syms))
	for s, sym := range c.syms {
		for _, p := range c.points {
			d := place[size.Map(sym, p)]
			c.digit[s][p], c.weight[s][p] = d, power3(int(d))
		}
	}
	return c
}

// slot is where a position is kept: a code, which side of it is to play (0 for the
// side with digit 1), and the digit of the banned point or noBan.
type slot struct {
	code uint64
	side uint8
	ban  uint8
}

const noBan = 255

// find is the slot of a position; ban is a cell or negative. Where symmetry leaves
// a choice it is the smallest code, then the smaller side, then the smallest ban.
func (c *coder) find(own, other uint64, ban int) slot {
	best := slot{^uint64(0), 0, noBan}
	for s := range c.syms {
		x, y := c.sum(s, own), c.sum(s, other)
		digit := uint8(noBan)
		if ban >= 0 {
			digit = c.digit[s][ban]
		}
		for side, code := range [2]uint64{x + 2*y, 2*x + y} {
			at := slot{code, uint8(side), digit}
			if at.less(best) {
				best = at
			}
		}
	}
	return best
}

func (a slot) less(b slot) bool {
	if a.code != b.code {
		return a.code < b.code
	}
	if a.side != b.side {
		return a.side < b.side
	}
	return a.ban < b.ban
}

// sum is the code of a set of stones with digit 1 under a symmetry.
func (c *coder) sum(s int, stones uint64) uint64 {
	total := uint64(0)
	for ; stones != 0; stones &= stones - 1 {
		total += c.weight[s][bits.TrailingZeros64(stones)]
	}
	return total
}

// stones is the board of a code: the cells with digit 1 and those with digit 2.
func (c *coder) stones(code uint64) (ones, twos uint64) {
	for _, p := range c.points {
		switch code % 3 {
		case 1:
			ones |= 1 << p
		case 2:
			twos |= 1 << p
		}
		code /= 3
	}
	return ones, twos
}

// images counts the different boards among the images of one, and reports whether
// it is an image of its own inverse.
func (c *coder) images(ones, twos uint64) (n int, twin bool) {
	var seen [8]uint64
	inverse := c.sum(0, twos) + 2*c.sum(0, ones)
next:
	for s := range c.syms {
		code := c.sum(s, ones) + 2*c.sum(s, twos)
		twin = twin || code == inverse
		for _, old := range seen[:n] {
			if old == code {
				continue next
			}
		}
		seen[n] = code
		n++
	}
	return n, twin
}
