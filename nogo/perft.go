package nogo

import "tengen/board"

// Perft counts the sequences of exactly depth legal moves from a position.
func Perft(p Position, c board.Colour, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var n uint64
	for q := range p.Legal(c).Points() {
		next := p
		next.Stones[c].Add(q)
		n += Perft(next, c.Opponent(), depth-1)
	}
	return n
}
