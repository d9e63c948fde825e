package sums

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/movenet"
	"tengen/internal/region/sum"
	"tengen/nogo"
)

const (
	// policyBoard is the least board, in points, on which the policy network pays.
	policyBoard = 24
	// policyPoints is the least number of open points for it. An evaluation takes as
	// long as a few dozen nodes.
	policyPoints = 16
	// policyExperience divides experience, which is added to the scores of the network.
	policyExperience = 2
)

// policy orders the moves of large positions by a network that has learned the size of
// proofs. See package movenet.
type policy struct {
	eval   *movenet.Evaluator
	cells  []uint64    // bits of the points, in the order of the network
	number [64]int8    // cell → point
	stones nogo.Stones // at the root
	codes  [64]byte    // input of the network
	scores [64]int32   // output
}

// newPolicy prepares the network for the board.
func (s *Solver) newPolicy() *policy {
	net, size := s.net, s.size
	if net == nil {
		net = movenet.Embedded()
	}
	// The network has learned boards that are at least as wide as high.
	wide := board.Size{Rows: min(size.Rows, size.Cols), Cols: max(size.Rows, size.Cols)}
	p := &policy{eval: net.NewEvaluator(wide)}
	for i := range size.Points() {
		row, col := i/wide.Cols, i%wide.Cols
		if size != wide {
			row, col = col, row
		}
		bit := s.layout.Bit(size.At(row, col))
		p.cells = append(p.cells, bit)
		p.number[bits.TrailingZeros64(bit)] = int8(i)
	}
	return p
}

// pointOf is the number of a point in the order of the network.
func (p *policy) pointOf(cell uint64) int { return int(p.number[bits.TrailingZeros64(cell)]) }

// ranked reports whether the moves of a position are scored by the policy network. It has
// learned nothing about empty boards.
func (w *worker) ranked(s *sum.Sum) bool {
	return w.policy != nil && w.on.policy && s.Points >= policyPoints && s.Points < w.points
}

// rank scores the listed moves at a ply by the policy network, if the position is large.
func (w *worker) rank(ply int) {
	f, p := &w.frames[ply], w.policy
	if f.listed < 2 || !w.ranked(f.sum) {
		return
	}
	w.code(ply)
	p.eval.Scores(p.codes[:], p.scores[:])
	for i := range f.listed {
		if m := &f.moves[i]; m.Point != 0 {
			m.Score = p.scores[p.pointOf(m.Point)] + int32(w.experience(f, m.Point)/policyExperience)
		}
	}
}

// code describes the position at a ply to the network, seen by the side to move. A free
// move is on a point that the search does not know: its stone is left out.
func (w *worker) code(ply int) {
	f, p := &w.frames[ply], w.policy
	var masks [8]uint64 // by bit of a code
	mine, theirs := f.colour, f.colour.Opponent()
	stones := p.stones
	for i := range ply {
		stones[w.frames[i].colour] |= w.frames[i+1].last
	}
	masks[6], masks[7] = stones[mine], stones[theirs]
	for _, part := range f.sum.Parts() {
		s := seenBy(part, mine)
		for i := range 2 {
			masks[i] |= s.open[i]
			masks[2+i] |= s.safe[i]
			masks[4+i] |= s.short[i]
		}
	}
	for i, cell := range p.cells {
		var code byte
		for bit, mask := range masks {
			if mask&cell != 0 {
				code |= 1 << bit
			}
		}
		p.codes[i] = code
	}
}
