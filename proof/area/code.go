package area

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// coder turns positions of one board, with the prover to move, into numbers and back.
//
// The digit of weight 3^i is the i-th point counted row by row from the bottom: 0 empty,
// 1 the prover's stone, 2 the other side's. That number times points + 2, plus 0, or the
// number of the banned point counted from 1, or points + 1 after a pass, times 3, plus
// the kind. The code of a position is the smallest over the symmetries of the board.
type coder struct {
	size   board.Size
	points []board.Point
	order  []int // of cells
	syms   []board.Symmetry
	maps   [][]int // by symmetry and index: the index of the image

	weights [][64]uint64 // by symmetry and cell: that of the image's digit
}

func newCoder(size board.Size) *coder {
	c := &coder{size: size, points: size.All(), syms: size.Symmetries(), order: make([]int, size.Cells())}
	for i, p := range c.points {
		c.order[p] = i
	}
	power := make([]uint64, len(c.points))
	for i, next := 0, uint64(1); i < len(power); i, next = i+1, 3*next {
		power[i] = next
	}
	c.weights = make([][64]uint64, len(c.syms))
	for s, sym := range c.syms {
		images := make([]int, len(c.points))
		for i, p := range c.points {
			images[i] = c.order[size.Map(sym, p)]
			c.weights[s][p] = power[images[i]]
		}
		c.maps = append(c.maps, images)
	}
	return c
}

// limit is one more than the largest code.
func (c *coder) limit() uint64 {
	limit := uint64(kinds) * uint64(len(c.points)+2)
	for range c.points {
		limit *= 3
	}
	return limit
}

// kind says what an entry is about.
type kind uint64

const (
	whole   kind = iota // a position
	oneEye              // a room in which the wall needs an eye
	twoEyes             // a room in which it needs two
	kinds
)

func kindOf(code uint64) kind { return kind(code) % kinds }

// canonical is the code of a position and the first symmetry that leads to it.
func (c *coder) canonical(p weiqi.Position, prover board.Colour, k kind) (code uint64, sym board.Symmetry) {
	own, other := p.Stones[prover][0], p.Stones[prover.Opponent()][0]
	for s, weights := range c.weights {
		value := uint64(0)
		for rest := own; rest != 0; rest &= rest - 1 {
			value += weights[bits.TrailingZeros64(rest)]
		}
		for rest := other; rest != 0; rest &= rest - 1 {
			value += 2 * weights[bits.TrailingZeros64(rest)]
		}
		value *= uint64(len(c.points) + 2)
		switch {
		case p.Ko != board.NoPoint:
			value += uint64(c.maps[s][c.order[p.Ko]] + 1)
		case p.Passes > 0:
			value += uint64(len(c.points) + 1)
		}
		if value = value*uint64(kinds) + uint64(k); s == 0 || value < code {
			code, sym = value, c.syms[s]
		}
	}
	return code, sym
}

// position is the inverse of canonical.
func (c *coder) position(code uint64, prover board.Colour) weiqi.Position {
	p := weiqi.NewPosition(c.size)
	p.ToPlay = prover
	rest := uint64(len(c.points) + 2)
	code /= uint64(kinds)
	switch tail := int(code % rest); {
	case tail == len(c.points)+1:
		p.Passes = 1
	case tail > 0:
		p.Ko = c.points[tail-1]
	}
	code /= rest
	for _, q := range c.points {
		switch code % 3 {
		case 1:
			p.Stones[prover].Add(q)
		case 2:
			p.Stones[prover.Opponent()].Add(q)
		}
		code /= 3
	}
	return p
}

func (c *coder) index(move board.Point) uint8 {
	if move == weiqi.Pass {
		return uint8(len(c.points))
	}
	return uint8(c.order[move])
}

func (c *coder) move(index uint8) board.Point {
	if int(index) >= len(c.points) {
		return weiqi.Pass
	}
	return c.points[index]
}
