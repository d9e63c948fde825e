package play

import (
	"slices"

	"tengen/board"
	"tengen/internal/player"
	"tengen/nogo"
	"tengen/proof"
)

// certificateBook lets a player follow a certificate, on both sides of it.
type certificateBook struct {
	*proof.Certificate
}

// Lookup knows the winner's positions, which the certificate lists, and the
// loser's: those that a listed move leads to, and the root.
func (b certificateBook) Lookup(p nogo.Position, c board.Colour) (board.Colour, board.Point, bool) {
	winner := b.Winner()
	if p.Size != b.Size() {
		return board.Empty, board.NoPoint, false
	}
	if c == winner {
		move, ok := b.Certificate.Lookup(p, c)
		return winner, move, ok
	}
	for stone := range p.Stones[winner].Points() {
		before := p
		before.Stones[winner].Remove(stone)
		if move, ok := b.Certificate.Lookup(before, winner); ok && sameClass(before, winner, move, stone) {
			return winner, board.NoPoint, true
		}
	}
	return winner, board.NoPoint, p == b.Root() && c == b.ToPlay()
}

// sameClass reports whether a symmetry of the position exchanges two moves.
func sameClass(p nogo.Position, c board.Colour, a, b board.Point) bool {
	for _, class := range player.Classes(p, c) {
		if slices.Contains(class, a) {
			return slices.Contains(class, b)
		}
	}
	return false
}
