package weiqi

import (
	"math/bits"

	"tengen/board"
)

// Grid is a small board with the rules of Go on bits. In its methods own are the
// stones of the side to play, and other those of the opponent.
type Grid struct{ board.Grid }

// NewGrid prepares a small board.
func NewGrid(size board.Size) Grid { return Grid{board.NewGrid(size)} }

// Sound reports whether every block has a liberty.
func (g Grid) Sound(own, other uint64) bool {
	free := g.Around(g.Mask &^ (own | other))
	return g.Flood(own&free, own) == own && g.Flood(other&free, other) == other
}

// Captures is the set of stones of other that a stone of own at point captures.
func (g Grid) Captures(own, other, point uint64) uint64 {
	free := g.Mask &^ (own | other | point)
	var taken uint64
	for next := g.Around(point) & other; next != 0; {
		block := g.Flood(next&-next, other)
		next &^= block
		if g.Around(block)&free == 0 {
			taken |= block
		}
	}
	return taken
}

// Legal is the set of points where own may play without suicide. The caller
// excludes the ban of a ko.
//
// A point is open if it has an empty neighbour, takes a block whose last liberty
// it is, or joins a block of own with a second liberty.
func (g Grid) Legal(own, other uint64) uint64 {
	empty := g.Mask &^ (own | other)
	legal := g.Around(empty) & empty
	for rest := g.Around(empty&^legal) & (own | other); rest != 0; {
		point := rest & -rest
		stones := other
		if own&point != 0 {
			stones = own
		}
		block := g.Flood(point, stones)
		rest &^= block
		liberties := g.Around(block) & empty
		if single := liberties&(liberties-1) == 0; single == (other&point != 0) {
			legal |= liberties
		}
	}
	return legal
}

// Play puts a stone of own at a legal point and removes the stones it captures.
// The third result is the point that the other side may not retake at once, or
// 0.
func (g Grid) Play(own, other, point uint64) (own2, other2, ban uint64) {
	taken := g.Captures(own, other, point)
	own2, other2 = own|point, other&^taken
	if taken != 0 && taken&(taken-1) == 0 && g.Around(point)&^other2 == taken {
		ban = taken
	}
	return own2, other2, ban
}

// Score is the area of own minus the area of other: stones, and empty points
// that reach stones of one colour only.
func (g Grid) Score(own, other uint64) int {
	empty := g.Mask &^ (own | other)
	if empty == 0 {
		return bits.OnesCount64(own) - bits.OnesCount64(other)
	}
	toOwn := g.Flood(g.Around(own)&empty, empty)
	toOther := g.Flood(g.Around(other)&empty, empty)
	return bits.OnesCount64(own|toOwn&^toOther) - bits.OnesCount64(other|toOther&^toOwn)
}
