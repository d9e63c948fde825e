package strip

import "tengen/board"

// Legal is the set of points where Black and where White may play.
func (s Strip) Legal() (black, white uint64) {
	return s.open(s.white), s.open(s.black)
}

// open is the set of points open to a colour, given the slots of the other.
//
// A stone at p has a liberty to its left unless p is the first point or an
// opposing stone lies in slot p: an empty slot gives it the point p−1, and a
// stone of its own colour there has that liberty. The same holds to the right.
// It captures only at the ends: a stone in the first or the last slot has a
// single liberty, any other has two.
//
// So a point in the middle is closed between two opposing stones, a point at the
// end next to any, and a point at both ends always.
func (s Strip) open(other uint64) uint64 {
	first, last := uint64(min(s.n, 1)), uint64(1)<<s.n>>1
	left, right := other, other>>1
	return (1<<s.n - 1) &^ (left&right | (left|right)&(first|last) | first&last)
}

// Play is the strip after a legal move. If the new stone has an opposing stone
// beside it, the strip splits there into two parts, both with points. Otherwise
// right is the zero Strip. The points of the parts are, from the left, those of
// s without p.
func (s Strip) Play(c board.Colour, p int) (left, right Strip) {
	if c == board.White {
		left, right = s.Inverse().playBlack(p)
		return left.Inverse(), right.Inverse()
	}
	return s.playBlack(p)
}

// playBlack never finds white stones on both sides: the move would be suicide.
func (s Strip) playBlack(p int) (left, right Strip) {
	at := uint64(1) << p
	upto := at<<1 - 1 // slots 0 to p
	if s.white>>p&3 == 0 {
		black := s.black&upto | at | s.black&^upto>>1
		white := s.white&upto | s.white&^upto>>1
		return Strip{black, white, s.n - 1}, Strip{}
	}
	left = Strip{s.black & upto, s.white & upto, uint8(p)}
	right = Strip{s.black >> p >> 1, s.white >> p >> 1, s.n - 1 - uint8(p)}
	if left.white&at == 0 {
		left.black |= at
	} else {
		right.black |= 1
	}
	return left, right
}
