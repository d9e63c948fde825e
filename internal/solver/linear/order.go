package linear

import (
	"math"

	"tengen/board"
)

// room holds the features of a part that order moves.
type room struct {
	atLeast, atMost int8 // bounds by counting
	open            [2]int8
	contested       int8  // open to both
	lead, heat      int16 // of a value: the middle between its stops and half their distance, in hundredths
}

const hundred = 100

// Weights of the features that order moves, found by hill climbing on the node
// counts of the openings of 1×24 and of the second point on 1×28, 1×30 and 1×31.
// The unit is a hundredth of a free move.
const (
	leadWeight      = 210 // a free move, or the same amount in values
	lowWeight       = 95  // the bounds
	highWeight      = 100
	ownWeight       = 65   // a point open to the mover
	otherWeight     = 125  // a point open to the opponent
	contestedWeight = -135 // a point open to both
	heatWeight      = 265  // what the opponent can gain in the hottest value
	partsWeight     = -60  // one more part
	lengthWeight    = -10  // a point of the strip that is played in
	middleWeight    = 10   // the distance from its middle, as a share
	valueWeight     = -60  // the move is in a value
)

// score is high for moves that leave the opponent little room. The move has
// been played into the trial sum.
func (w *worker) score(f *frame, at, choice int) int32 {
	switch {
	case at == freeMove:
		return math.MinInt32 // needed only where everything else is a number
	case w.on.mobility:
		return int32(w.trial.roomFor(f.colour) + f.sum.taste(&w.trial, at, choice))
	case w.on.middle:
		return f.sum.middle(at, choice)
	}
	return int32(-w.counted)
}

// roomFor compares what is left to both sides, seen by c, who has just moved.
func (s *sum) roomFor(c board.Colour) int {
	lead, low, high := hundred*s.free, s.free, s.free
	var open [2]int
	contested, heat := 0, 0
	for i := range s.count {
		r := &s.parts[i].room
		lead += int(r.lead)
		low += int(r.atLeast)
		high += int(r.atMost)
		open[0] += int(r.open[0])
		open[1] += int(r.open[1])
		contested += int(r.contested)
		heat = max(heat, int(r.heat))
	}
	if c == board.White {
		lead, low, high = -lead, -high, -low
	}
	return (leadWeight*lead-heatWeight*heat)/hundred + lowWeight*low + highWeight*high +
		ownWeight*open[c] - otherWeight*open[c^1] + contestedWeight*contested
}

// taste is the part of the score that depends on the place of the move.
func (s *sum) taste(after *sum, at, choice int) int {
	score := partsWeight * (after.count - s.count)
	p := &s.parts[at]
	if !p.isStrip() {
		return score + valueWeight
	}
	n := p.strip.Points()
	return score + lengthWeight*n - middleWeight*offMiddle(n, choice)/n
}

// middle is the order of the paper: the longest strip first, and in it the points
// next to its middle. Values come last.
func (s *sum) middle(at, choice int) int32 {
	p := &s.parts[at]
	if !p.isStrip() {
		return 0
	}
	const wide = 256
	n := p.strip.Points()
	return int32(wide*n - offMiddle(n, choice))
}

// offMiddle is twice the distance of a point from the middle of n points.
func offMiddle(n, point int) int {
	d := 2*point - (n - 1)
	return max(d, -d)
}
