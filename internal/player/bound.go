package player

import (
	"math"

	"tengen/internal/lockless"
)

// What is known may be wrong only where one position was taken for another: the table of
// the endgames compares most bits of a key, and the tree knows a position by 64 bits.
// Both are bounded for random keys.

// endgameProbes is how often an endgame asks its table at a node, at most: twice for each
// move, of which a sheet has its 64 points and a free one.
const endgameProbes = 2 * (64 + 1)

// endgameBound bounds the error of endgames that took so many nodes.
func endgameBound(nodes uint64, t *lockless.Table) float64 {
	if t == nil {
		return 0
	}
	return float64(nodes) * endgameProbes * t.FalseMatch()
}

// keyBits of a position in the tree.
const keyBits = 64

// bound is the probability that two positions of the store have the same key, at most.
func (s *store) bound() float64 {
	if s.index == nil {
		return 0
	}
	_, families := s.taken()
	return math.Ldexp(float64(families)*float64(families)/2, -keyBits)
}

// bound is that of all that is known in the tree: what was found out before the tree was
// moved to the other store counts too.
func (t *tree) bound() float64 { return t.past + t.now.bound() }

// errorBound is the probability that something that the search knows is wrong, at most.
func (m *MCTS) errorBound() float64 {
	bound := m.tree.bound()
	for _, s := range m.searchers {
		bound += endgameBound(s.asked, m.ends)
	}
	if m.lost {
		bound += m.lostBound
	}
	return bound
}
