package sum

import "tengen/board"

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

	// HistoryWeight is for a move that has won wherever it was tried.
	HistoryWeight = 600
	// HistorySpan is the number of tries after which experience counts half.
	HistorySpan = 1000
)

// Room compares the points that a sum leaves to either side, seen by c, who has
// just moved.
func (s *Sum) Room(c board.Colour) int {
	free, low, high := s.Balance(), s.Low, s.High
	if c == board.White {
		free, low, high = -free, -high, -low
	}
	return freeWeight*free + lowWeight*low + highWeight*high +
		ownWeight*s.Open[c] - otherWeight*s.Open[c^1] + contestedWeight*s.Contested
}
