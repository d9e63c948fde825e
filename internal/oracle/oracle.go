// Package oracle is for tests. It plays out sums of NoGo positions and free moves, and games
// within a number of plies, by the rules of package nogo alone. Tests compare searches,
// bounds and values with it. It is for small boards with few playable points.
package oracle

import (
	"tengen/board"
	"tengen/nogo"
)

// MostBoards is the largest number of boards in a sum.
const MostBoards = 3

// Oracle remembers whether the side to move wins. All sums of one oracle must have boards
// of the same sizes in the same order.
type Oracle map[question]bool

type question struct {
	stones [MostBoards]nogo.Stones
	toPlay board.Colour
	free   int // free moves of Black, less those of White
}

// Wins reports whether c, to move, wins the sum of the positions and the free moves. Free
// moves of Black are positive, those of White negative. The boards have at most 64 padded
// cells.
func (o Oracle) Wins(c board.Colour, free int, positions ...nogo.Position) bool {
	q := question{toPlay: c, free: free}
	for i, p := range positions {
		q.stones[i] = p.Small()
	}
	if known, ok := o[q]; ok {
		return known
	}
	won := false
	if step := 2*int(c) - 1; free*step < 0 {
		won = !o.Wins(c.Opponent(), free+step, positions...)
	}
	for i := range positions {
		p := &positions[i]
		for at := range p.Legal(c).Points() {
			if won {
				break
			}
			before := p.Stones
			p.Stones[c].Add(at)
			won = !o.Wins(c.Opponent(), free, positions...)
			p.Stones = before
		}
	}
	o[q] = won
	return won
}
