package player

import (
	"math"

	"tengen/internal/lockless"
)

// A known result can be wrong only if one position was taken for another. The table of
// the endgames compares most bits of a key, and the tree identifies a position by 64
// bits. Both errors are bounded for random keys.

// endgameProbes bounds the table lookups of an endgame at a node: two for each move. A
// sheet has 64 points and a free move.
const endgameProbes = 2 * (64 + 1)

// endgameBound bounds the error of endgames that took this number of nodes.
func endgameBound(nodes uint64, t *lockless.Table) float64 {
	if t == nil {
		return 0
	}
	return float64(nodes) * endgameProbes * t.FalseMatch()
}

// keyBits of a position in the tree.
const keyBits = 64

// bound bounds the probability that two positions of the store have the same key.
func (s *store) bound() float64 {
	if s.index == nil {
		return 0
	}
	_, families := s.taken()
	return math.Ldexp(float64(families)*float64(families)/2, -keyBits)
}

// bound bounds the error of all known results in the tree, including those found before
// the tree moved to the other store.
func (t *tree) bound() float64 { return t.past + t.now.bound() }
