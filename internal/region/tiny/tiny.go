// Package tiny decides sums of NoGo regions with at most eight points by playing them out.
// A set of points is a byte, and the liberties of all blocks of a colour are the eight
// bytes of a word, so that a move takes a few dozen instructions without a branch.
// docs/regions.md explains it.
package tiny

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/region"
	"tengen/nogo"
)

// MaxPoints is the most points of a sum: the bits of a byte.
const MaxPoints = 8

// Sum is a sum of regions. The zero value has none.
type Sum struct {
	beside word // lane i: the neighbours of point i
	empty  set
	sides  [2]side

	// Steps counts the positions that Wins has looked at.
	Steps uint64
}

// side holds what a colour has.
type side struct {
	open   set  // where it may play
	safe   set  // where a stone of it can never be without a liberty
	blocks word // the liberties of its mortal blocks, a lane each; 0 in a lane that is free
}

// set is a set of points.
type set uint8

func (s set) len() int { return bits.OnesCount8(uint8(s)) }

// word has eight lanes, each a set.
type word uint64

const (
	ones = word(0x0101010101010101) // the lowest bit of each lane
	tops = word(0x8080808080808080) // the highest
)

// used has the highest bit of each lane that is not empty.
func (w word) used() word { return (w&^tops + ^tops | w) & tops }

// full fills the lanes that are not empty.
func (w word) full() word { return w.used() >> 7 * 255 }

// several fills the lanes that have more than one point.
func (w word) several() word { return (w & (w - w.used()>>7)).full() }

// union is the set of the points in any lane.
func (w word) union() set {
	w |= w >> 32
	w |= w >> 16
	return set(w | w>>8)
}

// lanes is the set of the numbers of the lanes that are not empty.
func (w word) lanes() set { return set(w.used() >> 7 * 0x0102040810204080 >> 56) }

// near is the set of points with a neighbour among some points.
func (s *Sum) near(points set) set { return (s.beside & (word(points) * ones)).lanes() }

// Clear removes all regions.
func (s *Sum) Clear() { *s = Sum{Steps: s.Steps} }

// Add adds a region. It returns false, and leaves the sum without a meaning, if there are
// too many points or blocks.
func (s *Sum) Add(g nogo.Grid, r *region.Region) bool {
	points := r.Points()
	first := s.empty.len()
	if first+bits.OnesCount64(points) > MaxPoints {
		return false
	}
	// Number the points from the lowest bit up.
	packed := func(x uint64) set {
		packed := set(0)
		for x &= points; x != 0; x &= x - 1 {
			packed |= 1 << (first + bits.OnesCount64(points&(x&-x-1)))
		}
		return packed
	}
	lane := 8 * first
	for rest := points; rest != 0; rest &= rest - 1 {
		s.beside |= word(packed(g.Around(rest&-rest))) << lane
		lane += 8
	}
	s.empty |= packed(points)
	for c := range 2 {
		side := &s.sides[c]
		side.open |= packed(r.Open[c])
		side.safe |= packed(r.Safe[c])
		lane := 8 * side.blocks.lanes().len()
		for _, l := range r.Liberties[c][:r.Count[c]] {
			if lane == 64 {
				return false
			}
			side.blocks |= word(packed(l)) << lane
			lane += 8
		}
		// A stone needs a free lane only on a point that is neither safe nor a liberty of
		// a block, and such a point appears only where a block disappears. So there are
		// lanes enough to the end if there are now.
		if side.blocks.lanes().len()+(s.empty&^side.safe&^side.blocks.union()).len() > MaxPoints {
			return false
		}
	}
	return true
}

// Wins reports whether c, to move, wins the sum if he has free more free moves than the
// opponent.
func (s *Sum) Wins(c board.Colour, free int) bool {
	p := position{s.sides[c], s.sides[c^1], s.empty}
	return p.mine.open.len() > -free && s.wins(&p, free)
}

// position is seen by the side to move.
type position struct {
	mine, yours side
	empty       set
}

// wins tries all moves. With at most -free moves the side to move has lost already.
//
// The compiler would inline it into itself because of the profile; it then takes twice
// the time.
//
//go:noinline
func (s *Sum) wins(p *position, free int) bool {
	s.Steps++
	var next [MaxPoints]position
	var order [MaxPoints]int // the score of a move, above its place in next
	listed := 0
	for rest := p.mine.open; rest != 0; rest &= rest - 1 {
		q := &next[listed%MaxPoints]
		s.play(p, rest&-rest, q)
		most := q.mine.open.len()
		if most <= free {
			return true // the opponent runs out of moves
		}
		own, contested := q.yours.open.len(), (q.mine.open & q.yours.open).len()
		// The opponent wins if he has a free move for each of mine. A move on a contested
		// point takes one from me, and any other saves him a free move.
		short := own
		if contested > 0 {
			short--
		}
		if -free >= short && most > 0 || -free > own {
			continue
		}
		order[listed%MaxPoints] = (ownWeight*own-otherWeight*most+contestedWeight*contested)*MaxPoints + listed
		listed++
	}
	for i := range listed {
		for j := i + 1; j < listed; j++ {
			order[i%MaxPoints], order[j%MaxPoints] = max(order[i%MaxPoints], order[j%MaxPoints]), min(order[i%MaxPoints], order[j%MaxPoints])
		}
		if !s.wins(&next[order[i%MaxPoints]&(MaxPoints-1)], -free) {
			return true
		}
	}
	if free <= 0 {
		return false
	}
	q := position{p.yours, p.mine, p.empty}
	return q.mine.open.len() <= free-1 || !s.wins(&q, 1-free)
}

// Weights that order moves, those of package sum in tenths.
const (
	ownWeight       = 10
	otherWeight     = 21
	contestedWeight = -10
)

// play makes a move of the side to move and leaves the position in q, seen by the
// opponent. Points that have died stay empty, and are liberties, to the end.
func (s *Sum) play(p *position, point set, q *position) {
	at := uint(bits.TrailingZeros8(uint8(point))) & 7
	empty := p.empty &^ point

	// The stone and the blocks that have the point as a liberty become one block.
	blocks := p.mine.blocks
	joined := (blocks >> at & ones) * 255
	block := (set(s.beside>>(8*at)) | (blocks & joined).union()) & empty
	blocks &^= joined
	immortal := -(p.mine.safe >> at & 1) // all ones if the stone is safe
	safe := p.mine.safe | block&immortal
	block &^= immortal
	many := set(word(block & (block - 1)).full())
	last := block &^ many // the last liberty of a block is closed to the opponent
	lane := uint(bits.TrailingZeros64(uint64(tops&^blocks.used()))) - 7
	blocks |= word(block&many) << (lane & 63)

	// The blocks of the opponent lose a liberty.
	theirs := p.yours.blocks &^ (word(point) * ones)
	several := theirs.several()
	lastTheirs := (theirs &^ several).union()
	theirs &= several

	roomy := s.near(empty)
	q.yours.open = p.mine.open & empty &^ lastTheirs & (safe | roomy | blocks.union())
	q.mine.open = p.yours.open & empty &^ last & (p.yours.safe | roomy | theirs.union())
	q.yours.safe, q.mine.safe = safe, p.yours.safe
	q.yours.blocks, q.mine.blocks = blocks, theirs
	q.empty = empty
}
