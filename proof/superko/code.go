package superko

import (
	"math/bits"

	"tengen/board"
	"tengen/weiqi"
)

// state is a position as entries have it.
type state struct {
	stones   [2]uint64 // of the prover and of the opponent
	opponent bool      // the opponent is to play
	passed   bool      // the last move was a pass
}

// coder turns positions of one board into numbers and back.
type coder struct {
	weiqi.Grid
	size        board.Size
	prover      board.Colour
	situational bool
	points      []board.Point // row by row from the bottom
	order       []uint8       // of cells
	weights     [64]uint64    // of cells
	boards      uint64        // arrangements of stones, legal or not
}

func newCoder(claim Claim) *coder {
	size := claim.Start.Size
	c := &coder{
		Grid: weiqi.NewGrid(size), size: size, prover: claim.Prover, situational: claim.Rules.Ko == weiqi.Situational,
		points: size.All(), order: make([]uint8, size.Cells()), boards: 1,
	}
	for i, p := range c.points {
		c.order[p], c.weights[p] = uint8(i), c.boards
		c.boards *= 3
	}
	return c
}

// board is the number of an arrangement: the digit of weight 3^i is the i-th point, 0 empty,
// 1 a stone of the prover, 2 one of the opponent.
func (c *coder) board(s state) (code uint64) {
	for side, rest := range s.stones {
		for ; rest != 0; rest &= rest - 1 {
			code += uint64(side+1) * c.weights[bits.TrailingZeros64(rest)]
		}
	}
	return code
}

// code is four times the number of the board, plus two after a pass, plus one if the
// opponent is to play.
func (c *coder) code(s state) uint64 { return 4*c.board(s) + 2*bit(s.passed) + bit(s.opponent) }

// state is the inverse of code.
func (c *coder) state(code uint64) state {
	s := state{opponent: code&1 != 0, passed: code&2 != 0}
	for code, i := code>>2, 0; code > 0; code, i = code/3, i+1 {
		if digit := code % 3; digit > 0 {
			s.stones[digit-1] |= 1 << c.points[i]
		}
	}
	return s
}

// id is the number of that which may not be repeated: a board or, under situational superko,
// a board with the side to play.
func (c *coder) id(s state) uint32 {
	if c.situational {
		return uint32(2*c.board(s) + bit(s.opponent))
	}
	return uint32(c.board(s))
}

// ids is one more than the largest id.
func (c *coder) ids() uint64 {
	if c.situational {
		return 2 * c.boards
	}
	return c.boards
}

func (c *coder) empty(s state) uint64 { return c.Mask &^ (s.stones[0] | s.stones[1]) }

// slots is the number of moves in an entry: one of the prover, or the pass of the opponent
// and one for every empty point.
func (c *coder) slots(s state) int {
	if !s.opponent {
		return 1
	}
	return 1 + bits.OnesCount64(c.empty(s))
}

func (c *coder) index(move board.Point) uint8 {
	if move == weiqi.Pass {
		return uint8(len(c.points))
	}
	return c.order[move]
}

func (c *coder) move(index uint8) board.Point {
	if int(index) >= len(c.points) {
		return weiqi.Pass
	}
	return c.points[index]
}

// play makes a legal move.
func (c *coder) play(s state, move board.Point) state {
	if move == weiqi.Pass {
		return state{s.stones, !s.opponent, true}
	}
	own := bit(s.opponent)
	next := state{opponent: !s.opponent}
	next.stones[own], next.stones[1-own], _ = c.Play(s.stones[own], s.stones[1-own], 1<<move)
	return next
}

// legal is the set of points where a stone is legal, whatever the history.
func (c *coder) legal(s state) uint64 {
	own := bit(s.opponent)
	return c.Legal(s.stones[own], s.stones[1-own])
}

// of is a position of the game.
func (c *coder) of(p weiqi.Position) state {
	return state{[2]uint64{p.Stones[c.prover][0], p.Stones[c.prover.Opponent()][0]}, p.ToPlay != c.prover, p.Passes > 0}
}

// position is the inverse of of.
func (c *coder) position(s state) weiqi.Position {
	p := weiqi.NewPosition(c.size)
	p.Stones[c.prover][0], p.Stones[c.prover.Opponent()][0] = s.stones[0], s.stones[1]
	p.ToPlay, p.Passes = c.prover, uint8(bit(s.passed))
	if s.opponent {
		p.ToPlay = c.prover.Opponent()
	}
	return p
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func moveName(size board.Size, move board.Point) string {
	if move == weiqi.Pass {
		return "pass"
	}
	return size.Name(move)
}
