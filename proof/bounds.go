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

// survey holds the facts of a position that the static tests need. A block
// matters only through its liberties.
type survey struct {
	stones    nogo.Stones
	empty     uint64
	legal     [2]uint64
	blocks    [2]int
	liberties [2][maxBlocks]uint64 // of each block
}

// read surveys a position from its stones.
func (v *survey) read(g nogo.Grid, s nogo.Stones) {
	v.stones = s
	v.empty = g.Mask &^ (s[0] | s[1])
	for c := range 2 {
		n := 0
		for rest := s[c]; rest != 0; n++ {
			block := g.Flood(rest&-rest, s[c])
			rest &^= block
			v.liberties[c][n] = g.Around(block) & v.empty
		}
		v.blocks[c] = n
	}
	v.allow(g)
}

// play surveys the position after a legal move of c in another. The blocks next
// to the point are those that have it as a liberty, so no flood fill is needed.
func (v *survey) play(g nogo.Grid, from *survey, c board.Colour, point uint64) {
	o := c.Opponent()
	v.stones = from.stones.Play(c, point)
	v.empty = from.empty &^ point
	joined := g.Around(point) & v.empty
	n := 0
	for _, liberties := range from.liberties[c][:from.blocks[c]] {
		if liberties&point != 0 {
			joined |= liberties &^ point
			continue
		}
		v.liberties[c][n] = liberties
		n++
	}
	v.liberties[c][n] = joined
	v.blocks[c] = n + 1
	v.blocks[o] = from.blocks[o]
	for i, liberties := range from.liberties[o][:from.blocks[o]] {
		v.liberties[o][i] = liberties &^ point
	}
	v.allow(g)
}

// allow finds the legal points; the rule is that of nogo.Grid.Legal.
func (v *survey) allow(g nogo.Grid) {
	roomy := g.Around(v.empty) & v.empty
	var last, strong [2]uint64
	for c := range 2 {
		for _, liberties := range v.liberties[c][:v.blocks[c]] {
			if liberties&(liberties-1) == 0 {
				last[c] |= liberties
			} else {
				strong[c] |= liberties
			}
		}
	}
	for c := range 2 {
		v.legal[c] = v.empty & (roomy | strong[c]) &^ last[1-c]
	}
}

// assets are moves that nobody can take from a side.
type assets struct {
	sure int    // moves on points closed to the opponent
	firm uint64 // points open to both, where the side can play as long as they are empty
}

