// Package nogo holds the rules of NoGo: players put stones on empty points in
// turn, no block of either colour may ever be without a liberty, and whoever
// cannot move loses. It knows nothing of search.
//
// Position covers every board. Grid and Stones are the same rules on one machine
// word per colour, for boards of at most 64 padded cells; Position uses them
// where they apply and a plain flood fill elsewhere.
package nogo

import (
	"fmt"
	"slices"

	"tengen/board"
)

// Position is a board without the side to move. Positions are values: equal
// positions compare equal with ==.
type Position struct {
	Size   board.Size
	Stones board.Stones
}

// NewPosition is the empty board.
func NewPosition(size board.Size) Position { return Position{Size: size} }

// ParsePosition reads a diagram and refuses blocks without a liberty.
func ParsePosition(text string) (Position, error) {
	size, stones, err := board.ParseDiagram(text)
	if err != nil {
		return Position{}, err
	}
	p := Position{size, stones}
	return p, p.Validate()
}

// Validate reports a board or stones that board.Size.Check refuses, and the first block
// without a liberty.
func (p Position) Validate() error {
	if err := p.Size.Check(p.Stones); err != nil {
		return err
	}
	for _, c := range []board.Colour{board.Black, board.White} {
		for q := range p.Stones[c].Points() {
			if _, liberties := p.block(q); liberties.IsEmpty() {
				return &CaptureError{p.Size, q, c}
			}
		}
	}
	return nil
}

// CaptureError names a stone whose block has no liberty. No legal position has one.
type CaptureError struct {
	Size   board.Size
	Point  board.Point
	Colour board.Colour
}

// Row counts from the top, from 0, as diagrams are read.
func (e *CaptureError) Row() int { return e.Size.Rows - 1 - e.Size.Row(e.Point) }

func (e *CaptureError) Error() string {
	return fmt.Sprintf("row %d from the top, column %d: the %s block at %s has no liberty",
		e.Row()+1, e.Size.Col(e.Point)+1, e.Colour, e.Size.Name(e.Point))
}

func (p Position) String() string { return p.Size.Line(p.Stones) }

// Empty is the set of points without a stone.
func (p Position) Empty() board.Set {
	return p.Size.Mask().Minus(p.Stones[board.Black]).Minus(p.Stones[board.White])
}

// Small returns the stones as one machine word per colour. The board must be small.
func (p Position) Small() Stones {
	return Stones{p.Stones[board.Black][0], p.Stones[board.White][0]}
}

// Legal is the set of points where c may play.
func (p Position) Legal(c board.Colour) board.Set {
	if c > board.White {
		return board.Set{}
	}
	if p.Size.Small() {
		black, white := NewGrid(p.Size).Legal(p.Small())
		return board.Set{[2]uint64{black, white}[c]}
	}
	return p.legalByFlood(c)
}

// legalByFlood works on any board, one point at a time.
func (p Position) legalByFlood(c board.Colour) board.Set {
	var legal board.Set
	for q := range p.Empty().Points() {
		if p.legalAt(q, c) {
			legal.Add(q)
		}
	}
	return legal
}

func (p Position) legalAt(q board.Point, c board.Colour) bool {
	next := p
	next.Stones[c].Add(q)
	if _, liberties := next.block(q); liberties.IsEmpty() {
		return false
	}
	for _, n := range p.Size.Neighbours(q) {
		if next.Stones[c.Opponent()].Has(n) {
			if _, liberties := next.block(n); liberties.IsEmpty() {
				return false
			}
		}
	}
	return true
}

// block finds the block of a stone and its liberties by flood fill.
func (p Position) block(q board.Point) (stones, liberties board.Set) {
	c := p.Stones.At(q)
	stones.Add(q)
	queue := []board.Point{q}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, n := range p.Size.Neighbours(at) {
			switch p.Stones.At(n) {
			case board.Empty:
				liberties.Add(n)
			case c:
				if !stones.Has(n) {
					stones.Add(n)
					queue = append(queue, n)
				}
			}
		}
	}
	return stones, liberties
}

// Play puts a stone of colour c on q, or says why it may not.
func (p Position) Play(c board.Colour, q board.Point) (Position, error) {
	if err := c.CheckPlayer(); err != nil {
		return p, err
	}
	if !p.Size.Contains(q) {
		return p, fmt.Errorf("there is no such point on a %s board", p.Size)
	}
	name := p.Size.Name(q)
	if p.Stones.At(q) != board.Empty {
		return p, fmt.Errorf("%s may not play %s: the point is occupied", c, name)
	}
	next := p
	next.Stones[c].Add(q)
	if !p.legalAt(q, c) {
		if _, liberties := next.block(q); liberties.IsEmpty() {
			return p, fmt.Errorf("%s may not play %s: the stone would have no liberty", c, name)
		}
		return p, fmt.Errorf("%s may not play %s: it would take the last liberty of a %s block", c, name, c.Opponent())
	}
	return next, nil
}

// PlayAll plays alternating moves, c first, and returns whose turn it is then.
func (p Position) PlayAll(c board.Colour, moves []board.Point) (Position, board.Colour, error) {
	for i, q := range moves {
		next, err := p.Play(c, q)
		if err != nil {
			return p, c, fmt.Errorf("move %d: %w", i+1, err)
		}
		p, c = next, c.Opponent()
	}
	return p, c, nil
}

// Map applies a symmetry of the board.
func (p Position) Map(sym board.Symmetry) Position {
	for c := range p.Stones {
		p.Stones[c] = p.Size.MapSet(sym, p.Stones[c])
	}
	return p
}

// Canonical is the same for all images of a position under the symmetries of the board.
func (p Position) Canonical() Position {
	least := p
	for _, sym := range p.Size.Symmetries() {
		image := p.Map(sym)
		d := slices.Compare(image.Stones[board.Black][:], least.Stones[board.Black][:])
		if d < 0 || d == 0 && slices.Compare(image.Stones[board.White][:], least.Stones[board.White][:]) < 0 {
			least = image
		}
	}
	return least
}

// Inverse exchanges the colours.
func (p Position) Inverse() Position {
	p.Stones[0], p.Stones[1] = p.Stones[1], p.Stones[0]
	return p
}
