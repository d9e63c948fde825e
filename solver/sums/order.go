package sums

import (
	"math"
	"math/bits"

	"tengen/board"
)

// Weights of the features that order moves, found by hill climbing on the node
// counts of 4×4, 3×6, 2×9 and 4×5. The unit is a hundredth of a point open to
// the mover.
const (
	freeWeight      = 185
	ownWeight       = 100
	otherWeight     = 210
	contestedWeight = -100
	historyWeight   = 600
	splitWeight     = 10
	historySpan     = 200
)

// score is high for moves that leave the opponent little room and that have won
// elsewhere in the search.
func (w *worker) score(s *sum, c board.Colour, point uint64) int32 {
	if point == 0 {
		// A free move is needed only where every region is a number.
		return math.MinInt32
	}
	t := &w.trial
	free := t.balance()
	if c == board.White {
		free = -free
	}
	score := freeWeight*free + ownWeight*t.open[c] - otherWeight*t.open[c^1] + contestedWeight*t.contested
	if t.count > s.count {
		score += splitWeight
	}
	if !w.rules.mobility {
		score = 0
	}
	if w.rules.history {
		h := &w.history[c][bits.TrailingZeros64(point)]
		score += historyWeight * int(h.wins) / int(h.tries+1)
	}
	return int32(score)
}

// record counts how moves on one point have fared.
type record struct{ tries, wins int32 }

// note counts a move that was searched; older experience fades.
func (w *worker) note(c board.Colour, point uint64, won bool) {
	if point == 0 {
		return
	}
	h := &w.history[c][bits.TrailingZeros64(point)]
	h.tries++
	if won {
		h.wins++
	}
	if h.tries >= historySpan {
		h.tries /= 2
		h.wins /= 2
	}
}
