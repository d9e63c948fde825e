// Package strip holds linear NoGo: one row of points, taken apart into reduced
// strips. A strip is reduced when no two stones are neighbours. Blocks have shrunk to
// single stones. Neighbours of opposite colours have been separated (xo-split),
// because moves on one side of them cannot reach the other.
//
// A reduced strip is n empty points and n+1 slots, before, between and after the
// points, each with a black stone, a white stone or none. The package has their
// rules, order and codes, their values, and the database of their outcomes and
// simplest equal games. It does not search sums. docs/strips.md has the theory.
package strip

import (
	"cmp"
	"math/bits"
)

// MaxPoints is the largest number of empty points of a strip.
const MaxPoints = 63

// Strip is a reduced strip. Strips are values and compare with ==; the zero
// value is the strip without points, where nobody can move.
//
// Bit i of a mask is slot i, from the left. Point p lies between the slots p and p+1.
type Strip struct {
	black, white uint64
	n            uint8
}

// Points is the number of empty points.
func (s Strip) Points() int { return int(s.n) }

// Slots are the stones of either colour, as sets of slots.
func (s Strip) Slots() (black, white uint64) { return s.black, s.white }

// Inverse exchanges the colours; the value changes its sign.
func (s Strip) Inverse() Strip { return Strip{s.white, s.black, s.n} }

// Reverse exchanges left and right; the value stays.
func (s Strip) Reverse() Strip {
	unused := 63 - s.n
	return Strip{bits.Reverse64(s.black) >> unused, bits.Reverse64(s.white) >> unused, s.n}
}

// Least is the smaller of the strip and its reverse.
func (s Strip) Least() Strip {
	if r := s.Reverse(); Compare(r, s) < 0 {
		return r
	}
	return s
}

// Compare orders strips by the number of points and then by code. It is negative if s
// comes before t. The simplest of several equal strips is the first in this order.
func Compare(s, t Strip) int {
	if s.n != t.n {
		return cmp.Compare(s.n, t.n)
	}
	differ := (s.black ^ t.black) | (s.white ^ t.white)
	first := differ & -differ
	return cmp.Compare(s.digit(first), t.digit(first))
}

// digit is the digit of the code for one slot, given as a bit.
func (s Strip) digit(slot uint64) int {
	switch {
	case s.black&slot != 0:
		return 1
	case s.white&slot != 0:
		return 2
	}
	return 0
}
