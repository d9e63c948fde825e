package strip

import (
	"fmt"

	"tengen/cgt"
)

// Bounds are the integers next to a game: Low is the largest that it is ≥, High
// the smallest that it is ≤. They decide the game beside any number of free
// moves of either side: Black, moving second, wins G − k if and only if k ≤ Low,
// and moving first if and only if k < High.
type Bounds struct {
	Low, High int
}

// Outcome is the outcome class of the game.
func (b Bounds) Outcome() cgt.Outcome {
	switch {
	case b.Low >= 0 && b.High <= 0:
		return cgt.P
	case b.Low >= 0:
		return cgt.L
	case b.High <= 0:
		return cgt.R
	}
	return cgt.N
}

// Inverse bounds the inverse game.
func (b Bounds) Inverse() Bounds { return Bounds{-b.High, -b.Low} }

// Integer reports whether the game is an integer, which is then Low.
func (b Bounds) Integer() bool { return b.Low == b.High }

// noMove stands for the best that a side without a move can reach.
const noMove = 100

// enclose bounds a game by its options. Black's moves reach games ≥ own but none
// ≥ own+1, White's games ≤ back but none ≤ back−1.
//
// White, moving first in G − k, wins by a move in G if back ≤ k, and for k > 0,
// by one of his free moves, if G ≤ k−1. So G ≥ k means k < back and, for k > 0,
// k ≤ High. In the same way G ≤ k means own < k and, for k < 0, Low ≤ k.
func enclose(own, back int) Bounds {
	low, high := back-1, own+1
	switch {
	case low > 0 && high < 0:
		return Bounds{}
	case low > 0:
		low = min(low, high)
	case high < 0:
		high = max(low, high)
	}
	return Bounds{low, high}
}

// A packed pair of bounds is 7·(Low+16) + High−Low.
const (
	widths = 7
	offset = 16
)

func (b Bounds) pack() (byte, error) {
	width := b.High - b.Low
	if b.Low < -offset || b.Low > offset || width < 0 || width >= widths {
		return 0, fmt.Errorf("bounds %d and %d have no place in the database", b.Low, b.High)
	}
	return byte(widths*(b.Low+offset) + width), nil
}

func unpack(packed byte) Bounds {
	low := int(packed)/widths - offset
	return Bounds{low, low + int(packed)%widths}
}

// layers are packed bounds of all strips with 1, 2, … points, by place. The
// slice for no points is empty.
type layers [][]byte

// at bounds a strip that the layers cover.
func (l layers) at(s Strip) Bounds {
	_, b := l.find(s)
	return b
}
