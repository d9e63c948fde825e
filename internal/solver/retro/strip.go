package retro

import (
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// StripMove is the strategy of Lin and Hsueh by which the side to play at least
// draws on a single row of three points or more, under basic ko with loops drawn. It
// reports false for a position that the strategy does not claim.
//
// Seen from one end, with o to play, it claims the rows that begin with
//
//	.o       an end that is o's, whatever follows
//	...x     an end that can become o's: the third empty point is followed by
//	x..x     empty points and then by x or by nothing; the first may be x's
//
// and keeps them. It takes the point before a stone of its own that x has
// approached. Otherwise it takes the first legal point other than the end, or
// passes. Every reply of x leaves such a row, from the same end or the other. A
// ban matters only if the move would be the banned one; then the position is not
// claimed. With six points or more every answer to the empty board is claimed.
// Tests check both on all positions.
func StripMove(p weiqi.Position) (board.Point, bool) {
	if min(p.Size.Rows, p.Size.Cols) != 1 || p.Size.Points() < 3 || p.Over() {
		return weiqi.Pass, false
	}
	ends := [2]strip{{p, p.Size.All()}, {p, p.Size.All()}}
	slices.Reverse(ends[1].points)
	for _, s := range ends {
		if s.claimed() {
			if move := s.move(); move == weiqi.Pass || move != p.Ko {
				return move, true
			}
		}
	}
	return weiqi.Pass, false
}

// strip is a row seen from one end.
type strip struct {
	position weiqi.Position
	points   []board.Point
}

func (s strip) at(i int) board.Colour { return s.position.Stones.At(s.points[i]) }

func (s strip) claimed() bool {
	own := s.position.ToPlay
	if s.at(0) == board.Empty && s.at(1) == own {
		return true
	}
	if s.at(0) == own || s.at(1) != board.Empty || s.at(2) != board.Empty {
		return false
	}
	for i := 3; i < len(s.points); i++ {
		if c := s.at(i); c != board.Empty {
			return c != own
		}
	}
	return true
}

// move ignores the ban, which affects only whether the position is claimed.
func (s strip) move() board.Point {
	p := s.position
	p.Ko = board.NoPoint
	own := p.ToPlay
	first := 0 // the opponent's first stone, or the end
	for first < len(s.points) && s.at(first) != own.Opponent() {
		first++
	}
	if first >= 3 && s.at(first-1) == own && s.at(first-2) == board.Empty {
		return s.points[first-2]
	}
	legal := weiqi.Rules{}.Legal(p)
	for _, q := range s.points[1:] {
		if legal.Has(q) {
			return q
		}
	}
	return weiqi.Pass
}
