package nogo

import "tengen/board"

// Stones are the stones of a small board, one word per colour.
type Stones [2]uint64

// Grid is the geometry of a small board as the bit operations need it.
type Grid struct {
	Stride int
	Mask   uint64 // every point of the board
}

// NewGrid prepares a small board.
func NewGrid(size board.Size) Grid {
	row := uint64(1)<<size.Cols - 1
	g := Grid{Stride: size.Stride()}
	for r := range size.Rows {
		g.Mask |= row << (r * g.Stride)
	}
	return g
}

// Around is the set of points next to any point of x; x itself counts only
// where it is next to another of its points.
func (g Grid) Around(x uint64) uint64 {
	// A shift by less than 64 is one instruction. The one board with a longer stride is
	// 1×63, where a shift by 63 leaves the board as well.
	s := min(uint(g.Stride), 63) & 63
	return (x<<1 | x>>1 | x<<s | x>>s) & g.Mask
}

// Flood extends seed to all points of within that are connected to it.
func (g Grid) Flood(seed, within uint64) uint64 {
	for {
		next := (seed | g.Around(seed)) & within
		if next == seed {
			return seed
		}
		seed = next
	}
}

// Legal is the set of points where Black and where White may play.
//
// A block with a single liberty forbids that point to the opponent (capture).
// A point is open to a colour if it has an empty neighbour or touches a block of
// that colour with a second liberty; otherwise the move would be suicide.
func (g Grid) Legal(s Stones) (black, white uint64) {
	empty := g.Mask &^ (s[0] | s[1])
	roomy := g.Around(empty) & empty
	var last, strong [2]uint64
	for c := range 2 {
		for rest := s[c]; rest != 0; {
			block := g.Flood(rest&-rest, s[c])
			rest &^= block
			liberties := g.Around(block) & empty
			if liberties&(liberties-1) == 0 {
				last[c] |= liberties
			} else {
				strong[c] |= liberties
			}
		}
	}
	return empty & (roomy | strong[0]) &^ last[1], empty & (roomy | strong[1]) &^ last[0]
}

// Play puts a stone; the caller has checked that it is legal.
func (s Stones) Play(c board.Colour, point uint64) Stones {
	s[c] |= point
	return s
}
