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

// image is a number for every symmetry of the board, the identity first. On a row, which
// has two symmetries, the identity fills places up to fewSyms: loops of a constant length
// are faster.
type image [8]uint64

// fewSyms is the number of symmetries of a rectangle that is not a square.
const fewSyms = 4

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
		for s := len(syms); s < fewSyms; s++ {
			g.weight[p][s] = g.weight[p][0]
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
			for s, w := range g.weight[i*8+low] {
				g.set[i][b][s] += w
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
		for s := range fewSyms {
			sum[s] += part[s]
		}
		if g.syms > fewSyms {
			for s := fewSyms; s < len(sum); s++ {
				sum[s] += part[s]
			}
		}
	}
	return sum
}

// faces are the codes of a board under every symmetry: as it is, where own has the digit
// 1, and with the colours exchanged.
func (g *geometry) faces(b stones) (same, inverse image) {
	for i, x, y := 0, b.own, b.other; x|y != 0; i, x, y = i+1, x>>8, y>>8 {
		own, other := &g.set[i][x&255], &g.set[i][y&255]
		for s := range fewSyms {
			same[s] += own[s] + 2*other[s]
			inverse[s] += 2*own[s] + other[s]
		}
		if g.syms > fewSyms {
			for s := fewSyms; s < len(same); s++ {
				same[s] += own[s] + 2*other[s]
				inverse[s] += 2*own[s] + other[s]
			}
		}
	}
	return same, inverse
}

// place is the place of a board in the table. Boards that are images of one
// another, or the same with the colours exchanged, share the smallest of their
// codes. Side 0 has the digit 1 in that code.
type place struct {
	code uint64
	side uint8
}

// canonical is the place of a board with these faces. A board that equals its own inverse
// has side 0; twin reports that.
func (g *geometry) canonical(same, inverse *image) (at place, twin bool) {
	a, b := same[0], inverse[0]
	for s := 1; s < g.syms; s++ {
		a, b = min(a, same[s]), min(b, inverse[s])
	}
	return placeOf(a, b), a == b
}

// placeOf chooses between the smallest code of a board and that of its inverse.
func placeOf(same, inverse uint64) place {
	if same <= inverse {
		return place{same, 0}
	}
	return place{inverse, 1}
}

// canonicalWith is the place of a board that differs by one stone from one with these faces:
// its codes are larger by the weights of the stone, times a factor for each face.
func (g *geometry) canonicalWith(same, inverse, stone *image, timesSame, timesInverse uint64) place {
	a, b := same[0]+timesSame*stone[0], inverse[0]+timesInverse*stone[0]
	for s := 1; s < fewSyms; s++ {
		a, b = min(a, same[s]+timesSame*stone[s]), min(b, inverse[s]+timesInverse*stone[s])
	}
	if g.syms > fewSyms {
		for s := fewSyms; s < len(stone); s++ {
			a, b = min(a, same[s]+timesSame*stone[s]), min(b, inverse[s]+timesInverse*stone[s])
		}
	}
	return placeOf(a, b)
}

// canonicalKo is the place of a board with a banned cell, and the digit of the
// ban there. Where symmetry leaves a choice, it is the smallest digit.
func (g *geometry) canonicalKo(same, inverse *image, ban int) (place, uint8) {
	at, _ := g.canonical(same, inverse)
	codes := same
	if at.side == 1 {
		codes = inverse
	}
	digit := uint8(255)
	for s := range g.syms {
		if codes[s] == at.code {
			digit = min(digit, g.image[s][ban])
		}
	}
	return at, digit
}
