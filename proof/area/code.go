package area

import (
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
}

func newCoder(size board.Size) *coder {
	c := &coder{size: size, points: size.All(), syms: size.Symmetries(), order: make([]int, size.Cells())}
	for i, p := range c.points {
		c.order[p] = i
	}
	for _, sym := range c.syms {
		images := make([]int, len(c.points))
		for i, p := range c.points {
			images[i] = c.order[size.Map(sym, p)]
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
	digits := make([]uint64, len(c.points))
	for i, q := range c.points {
		switch p.Stones.At(q) {
		case prover:
			digits[i] = 1
		case prover.Opponent():
			digits[i] = 2
		}
	}
	image := make([]uint64, len(c.points))
	for s, images := range c.maps {
		for i, d := range digits {
			image[images[i]] = d
		}
		value := uint64(0)
		for i := len(image) - 1; i >= 0; i-- {
			value = 3*value + image[i]
		}
		value *= uint64(len(c.points) + 2)
		switch {
		case p.Ko != board.NoPoint:
			value += uint64(images[c.order[p.Ko]] + 1)
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
