package sums

import (
	"math"
	"math/bits"

	"tengen/board"
	"tengen/internal/region/sum"
)

// Weights in the unit of package sum, which has the others. They were found in the
// same way.
const (
	splitWeight   = 10  // the move splits a region
	counterWeight = 300 // the share of wins in answer to the same move
	killerWeight  = 200 // the killer: the move that won last at the same ply

	counterSpan = 200 // tries after which this experience counts half

	// learnedPoints is the least number of points for the learned ordering. On
	// smaller positions it takes longer than it saves.
	learnedPoints = 13
)

// score is high for moves that leave the opponent little room and that have won
// elsewhere in the search. The move has been played into the trial sum.
func (w *worker) score(f *frame, t *sum.Sum, point uint64) int32 {
	if point == 0 {
		// A free move is needed only where every region is a number.
		return math.MinInt32
	}
	if w.ranked(f.sum) {
		return 0 // until all moves are listed
	}
	experience := w.experience(f, point)
	if w.on.history && point == f.killer {
		experience += killerWeight
	}
	// The ordering was not trained on empty boards.
	if n := f.sum.Points; w.on.learned && n >= learnedPoints && n < w.points {
		w.seen.look(w.Grid, t, f.colour)
		return int32(learned.score(&w.seen, experience))
	}
	if w.on.mobility {
		experience += w.room(f, t)
	}
	return int32(experience)
}

// opening is the move to try first on an empty board. Nothing distinguishes the moves
// there, and yet the proofs of winning ones differ up to tenfold. On 3×7 A2 takes a
// third of the nodes of the next best move, and on 3×8 less than half; on 3×6 and
// 3×10 it loses. On 3×6 and 2×11 B1 takes the fewest, and on 4×5 nearly so. On 2×13 C1 takes two thirds of the
// nodes of B1. On 5×5 the centre takes fewer than the middle of a side. On 4×7 D1
// wins; nothing is known of the other moves.
func opening(s board.Size) board.Point {
	if s.Rows > s.Cols {
		turned := board.Size{Rows: s.Cols, Cols: s.Rows}
		p := opening(turned)
		return s.At(turned.Col(p), turned.Row(p))
	}
	odd := s.Rows%2 == 1 && s.Cols%2 == 1
	switch {
	case s.Rows == 3 && (odd || s.Cols == 8):
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

// experience is the record of the move elsewhere in the search.
func (w *worker) experience(f *frame, point uint64) int {
	if !w.on.history {
		return 0
	}
	at := bits.TrailingZeros64(point)
	earned := w.history[f.colour][at].Earned
	if f.last != 0 {
		earned += w.counter[f.colour][bits.TrailingZeros64(f.last)][at].Earned
	}
	return int(earned)
}

// room compares the points that a move leaves to either side.
func (w *worker) room(f *frame, t *sum.Sum) int {
	score := t.Room(f.colour)
	if len(t.Parts()) > len(f.sum.Parts()) {
		score += splitWeight
	}
	return score
}

// note counts the result of a move that was searched.
func (w *worker) note(f *frame, point uint64, won bool) {
	if point == 0 {
		return
	}
	at := bits.TrailingZeros64(point)
	w.history[f.colour][at].Add(won, sum.HistorySpan, sum.HistoryWeight)
	if f.last != 0 {
		w.counter[f.colour][bits.TrailingZeros64(f.last)][at].Add(won, counterSpan, counterWeight)
	}
}
