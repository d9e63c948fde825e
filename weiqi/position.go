package weiqi

import (
	"fmt"

	"tengen/board"
)

// Position is the whole state of a game under basic ko. Positions are values: equal
// positions compare equal with ==. NewPosition and ParsePosition make them. A literal must
// set Ko to NoPoint where no point is banned.
type Position struct {
	Size   board.Size
	Stones board.Stones
	ToPlay board.Colour
	Ko     board.Point // where the side to play may not retake, or NoPoint
	Passes uint8       // passes in a row that led here; 2 ends the game
}

// NewPosition is the empty board, Black to play.
func NewPosition(size board.Size) Position {
	return Position{Size: size, ToPlay: board.Black, Ko: board.NoPoint}
}

// ParsePosition reads a diagram and refuses blocks without a liberty. The position has no
// ban and no passes.
func ParsePosition(text string) (Position, error) {
	size, stones, err := board.ParseDiagram(text)
	if err != nil {
		return Position{}, err
	}
	p := Position{Size: size, Stones: stones, ToPlay: board.Black, Ko: board.NoPoint}
	return p, p.Validate()
}

// Validate reports a board or stones that board.Size.Check refuses, a side to play that is
// nobody, the first block without a liberty, a ban that no move can have left, and passes
// that do not fit.
func (p Position) Validate() error {
	if err := p.Size.Check(p.Stones); err != nil {
		return err
	}
	if err := p.ToPlay.CheckPlayer(); err != nil {
		return err
	}
	if err := p.sound(); err != nil {
		return err
	}
	switch {
	case p.Passes > 2:
		return fmt.Errorf("%d passes in a row cannot happen: two end the game", p.Passes)
	case p.Ko == board.NoPoint:
		return nil
	case p.Passes > 0:
		return fmt.Errorf("a ban at %s cannot follow a pass", p.Size.Name(p.Ko))
	case !p.Size.Contains(p.Ko):
		return fmt.Errorf("the ban is at no point of the %s board: no ban is board.NoPoint", p.Size)
	case p.Stones.At(p.Ko) != board.Empty || !p.retakes(p.Ko):
		return fmt.Errorf("%s is no ko that %s could retake", p.Size.Name(p.Ko), p.ToPlay)
	}
	return nil
}

// sound reports the first block without a liberty.
func (p Position) sound() error {
	if p.Size.Small() && NewGrid(p.Size).Sound(p.Stones[board.Black][0], p.Stones[board.White][0]) {
		return nil
	}
	for c := range p.Stones {
		for q := range p.Stones[c].Points() {
			if _, liberties := block(p.Size, p.Stones, q); liberties.IsEmpty() {
				return fmt.Errorf("row %d from the top, column %d: the %s block at %s has no liberty",
					p.Size.Rows-p.Size.Row(q), p.Size.Col(q)+1, board.Colour(c), p.Size.Name(q))
			}
		}
	}
	return nil
}

// retakes reports whether a stone at q would capture a single stone and could itself be
// retaken. Ko is mutual, so this holds for every banned point.
func (p Position) retakes(q board.Point) bool {
	stones, taken, _ := p.put(q)
	next := p
	next.Stones = stones
	return next.ban(q, taken) != board.NoPoint
}

func (p Position) String() string { return p.Size.Line(p.Stones) }

// Over reports whether two passes in a row have ended the game.
func (p Position) Over() bool { return p.Passes >= 2 }

// Empty is the set of points without a stone.
func (p Position) Empty() board.Set {
	return p.Size.Mask().Minus(p.Stones[board.Black]).Minus(p.Stones[board.White])
}

// small returns the stones of the side to play and of the other, as one machine word each.
// The board must be small.
func (p Position) small() (own, other uint64) {
	return p.Stones[p.ToPlay][0], p.Stones[p.ToPlay.Opponent()][0]
}

// Score is Black's area minus White's: stones, and empty points that reach
// stones of one colour only.
func (p Position) Score() int {
	if p.Size.Small() {
		return NewGrid(p.Size).Score(p.Stones[board.Black][0], p.Stones[board.White][0])
	}
	score := p.Stones[board.Black].Len() - p.Stones[board.White].Len()
	for rest := p.Empty(); !rest.IsEmpty(); {
		region, borders := p.region(rest)
		rest = rest.Minus(region)
		switch borders {
		case [2]bool{true, false}:
			score += region.Len()
		case [2]bool{false, true}:
			score -= region.Len()
		}
	}
	return score
}

// region is the connected part of empty that holds its first point, and the
// colours next to it.
func (p Position) region(empty board.Set) (region board.Set, borders [2]bool) {
	for first := range empty.Points() {
		flood(p.Size, first, func(n board.Point) bool {
			c := p.Stones.At(n)
			if c != board.Empty {
				borders[c] = true
				return false
			}
			region.Add(n)
			return true
		})
		region.Add(first)
		break
	}
	return region, borders
}

// put places a stone of the side to play on an empty point of any board. It returns the
// stones that stay, the captured ones, and the mover's own stones if they die.
func (p Position) put(q board.Point) (stones board.Stones, taken, died board.Set) {
	stones = p.Stones
	own, other := p.ToPlay, p.ToPlay.Opponent()
	stones[own].Add(q)
	for _, n := range p.Size.Neighbours(q) {
		if stones[other].Has(n) {
			if dead, liberties := block(p.Size, stones, n); liberties.IsEmpty() {
				stones[other] = stones[other].Minus(dead)
				taken = taken.Union(dead)
			}
		}
	}
	if dead, liberties := block(p.Size, stones, q); liberties.IsEmpty() {
		stones[own] = stones[own].Minus(dead)
		died = dead
	}
	return stones, taken, died
}

// ban is the point where the stone just put at q may not be retaken at once: it
// took one stone, stands alone, and has no other liberty.
func (p Position) ban(q board.Point, taken board.Set) board.Point {
	if taken.Len() != 1 || p.Stones.At(q) == board.Empty {
		return board.NoPoint
	}
	if stones, liberties := block(p.Size, p.Stones, q); stones.Len() == 1 && liberties == taken {
		for k := range taken.Points() {
			return k
		}
	}
	return board.NoPoint
}

// Map applies a symmetry of the board.
func (p Position) Map(sym board.Symmetry) Position {
	for c := range p.Stones {
		p.Stones[c] = p.Size.MapSet(sym, p.Stones[c])
	}
	if p.Ko != board.NoPoint {
		p.Ko = p.Size.Map(sym, p.Ko)
	}
	return p
}

// Inverse exchanges the colours of the stones and of the side to play.
func (p Position) Inverse() Position {
	p.Stones[0], p.Stones[1] = p.Stones[1], p.Stones[0]
	p.ToPlay = p.ToPlay.Opponent()
	return p
}

// block is the block of the stone at q and its liberties.
func block(size board.Size, stones board.Stones, q board.Point) (members, liberties board.Set) {
	c := stones.At(q)
	members.Add(q)
	flood(size, q, func(n board.Point) bool {
		switch stones.At(n) {
		case c:
			members.Add(n)
			return true
		case board.Empty:
			liberties.Add(n)
		}
		return false
	})
	return members, liberties
}

// flood starts at q and calls enter for every neighbour of the points it has reached. It
// goes on from the points for which enter is true.
func flood(size board.Size, q board.Point, enter func(board.Point) bool) {
	seen := board.SetOf(q)
	queue := []board.Point{q}
	for len(queue) > 0 {
		at := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, n := range size.Neighbours(at) {
			if !seen.Has(n) {
				seen.Add(n)
				if enter(n) {
					queue = append(queue, n)
				}
			}
		}
	}
}