// The assets of c hold whatever the opponent does, if c plays as follows.
//
// A point closed to the opponent (not legal for him) never gets a stone of his.
// Of these points c fills some, the set fill, and never touches the others, the
// set keep. So a point of keep stays empty to the end. A later move of c on a
// point p is legal if it neither captures nor is suicide.
//
// Capture: a block of the opponent next to p at that time contains a stone next
// to p. That stone is there today, or comes to a point that is open to him
// today. If every such block and every such point touches keep elsewhere, the
// block has another liberty than p. For fill this is ensured by moving points
// from fill to keep. firm takes only points where it holds.
//
// Suicide: take c's stones and the closed points as a graph. No opposing stone
// ever appears in it. Suppose p is in it or next to it, in a component with a
// point of keep. Walk from p to that point: the first empty point on the way is
// a liberty of the block that p joins. A component without a point of keep moves
// one of its points from fill to keep.
//
// None of this depends on the order of moves, nor on who takes the points that
// are open to both. So c can make all the sure moves, and can also play any firm
// point that the opponent has not taken.
func (v *survey) assets(g nogo.Grid, c board.Colour) assets {
	o := c.Opponent()
	closed := v.empty &^ v.legal[o]
	keep := closed &^ v.legal[c]
	fill := closed & v.legal[c]
	crossing := g.Around(v.legal[o])
	for _, liberties := range v.liberties[o][:v.blocks[o]] {
		if at := liberties & fill; at != 0 && liberties&keep == 0 {
			if at&crossing != 0 { // also used by the next loop
				at &= crossing
			}
			at &= -at
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
	a := assets{sure: bits.OnesCount64(fill)}
	ground := v.stones[c] | closed
	safe := g.Flood(keep, ground)
	for rest := fill &^ safe; rest != 0; a.sure-- {
		part := g.Flood(rest&-rest, ground)
		rest &^= part
		safe |= part
	}
	a.firm = v.legal[0] & v.legal[1] & g.Around(safe)
	if a.firm == 0 {
		return a
	}
	a.firm &^= g.Around(v.legal[o] &^ g.Around(keep))
	for _, liberties := range v.liberties[o][:v.blocks[o]] {
		if liberties&keep == 0 {
			a.firm &^= liberties
		}
	}
	return a
}

// most is an upper bound on the moves of c. It is the number of points legal for
// c, less one for every set in a family of disjoint sets of such points. Each of
// these sets keeps an empty point to the end.
//
// Take a component of one side's stones and legal points, with the empty points
// around it. If it holds a stone of that side, that stone's block needs a
// liberty at the end, and the block never leaves the component. If it is c's and
// holds no stone, there are two cases. Either c plays there, and the same holds
// for that stone. Or c plays none of its points.
//
// The opponent may take points as well. Each point that he takes from c's legal
// points costs c a further move, because it is not the point that stays empty.
// The exception is a set without a stone that the opponent fills completely.
// Callers subtract those further moves. Therefore a set without a stone counts
// only if it has two points outside taken, the set of points of which the
// opponent takes all but one.
func (v *survey) most(g nogo.Grid, c board.Colour, taken uint64) int {
	n := bits.OnesCount64(v.legal[c])
	free := v.legal[c] // points not yet in a set of the family
	barred := v.empty &^ free
	barred |= g.Around(barred)
	for y := range 2 {
		ground := v.stones[y] | v.legal[y]
		seeds := v.stones[y]
		if board.Colour(y) == c {
			seeds = ground
		}
		// Most components touch a point that c may not play. Remove all of these
		// at once.
		seeds &^= g.Flood(barred&ground, ground)
		for seeds != 0 {
			part := g.Flood(seeds&-seeds, ground)
			seeds &^= part
			set := (part | g.Around(part)) & v.empty
			if set == 0 || set&^free != 0 {
				continue
			}
			if part&v.stones[y] != 0 || bits.OnesCount64(set&^taken) >= 2 {
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
//   - Otherwise one side takes points open to both as long as there are firm
//     ones, and then makes its sure moves. Of f firm points the side that moves
//     second gets at least ⌊f/2⌋, the side that moves first ⌈f/2⌉, or one more
//     than ⌊f/2⌋ if it can begin with another point open to both. Each is a move
//     for that side and one less for the other. A side that always has an answer
//     wins.
//
// The slack is the number of moves by which the opponent misses the third test:
// a measure of how near c is to losing.
func (v *survey) judge(g nogo.Grid, c board.Colour) (r outcome, slack int) {
	o := c.Opponent()
	mine, theirs := v.legal[c], v.legal[o]
	switch {
	case mine == 0:
		return lost, 0
	case theirs == 0:
		return won, 0
	}
	a := v.assets(g, o)
	slack = v.most(g, c, a.firm) - a.sure - bits.OnesCount64(a.firm)&^1
	if slack <= 0 {
		return lost, slack
	}
	// Sets of the family have at least two points: a single one would be a
	// suicide or a capture. So most is at least half of the points, and the
	// second test is worth its cost only if c's points could suffice.
	shared := bits.OnesCount64(mine & theirs)
	if bits.OnesCount64(mine&^theirs)+(shared+1)&^1 <= (bits.OnesCount64(theirs)+1)/2 {
		return unknown, slack
	}
	a = v.assets(g, c)
	firm := bits.OnesCount64(a.firm)
	takes := (firm + 1) / 2
	if shared > firm {
		takes = firm/2 + 1
	}
	if a.sure+2*takes > v.most(g, o, a.firm) {
		return won, slack
	}
	return unknown, slack
}
