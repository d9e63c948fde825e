package sums

import (
	"math"
	"math/bits"

	"tengen/board"
)

// Weights of the features that order moves, found by hill climbing on the node
// counts of all openings of 4×4, 3×6, 2×9 and 4×5. The unit is a hundredth of a
// point open to the mover.
const (
	freeWeight      = 185  // a free move
	ownWeight       = 100  // a point open to the mover
	otherWeight     = 210  // a point open to the opponent
	contestedWeight = -100 // a point open to both
	lowWeight       = 50   // the bounds of the value
	highWeight      = 50
	splitWeight     = 10  // falling apart
	historyWeight   = 600 // the share of wins of the same move
	counterWeight   = 300 // the same, in answer to the same move
	replyWeight     = 200 // the move that won last at the same ply

	// judgePoints is the size from which the judge is asked, which takes longer
	// than it saves on small positions.
	judgePoints = 13

	historySpan = 1000 // tries after which experience counts half
	counterSpan = 200
)

// score is high for moves that leave the opponent little room and that have won
// elsewhere in the search. The move has been played into the trial sum.
func (w *worker) score(f *frame, t *sum, point uint64) int32 {
	if point == 0 {
		// A free move is needed only where every region is a number.
		return math.MinInt32
	}
	experience := w.experience(f, point)
	if w.rules.history && point == f.reply {
		experience += replyWeight
	}
	// On an empty board the judge has learned nothing.
	if n := f.sum.points; w.rules.judge && n >= judgePoints && n < w.points {
		w.seen.look(w.grid, t, f.colour)
		return int32(learned.score(&w.seen, experience))
	}
	if w.rules.mobility {
		experience += w.room(f, t)
	}
	return int32(experience)
}

// opening is the move to try first on an empty board. Nothing there tells the moves
// apart, and yet the proofs of winning ones differ up to tenfold: on 3×7 A2 takes a
// third of what the next best does and on 3×8 less than half, on 3×6 and 2×11 B1 takes
// the least and on 4×5 nearly so, on 2×13 C1 takes two thirds of that, and on 5×5 the
// centre takes less than the middle of a side. On 4×7 D1 wins; of the others nothing is known.
func opening(s board.Size) board.Point {
	if s.Rows > s.Cols {
		turned := board.Size{Rows: s.Cols, Cols: s.Rows}
		p := opening(turned)
		return s.At(turned.Col(p), turned.Row(p))
	}
	odd := s.Rows%2 == 1 && s.Cols%2 == 1
	switch {
	case s.Rows == 3 && (odd || s.Cols > 6):
		return s.At(1, 0)
	case odd:
		return s.At(s.Rows/2, s.Cols/2)
	case s.Rows == 2 && s.Cols > 12:
		return s.At(0, 2)
	case s.Rows == 4 && s.Cols == 7:
		return s.At(0, 3)
	}
	return s.At(0, 1%s.Cols)
}

// experience is how the move has fared elsewhere in the search.
func (w *worker) experience(f *frame, point uint64) int {
	if !w.rules.history {
		return 0
	}
	at := bits.TrailingZeros64(point)
	earned := w.history[f.colour][at].earned
	if f.last != 0 {
		earned += w.counter[f.colour][bits.TrailingZeros64(f.last)][at].earned
	}
	return int(earned)
}

func (w *worker) room(f *frame, t *sum) int {
	c := f.colour
	free, low, high := t.balance(), t.low, t.high
	if c == board.White {
		free, low, high = -free, -high, -low
	}
	score := freeWeight*free + lowWeight*low + highWeight*high +
		ownWeight*t.open[c] - otherWeight*t.open[c^1] + contestedWeight*t.contested
	if t.count > f.sum.count {
		score += splitWeight
	}
	return score
}

// note counts a move that was searched.
func (w *worker) note(f *frame, point uint64, won bool) {
	if point == 0 {
		return
	}
	at := bits.TrailingZeros64(point)
	w.history[f.colour][at].add(won, historySpan, historyWeight)
	if f.last != 0 {
		w.counter[f.colour][bits.TrailingZeros64(f.last)][at].add(won, counterSpan, counterWeight)
	}
}

// sort puts the listed move of the highest score first; lists are short.
func (f *frame) sort() {
	for i := 1; i < f.listed; i++ {
		m := f.moves[i]
		j := i
		for ; j > 0 && f.moves[j-1].score < m.score; j-- {
			f.moves[j] = f.moves[j-1]
		}
		f.moves[j] = m
	}
}

// record counts how a move has fared.
type record struct {
	tries, wins int32
	earned      int32 // the part of the weight in proportion to the wins
}

// add counts one more try; older experience fades.
func (r *record) add(won bool, span, weight int32) {
	r.tries++
	if won {
		r.wins++
	}
	if r.tries >= span {
		r.tries /= 2
		r.wins /= 2
	}
	r.earned = weight * r.wins / (r.tries + 1)
}
