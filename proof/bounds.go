package proof

import (
	"math/bits"

	"tengen/board"
	"tengen/nogo"
)

// outcome is what is known about a position, seen by the side to move.
type outcome uint8

const (
	unknown outcome = iota
	won
	lost
)

// maxBlocks is the largest number of blocks of one colour on a small board:
// pairwise non-adjacent points, of which 1×63 has the most.
const maxBlocks = 32

// survey is what the static tests need to know about a position.
type survey struct {
	stones    nogo.Stones
	empty     uint64
	legal     [2]uint64
	blocks    [2]int
	liberties [2][maxBlocks]uint64 // of each block
}

// read fills the survey; legal agrees with nogo.Grid.Legal, and the liberties
// come for free.
func (v *survey) read(g nogo.Grid, s nogo.Stones) {
	v.stones = s
	v.empty = g.Mask &^ (s[0] | s[1])
	roomy := g.Around(v.empty) & v.empty
	var last, strong [2]uint64
	for c := range 2 {
		n := 0
		for rest := s[c]; rest != 0; n++ {
			block := g.Flood(rest&-rest, s[c])
			rest &^= block
			liberties := g.Around(block) & v.empty
			v.liberties[c][n] = liberties
			if liberties&(liberties-1) == 0 {
				last[c] |= liberties
			} else {
				strong[c] |= liberties
			}
		}
		v.blocks[c] = n
	}
	for c := range 2 {
		v.legal[c] = v.empty & (roomy | strong[c]) &^ last[1-c]
	}
}

// sure is a number of moves that c can make whatever the opponent does, and
// whatever else c plays on points that are open to both.
//
// A point closed to the opponent (not legal for him) stays without his stone
// for ever. Of these c fills some, the set fill, and never touches the others,
// the set keep; so a point of keep stays empty to the end. A later move on a
// point p of fill is legal if it neither captures nor kills itself.
//
// Capture: a block of the opponent next to p at that time contains a stone next
// to p, which is there today or comes to a point that is open to him today.
// Every such block and every such point is made to touch keep, so the block has
// a liberty other than p.
//
// Suicide: take the points of c's stones and the closed points as a graph. No
// opposing stone ever appears in it. If p is connected in it to a point of keep,
// walk from p to there: the first empty point on the way is a liberty of the
// block that p joins. If the component has no point of keep, one of its points
// of fill is given up to be one.
func (v *survey) sure(g nogo.Grid, c board.Colour) int {
	o := c.Opponent()
	closed := v.empty &^ v.legal[o]
	keep := closed &^ v.legal[c]
	fill := closed & v.legal[c]
	for _, liberties := range v.liberties[o][:v.blocks[o]] {
		if at := liberties & fill; at != 0 && liberties&keep == 0 {
			at = anchor(at, g.Around(v.legal[o]))
			keep |= at
			fill &^= at
		}
	}
	for open := v.legal[o] & g.Around(fill) &^ g.Around(keep); open != 0; {
		at := g.Around(open&-open) & fill
		at &= -at
		keep |= at
		fill &^= at
		open &^= g.Around(at)
	}
	if fill == 0 {
		return 0
	}
	n := bits.OnesCount64(fill)
	ground := v.stones[c] | closed
	for rest := fill &^ g.Flood(keep, ground); rest != 0; n-- {
		rest &^= g.Flood(rest&-rest, ground)
	}
	return n
}

// anchor picks one point, from preferred where possible.
func anchor(from, preferred uint64) uint64 {
	if both := from & preferred; both != 0 {
		from = both
	}
	return from & -from
}

// most is a number of moves that c cannot exceed: the points legal for c, less
// one for every member of a family of disjoint sets of such points that c
// cannot fill completely.
//
// A component of c's stones and legal points, with the empty points around it,
// is such a set: were it all filled by c, its blocks would have no liberty. So
// is a component of the opponent's stones and legal points that holds a stone,
// with the empty points around it: that stone would have been captured.
// Only sets that lie within c's legal points count, since the point that stays
// free must be one of those.
func (v *survey) most(g nogo.Grid, c board.Colour) int {
	legal := v.legal[c]
	n := bits.OnesCount64(legal)
	free := legal // points of legal not yet in a set of the family
	for y := range 2 {
		ground := v.stones[y] | v.legal[y]
		seeds := v.stones[y]
		if board.Colour(y) == c {
			seeds = ground
		}
		for seeds != 0 {
			part := g.Flood(seeds&-seeds, ground)
			seeds &^= part
			set := (part | g.Around(part)) & v.empty
			if set != 0 && set&^free == 0 {
				free &^= set
				n--
			}
		}
	}
	return n
}

// judge decides a position for the side to move, c, from counts alone.
//
//   - Without a legal move c has lost.
//   - If the opponent has none, any move wins.
//   - If the opponent's sure moves are as many as c can ever make, he always
//     has an answer and c runs out first.
//   - If c has more sure moves than the opponent can ever make, the same the
//     other way round. If some point is open to both, c first takes it: that
//     costs him no sure move and the opponent one of his points, and c is then
//     the one who answers.
func (v *survey) judge(g nogo.Grid, c board.Colour) outcome {
	o := c.Opponent()
	mine, theirs := v.legal[c], v.legal[o]
	switch {
	case mine == 0:
		return lost
	case theirs == 0:
		return won
	}
	if bits.OnesCount64(theirs&^mine) >= bits.OnesCount64(mine)/2 {
		if v.sure(g, o) >= v.most(g, c) {
			return lost
		}
	}
	need := 1
	if mine&theirs != 0 {
		need = -1
	}
	if bits.OnesCount64(mine&^theirs) >= bits.OnesCount64(theirs)/2+need {
		if v.sure(g, c) >= v.most(g, o)+need {
			return won
		}
	}
	return unknown
}
