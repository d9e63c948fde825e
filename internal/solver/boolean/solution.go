package boolean

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"tengen/board"
	"tengen/internal/bucket"
	"tengen/internal/solver"
	"tengen/nogo"
)

// marking says which game the flags in the tables belong to.
//
// Codes do not distinguish Black from White, but within one game the side to move
// follows from the number of stones: at Black's turns Black is ahead by a fixed
// number, and at White's turns by one more.
type marking struct {
	present  bool
	lead     int // Black's stones minus White's at Black's turns
	deadline int // as in search
}

func (n *node) lead() int {
	lead := bits.OnesCount64(n.stones[board.Black]) - bits.OnesCount64(n.stones[board.White])
	if n.toPlay == board.White {
		lead--
	}
	return lead
}

var errNoTable = errors.New(`the part "tt" is off: there is no table to keep or take a solution from`)

// MarkSolution flags the positions of a complete strategy for the winner of q:
// one move where the winner is to play, all moves where the loser is. It solves
// the positions that the table lacks, and returns the number of newly flagged
// positions. Several questions of one game may be marked one after the other.
func (s *Solver) MarkSolution(ctx context.Context, q solver.Query) (uint64, error) {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	if s.plain == nil {
		return 0, errNoTable
	}
	f, err := s.prepare(ctx, q)
	if err != nil {
		return 0, err
	}
	m := marking{true, f.root.lead(), f.deadline}
	if s.marked.present && s.marked != m {
		return 0, errors.New("the solution already marked belongs to another game: mark this one in a new solver")
	}
	if f.root.depth > f.deadline {
		return 0, errors.New("the attacker has no time for a move: there is nothing to mark")
	}
	s.marked = m
	before := f.table.Marked()
	f.mark(&f.root)
	f.flush()
	return f.table.Marked() - before, f.err
}

// mark sets a position's flag after those of its successors. So a flag always
// stands for a complete strategy, even after an interruption.
func (f *search) mark(n *node) {
	code := n.code() + f.offset
	if f.err != nil || f.table.Flagged(code) {
		return
	}
	v := f.value(n)
	switch {
	case n.depth == f.deadline:
	case v == f.loss:
		for rest := f.moves(n); rest != 0; rest &= rest - 1 {
			next := f.play(n, bits.TrailingZeros64(rest))
			f.mark(&next)
		}
	default:
		next := f.play(n, int(f.points[v]))
		f.mark(&next)
	}
	if f.err != nil {
		return
	}
	if _, f.err = f.table.SetFlag(code); f.err == nil && f.table.Marked()%pollEvery == 0 {
		f.poll()
	}
}

// Solution yields the marked positions in ascending order of code, each with its
// side to move and, if that side wins, the move to play.
func (s *Solver) Solution(yield func(p nogo.Position, toPlay board.Colour, move board.Point) bool) {
	<-s.token
	defer func() { s.token <- struct{}{} }()
	if !s.marked.present {
		return
	}
	t, offset := s.solutionTable()
	for r := range t.Ascend() {
		n := s.decode(r.Code - offset)
		move := board.NoPoint
		if r.Value != s.loss {
			move = s.points[r.Value]
		}
		if !yield(s.position(&n), n.toPlay, move) {
			return
		}
	}
}

// solutionTable is the table with the flags, and the start of the range of codes
// of their game.
func (s *Solver) solutionTable() (*bucket.Table, uint64) {
	if s.marked.deadline == len(s.points) {
		return s.plain, 0
	}
	return s.limited, uint64(s.marked.deadline) * s.options.Codes
}

// decode is the position of a code in the marked game.
func (s *Solver) decode(code uint64) node {
	var own, other uint64
	for _, p := range s.points {
		switch code % 3 {
		case 1:
			own |= 1 << p
		case 2:
			other |= 1 << p
		}
		code /= 3
	}
	n := node{stones: nogo.Stones{own, other}}
	if n.lead() != s.marked.lead {
		n = node{stones: nogo.Stones{other, own}, toPlay: board.White}
	}
	n.depth = bits.OnesCount64(own | other)
	return n
}

func (s *Solver) position(n *node) nogo.Position {
	p := nogo.NewPosition(s.size)
	for c, stones := range n.stones {
		p.Stones[c][0] = stones
	}
	return p
}

// checkEntry refuses entries that cannot be in a solution of the marked game.
func (s *Solver) checkEntry(r bucket.Entry) error {
	if r.Code >= s.options.Codes || r.Value != s.loss && int(r.Value) >= len(s.points) {
		return fmt.Errorf("position %d is not one of a %s board", r.Code, s.size)
	}
	n := s.decode(r.Code)
	if n.lead() != s.marked.lead {
		return fmt.Errorf("position %s does not belong to the game of the solution", s.position(&n))
	}
	if r.Value != s.loss && s.moves(&n)>>s.points[r.Value]&1 == 0 {
		return fmt.Errorf("in position %s %s is not a legal move", s.position(&n), s.size.Name(s.points[r.Value]))
	}
	return nil
}
