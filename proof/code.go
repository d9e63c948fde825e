package proof

import (
	"cmp"
	"math/bits"

	"tengen/board"
	"tengen/nogo"
)

// code is a position as a base-3 number: the digit of weight 3^i is the i-th
// point counted row by row from the bottom, 0 empty, 1 black, 2 white. The
// longest board, 1×63, needs 100 bits.
type code struct{ hi, lo uint64 }

func (a code) compare(b code) int {
	if d := cmp.Compare(a.hi, b.hi); d != 0 {
		return d
	}
	return cmp.Compare(a.lo, b.lo)
}

func (a code) plus(b code) code {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	return code{a.hi + b.hi + carry, lo}
}

func (a code) minus(b code) code {
	lo, borrow := bits.Sub64(a.lo, b.lo, 0)
	return code{a.hi - b.hi - borrow, lo}
}

// narrowPoints is the largest number of base-3 digits that fit one word;
// narrowPower is 3 to that power.
const (
	narrowPoints = 40
	narrowPower  = 12157665459056928801
)

// coder turns positions of one small board into codes and back. A code under
// any symmetry is a sum of table entries, one per byte of the board word, so
// the canonical form needs no permuted copy of the board.
type coder struct {
	size   board.Size
	grid   nogo.Grid
	points []board.Point // by index, row by row from the bottom
	index  [64]uint8     // the inverse of points
	bytes  int           // bytes of a board word in use
	syms   []board.Symmetry
	low    [][256]uint64 // [symmetry*bytes + byte][value]: low words of the weights
	high   [][256]uint64 // their high words; nil where all codes fit one word
	limit  code          // 3^points: one more than the largest code
}

func newCoder(size board.Size) *coder {
	c := &coder{
		size:   size,
		grid:   nogo.NewGrid(size),
		points: size.All(),
		bytes:  (size.Cells() + 7) / 8,
		syms:   size.Symmetries(),
	}
	weights := make([]code, len(c.points))
	c.limit = code{lo: 1}
	for i, p := range c.points {
		c.index[p] = uint8(i)
		weights[i] = c.limit
		c.limit = c.limit.plus(c.limit).plus(c.limit)
	}
	tables := len(c.syms) * c.bytes
	c.low = make([][256]uint64, tables)
	if len(c.points) > narrowPoints {
		c.high = make([][256]uint64, tables)
	}
	for i, sym := range c.syms {
		for b := range c.bytes {
			c.fillTable(i*c.bytes+b, sym, b, weights)
		}
	}
	return c
}

// fillTable adds up the weights of the points in a byte, one more point at a time.
func (c *coder) fillTable(table int, sym board.Symmetry, b int, weights []code) {
	var weight [8]code
	for bit := range weight {
		if p := board.Point(b*8 + bit); c.size.Contains(p) {
			weight[bit] = weights[c.index[c.size.Map(sym, p)]]
		}
	}
	var sums [256]code
	for value := 1; value < 256; value++ {
		sums[value] = sums[value&(value-1)].plus(weight[bits.TrailingZeros(uint(value))])
		c.low[table][value] = sums[value].lo
		if c.high != nil {
			c.high[table][value] = sums[value].hi
		}
	}
}

// encode is the code of s moved by the i-th symmetry.
func (c *coder) encode(s nogo.Stones, i int) code {
	if c.high == nil {
		var sum uint64
		for b, table := 0, i*c.bytes; b < c.bytes; b, table = b+1, table+1 {
			t := &c.low[table]
			sum += t[uint8(s[0]>>(8*b))] + 2*t[uint8(s[1]>>(8*b))]
		}
		return code{lo: sum}
	}
	var sum code
	for b, table := 0, i*c.bytes; b < c.bytes; b, table = b+1, table+1 {
		black, white := uint8(s[0]>>(8*b)), uint8(s[1]>>(8*b))
		w := code{c.high[table][white], c.low[table][white]}
		sum = sum.plus(code{c.high[table][black], c.low[table][black]}).plus(w).plus(w)
	}
	return sum
}

// canonical is the smallest code over the symmetries of the board, and the
// first symmetry that gives it.
func (c *coder) canonical(s nogo.Stones) (code, board.Symmetry) {
	best, sym := c.encode(s, 0), c.syms[0]
	for i := 1; i < len(c.syms); i++ {
		if k := c.encode(s, i); k.compare(best) < 0 {
			best, sym = k, c.syms[i]
		}
	}
	return best, sym
}

// decode is the inverse of encode under the identity; k is below c.limit.
func (c *coder) decode(k code) nogo.Stones {
	var s nogo.Stones
	upper, lower := bits.Div64(k.hi, k.lo, narrowPower)
	c.digits(&s, lower, 0)
	if upper != 0 {
		c.digits(&s, upper, narrowPoints)
	}
	return s
}

func (c *coder) digits(s *nogo.Stones, number uint64, index int) {
	for ; number != 0; index++ {
		next := number / 3
		switch number - 3*next {
		case 1:
			s[board.Black] |= 1 << c.points[index]
		case 2:
			s[board.White] |= 1 << c.points[index]
		}
		number = next
	}
}

// position is s in the form that the rest of the program uses.
func (c *coder) position(s nogo.Stones) nogo.Position {
	return nogo.Position{Size: c.size, Stones: board.Stones{{s[0]}, {s[1]}}}
}
