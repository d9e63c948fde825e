package board

import (
	"iter"
	"math/bits"
)

const setWords = (MaxSide*(MaxSide+1) + 63) / 64

// Set is a set of points of one board, by cell number. The zero value is empty
// and sets compare with ==. Small boards use only the first machine word.
type Set [setWords]uint64

// SetOf is the set of the listed points.
func SetOf(points ...Point) Set {
	var s Set
	for _, p := range points {
		s.Add(p)
	}
	return s
}

// Add puts p into the set.
func (s *Set) Add(p Point) { s[p>>6] |= 1 << (p & 63) }

// Remove takes p out of the set.
func (s *Set) Remove(p Point) { s[p>>6] &^= 1 << (p & 63) }

// Has reports whether p is in the set.
func (s Set) Has(p Point) bool { return s[p>>6]>>(p&63)&1 != 0 }

// Len counts the points.
func (s Set) Len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

// IsEmpty reports whether no point is in the set.
func (s Set) IsEmpty() bool { return s == Set{} }

// Union is the set of points in either.
func (s Set) Union(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

// Minus is the set of points in s and not in t.
func (s Set) Minus(t Set) Set {
	for i := range s {
		s[i] &^= t[i]
	}
	return s
}

// Points yields the points in ascending order.
func (s Set) Points() iter.Seq[Point] {
	return func(yield func(Point) bool) {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				if !yield(Point(i<<6 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}
