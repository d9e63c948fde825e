package solver

import "tengen/board"

// Outcome is the result of a position for the side to move.
type Outcome int

// A search that was stopped leaves an outcome unknown.
const (
	Lost    Outcome = -1
	Unknown Outcome = 0
	Won     Outcome = 1
)

// Value bounds a game G, seen by Black, beside integers.
//
//	Low  ≤ G           High  ≥ G
//	First: an integer k for which Black, moving first, wins G − k
//	Reply: an integer k for which White, moving first, wins G − k
type Value struct {
	Low, High, First, Reply int8
}

// Total adds up the values of the parts of a sum.
type Total struct {
	Low, High  int // bounds of the whole, free moves included
	Gain, Loss int // the most that moving first in one part adds to Low, or takes from High
}

// NewTotal is the total of free moves alone, Black's less White's.
func NewTotal(free int) Total { return Total{free, free, -1, 1} }

// Add adds a part.
func (t *Total) Add(v *Value) {
	t.Low += int(v.Low)
	t.High += int(v.High)
	t.Gain = max(t.Gain, int(v.First-v.Low))
	t.Loss = min(t.Loss, int(v.Reply-v.High))
}

// Decided is the outcome for c, to move, if the bounds decide it.
func (t *Total) Decided(c board.Colour) Outcome {
	switch {
	case c == board.Black && (t.Low >= 1 || t.Low+t.Gain >= 0),
		c == board.White && (t.High <= -1 || t.High+t.Loss <= 0):
		return Won
	case c == board.Black && t.High <= 0, c == board.White && t.Low >= 0:
		return Lost
	}
	return Unknown
}
