package gosearch

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// MaxPoints bounds the boards of this package: with 36 points a position, its ban,
// its pass and its side to play are one exact number of 64 bits.
const MaxPoints = 36

// geometry holds the parts of the search that depend only on the board size: the rules
// on bits, and the tables that number positions.
type geometry struct {
	size   board.Size
	grid   weiqi.Grid
	points int
	chunks int
	// digits has, for every chunk of a word and its bits, the sum of powers of three
	// under each symmetry.
	digits [][1 << chunkBits][maxSymmetries]uint64
	syms   int
	number [64][maxSymmetries]uint8 // the image of a point, counted from 1
	image  [maxSymmetries][64]uint8 // the same as a cell
	from   [maxSymmetries][64]uint8 // where a cell comes from
}

const (
	chunkBits     = 9
	maxSymmetries = 8
)

func newGeometry(size board.Size) *geometry {
	g := &geometry{size: size, grid: weiqi.NewGrid(size), points: size.Points()}
	all := size.All()
	var power [64]uint64
	var number [64]uint8
	for i, value := 0, uint64(1); i < len(all); i, value = i+1, value*3 {
		power[all[i]], number[all[i]] = value, uint8(i+1)
	}
	symmetries := size.Symmetries()
	g.syms = len(symmetries)
	g.chunks = (size.Cells() + chunkBits - 1) / chunkBits
	g.digits = make([][1 << chunkBits][maxSymmetries]uint64, g.chunks)
	for s, sym := range symmetries {
		for _, p := range all {
			image := size.Map(sym, p)
			g.number[p][s], g.image[s][p], g.from[s][image] = number[image], uint8(image), uint8(p)
		}
		for c := range g.digits {
			for b := range g.digits[c] {
				for rest := uint64(b); rest != 0; rest &= rest - 1 {
					p := board.Point(c*chunkBits + bits.TrailingZeros64(rest))
					if size.Contains(p) {
						g.digits[c][b][s] += power[size.Map(sym, p)]
					}
				}
			}
		}
	}
	return g
}

// wanted is the number of points that a score takes.
func (g *geometry) wanted(score int) int { return (score + g.points + 1) / 2 }

// state is a position as a proof sees it: the stones of the prover and of the other
// side.
type state struct {
	own, other uint64
	ko         uint64 // the point where the side to play may not retake, or 0
	reply      bool   // the other side is to play
	passed     bool   // the last move was a pass
}

// key is an exact number of a state up to symmetry, never 0, and a symmetry that leads
// to the image that has it.
func (g *geometry) key(s *state) (key uint64, sym uint8) {
	var sums [maxSymmetries]uint64
	own, other := s.own, s.other
	for c := range g.digits {
		a, b := &g.digits[c][own&(1<<chunkBits-1)], &g.digits[c][other&(1<<chunkBits-1)]
		own >>= chunkBits
		other >>= chunkBits
		for i := range sums {
			sums[i] += a[i] + 2*b[i]
		}
	}
	const rest = 2 * (MaxPoints + 2) // a ban, a pass or neither; and the side to play
	var tail uint64
	if s.passed {
		tail = 2 * (MaxPoints + 1)
	}
	if s.reply {
		tail++
	}
	least := ^uint64(0)
	for i, v := range sums[:g.syms] {
		v = v*rest + tail
		if s.ko != 0 {
			v += 2 * uint64(g.number[bits.TrailingZeros64(s.ko)][i])
		}
		if v < least {
			least, sym = v, uint8(i)
		}
	}
	return mix(least + 1), sym
}

// mix is a bijection that spreads a number over all bits. It maps 0 to 0.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}

// after is the state one stone later.
func (s *state) after(m weiqi.Stone) state {
	if s.reply {
		return state{own: s.own &^ m.Taken, other: s.other | m.Point, ko: m.Ban}
	}
	return state{own: s.own | m.Point, other: s.other &^ m.Taken, ko: m.Ban, reply: true}
}

// afterPass is the state one pass later; the game must not end by it.
func (s *state) afterPass() state {
	return state{own: s.own, other: s.other, reply: !s.reply, passed: true}
}
