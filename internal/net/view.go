package net

import (
	"tengen/board"
	"tengen/nogo"
)

// Kind is what the network sees of a point.
type Kind uint8

// The kinds of points; a point beside the board is of none.
const (
	beside     Kind = iota
	Own             // a stone of the side to move
	Other           // a stone of the opponent
	Both            // both may play there
	OnlyMine        // only the side to move may
	OnlyTheirs      // only the opponent may
	Nobody          // nobody may
	kinds
)

// seen are the planes that a point of a kind sets, in the trainer's order: own stones,
// the opponent's stones, legal for me, for the opponent, only for me, only for the
// opponent, for nobody, and the board.
var seen = [kinds][]int{
	beside:     nil,
	Own:        {0, 7},
	Other:      {1, 7},
	Both:       {2, 3, 7},
	OnlyMine:   {2, 4, 7},
	OnlyTheirs: {3, 5, 7},
	Nobody:     {6, 7},
}

// frameSide is the side of the square frame in which boards lie: the largest board and a
// margin. A board is in the corner, one point from the edges.
const (
	frameSide   = MaxSide + 2
	framePoints = frameSide * frameSide
	frameSize   = framePoints * channels
)

// View is a position as the network sees it.
type View struct{ kind [framePoints]uint8 }

// Set sets the kind of the point in a row from the top and a column from the left.
func (v *View) Set(row, col int, k Kind) { v.kind[(row+1)*frameSide+col+1] = uint8(k) }

// Look is a position as the network sees it, c to move.
func Look(p nogo.Position, c board.Colour) (v View) {
	mine, theirs := p.Legal(c), p.Legal(c.Opponent())
	for _, q := range p.Size.All() {
		k := Nobody
		switch {
		case p.Stones[c].Has(q):
			k = Own
		case p.Stones[c.Opponent()].Has(q):
			k = Other
		case mine.Has(q) && theirs.Has(q):
			k = Both
		case mine.Has(q):
			k = OnlyMine
		case theirs.Has(q):
			k = OnlyTheirs
		}
		v.Set(p.Size.Rows-1-p.Size.Row(q), p.Size.Col(q), k)
	}
	return v
}
