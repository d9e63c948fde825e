package retro

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// MaxPoints is the largest board: the index of 3^22 codes is 4.2 GiB.
const MaxPoints = 22

// geometry holds what the sweeps need of a board: its grid, its symmetries, and
// the base-3 codes of stones under all of them.
//
// A board is coded with its points as base-3 digits, row by row from the bottom
// left: 1 for a stone of one colour, 2 for the other. The code of a set of stones
// is the sum of their powers of three, so a board has the code own + 2·other.
type geometry struct {
	size   board.Size
	grid   weiqi.Grid
	points int
	syms   int
	codes  uint64 // 3^points

	cell   []uint64     // digit → its bit on the grid
	digit  [64]uint8    // cell → digit
	image  [8][64]uint8 // symmetry, cell → digit of its image
	weight [64]image    // cell → power of three of its image, by symmetry
	set    [][256]image // byte of a set → sum of weights
	decode [3][]stones  // eight digits → stones
}

// image is a number for every symmetry of the board, the identity first.
type image [8]uint64

// stones are a board seen by the side to play.
type stones struct{ own, other uint64 }

const (
	decodeDigits = 8
	decodeCodes  = 6561 // 3^decodeDigits
)

func newGeometry(size board.Size) *geometry {
	g := &geometry{size: size, grid: weiqi.NewGrid(size), points: size.Points(), codes: 1}
	for i, p := range size.All() {
		g.cell = append(g.cell, 1<<p)
		g.digit[p] = uint8(i)
		g.codes *= 3
	}
	syms := size.Symmetries()
	g.syms = len(syms)
	power := make([]uint64, g.points)
	for i, x := 0, uint64(1); i < g.points; i, x = i+1, x*3 {
		power[i] = x
	}
	for _, p := range size.All() {
		for s, sym := range syms {
			g.image[s][p] = g.digit[size.Map(sym, p)]
			g.weight[p][s] = power[g.image[s][p]]
		}
	}
	g.fillSets()
	for part := range g.decode {
		g.fillDecode(part)
	}
	return g
}

func (g *geometry) fillSets() {
	g.set = make([][256]image, (g.size.Cells()+7)/8)
	for i := range g.set {
		for b := 1; b < 256; b++ {
			rest, low := b&(b-1), bits.TrailingZeros8(uint8(b))
			g.set[i][b] = g.set[i][rest]
			for s := range g.syms {
				g.set[i][b][s] += g.weight[i*8+low][s]
			}
		}
	}
}

func (g *geometry) fillDecode(part int) {
	first := part * decodeDigits
	digits := min(max(g.points-first, 0), decodeDigits)
	list := []stones{{}}
	for d := range digits {
		bit, n := g.cell[first+d], len(list)
		for c := 1; c <= 2; c++ {
			for _, s := range list[:n] {
				if c == 1 {
					s.own |= bit
				} else {
					s.other |= bit
				}
				list = append(list, s)
			}
		}
	}
	g.decode[part] = list
}

// board decodes a code. The side with digit 1 comes first.
func (g *geometry) board(code uint64) stones {
	a := g.decode[0][code%decodeCodes]
	code /= decodeCodes
	b := g.decode[1][code%decodeCodes]
	c := g.decode[2][code/decodeCodes]
	return stones{a.own | b.own | c.own, a.other | b.other | c.other}
}

// images is the code of a set of stones under every symmetry.
func (g *geometry) images(x uint64) image {
	var sum image
	for i := 0; x != 0; i, x = i+1, x>>8 {
		part := &g.set[i][x&255]
		for s := range g.syms {
			sum[s] += part[s]
		}
	}
	return sum
}

// place is the place of a board in the table. Boards that are images of one
// another, or the same with the colours exchanged, share the smallest of their
// codes. Side 0 has the digit 1 in that code.
type place struct {
	code uint64
	side uint8
}

// canonical is the place of the board whose side to play has the stones own. A
// board that equals its own inverse has side 0; twin reports that.
func (g *geometry) canonical(own, other *image) (at place, twin bool) {
	a, b := ^uint64(0), ^uint64(0)
	for s := range g.syms {
		x, y := own[s], other[s]
		a = min(a, x+2*y)
		b = min(b, 2*x+y)
	}
	if a <= b {
		return place{a, 0}, a == b
	}
	return place{b, 1}, false
}

// canonicalKo is the place of a board with a banned cell, and the digit of the
// ban there. Where symmetry leaves a choice, it is the smallest digit.
func (g *geometry) canonicalKo(own, other *image, ban int) (place, uint8) {
	at, _ := g.canonical(own, other)
	digit := uint8(255)
	for s := range g.syms {
		x, y := own[s], other[s]
		if at.side == 1 {
			x, y = y, x
		}
		if x+2*y == at.code {
			digit = min(digit, g.image[s][ban])
		}
	}
	return at, digit
}
