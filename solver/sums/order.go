package sums

import (
	"math/bits"

	"tengen/board"
)

// weights of the features that order moves.
type weights struct {
	Free, Own, Other, Contested, History, Reply, Estimate, Split int
}

var defaultWeights = weights{Free: 185, Own: 100, Other: 200, Contested: -100, History: 2, Reply: -20, Estimate: -20, Split: 80}

// score is high for moves that leave the mover more room than the opponent.
func (w *worker) score(f *frame, s *sum, c board.Colour, m *move) int32 {
	t := &w.trial.summary
	free, estimate := w.trial.free[0]-w.trial.free[1], t.estimate
	if c == board.White {
		free, estimate = -free, -estimate
	}
	k := w.weights
	score := k.Free*free + k.Own*t.open[c] - k.Other*t.open[c^1] + k.Contested*t.contested + k.Estimate*estimate
	if m.point == f.reply {
		score += k.Reply
	}
	if w.trial.count > s.count {
		score += k.Split
	}
	return int32(100*score + k.History*int(w.history[c][bits.TrailingZeros64(m.point)]))
}

// reward notes that a move has won; the more points were open the more it counts.
func (w *worker) reward(c board.Colour, point uint64, points int) {
	h := &w.history[c]
	at := bits.TrailingZeros64(point)
	h[at] += int32(points * points)
	if h[at] > 8000 {
		for i := range h {
			h[i] /= 2
		}
	}
}
