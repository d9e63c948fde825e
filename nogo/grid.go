package nogo

import "tengen/board"

// Stones holds the stones of a small board, one machine word per colour.
type Stones [2]uint64

// Grid is a small board with the rules of NoGo on bits.
type Grid struct{ board.Grid }

// NewGrid prepares a small board.
func NewGrid(size board.Size) Grid { return Grid{board.NewGrid(size)} }

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

// Play puts a stone. The caller must have checked that the move is legal.
func (s Stones) Play(c board.Colour, point uint64) Stones {
	s[c] |= point
	return s
}
