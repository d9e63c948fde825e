package tablebase

import "tengen/board"

// coder finds where a position is kept. The code of a board has one base-3 digit
// for each point, A1 the lowest, row by row: 1 for a stone of one side, 2 for a
// stone of the other. A board, its symmetric images, and all of these with the
// sides exchanged are kept once, under the smallest of their codes.
//
// The code of a board is a sum over its stones. So one table lookup codes a byte
// of a set of stones, under all symmetries at once.
type coder struct {
	points []board.Point
	syms   int
	digit  [8][64]uint8     // symmetry, cell → digit of the image
	bytes  [][256]image     // byte of a set, its content → codes
	chunks [][chunk]ternary // chunk of a code, its digits → stones
}

// image holds the code of a set of stones under each symmetry, with digit 1 for
// every stone.
type image [8]uint64

// ternary is a part of a board: the cells with digit 1 and those with digit 2.
type ternary struct{ ones, twos uint64 }

// chunk is the number of codes of five digits.
const (
	chunkDigits = 5
	chunk       = 243
)

func newCoder(size board.Size) *coder {
	syms := size.Symmetries()
	c := &coder{points: size.All(), syms: len(syms)}
	var place [64]uint8
	for i, p := range c.points {
		place[p] = uint8(i)
	}
	for s, sym := range syms {
		for _, p := range c.points {
			c.digit[s][p] = place[size.Map(sym, p)]
		}
	}
	c.fillBytes(size)
	c.fillChunks()
	return c
}

func (c *coder) fillBytes(size board.Size) {
	c.bytes = make([][256]image, (size.Cells()+7)/8)
	for _, p := range c.points {
		table := &c.bytes[p/8]
		for content := range table {
			if content>>(p%8)&1 == 0 {
				continue
			}
			for s := range c.syms {
				table[content][s] += power3(int(c.digit[s][p]))
			}
		}
	}
}

func (c *coder) fillChunks() {
	c.chunks = make([][chunk]ternary, (len(c.points)+chunkDigits-1)/chunkDigits)
	for i, p := range c.points {
		table := &c.chunks[i/chunkDigits]
		weight := int(power3(i % chunkDigits))
		for code := range table {
			switch code / weight % 3 {
			case 1:
				table[code].ones |= 1 << p
			case 2:
				table[code].twos |= 1 << p
			}
		}
	}
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
	x, y := c.image(own), c.image(other)
	best := slot{ban: noBan}
	best.code, best.side = c.smallest(&x, &y, &image{})
	if ban < 0 {
		return best
	}
	if best.side == 1 {
		x, y = y, x
	}
	for s := range c.syms {
		if x[s]+2*y[s] == best.code {
			best.ban = min(best.ban, c.digit[s][ban])
		}
	}
	return best
}

// smallest is the smallest code of a board, and the side that the stones of x have
// in it. The stones of y and of more belong to the other side.
func (c *coder) smallest(x, y, more *image) (code uint64, side uint8) {
	a, b := ^uint64(0), ^uint64(0)
	for s := range x[:c.syms] {
		own, other := x[s], y[s]+more[s]
		a = min(a, own+2*other)
		b = min(b, 2*own+other)
	}
	if a <= b {
		return a, 0
	}
	return b, 1
}

// image codes a set of stones.
func (c *coder) image(stones uint64) image {
	var sum image
	for i := range c.bytes {
		part := &c.bytes[i][uint8(stones>>(8*i))]
		for s := range sum[:c.syms] {
			sum[s] += part[s]
		}
	}
	return sum
}

// stones is the board of a code: the cells with digit 1 and those with digit 2.
func (c *coder) stones(code uint64) (ones, twos uint64) {
	for i := range c.chunks {
		part := &c.chunks[i][code%chunk]
		ones |= part.ones
		twos |= part.twos
		code /= chunk
	}
	return ones, twos
}

// images counts the different boards among the images of a board. It also reports
// whether the board is an image of itself with the sides exchanged. The arguments
// are the images of the stones of both sides.
func (c *coder) images(x, y *image) (n int, twin bool) {
	same := 0 // symmetries that leave the board as it is
	for s := range c.syms {
		code := x[s] + 2*y[s]
		if code == x[0]+2*y[0] {
			same++
		}
		twin = twin || code == 2*x[0]+y[0]
	}
	return c.syms / same, twin
}
