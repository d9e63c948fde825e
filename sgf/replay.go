package sgf

import (
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/weiqi"
)

// NoGo replays the game under the rules of NoGo: the last position and whose turn
// it is. Cut Moves short for an earlier one.
func (g *Game) NoGo() (nogo.Position, board.Colour, error) {
	p := nogo.Position{Size: g.Size, Stones: g.Setup}
	if err := p.Validate(); err != nil {
		return p, g.ToPlay, fmt.Errorf("the stones set up: %w", err)
	}
	turn := g.ToPlay
	err := g.replay(func(m Move) error {
		if m.Point == board.NoPoint {
			return fmt.Errorf("%s passes, which NoGo does not allow", m.Colour)
		}
		next, err := p.Play(m.Point, m.Colour)
		if err != nil {
			return err
		}
		p, turn = next, m.Colour.Opponent()
		return nil
	})
	return p, turn, err
}

// Go replays the game under rules of Go.
func (g *Game) Go(rules weiqi.Rules) (*weiqi.History, error) {
	start := weiqi.NewPosition(g.Size)
	start.Stones, start.ToPlay = g.Setup, g.ToPlay
	if err := start.Validate(); err != nil {
		return nil, fmt.Errorf("the stones set up: %w", err)
	}
	history := weiqi.NewHistory(rules, start)
	return history, g.replay(func(m Move) error { return history.Push(m.Point) })
}

// replay makes the moves one by one and names the first that cannot be made.
func (g *Game) replay(play func(Move) error) error {
	turn := g.ToPlay
	for i, m := range g.Moves {
		number := g.Earlier + i + 1
		if m.Colour != turn {
			return fmt.Errorf("move %d: %s plays %s, but it is the turn of %s", number, m.Colour, g.moveName(m), turn)
		}
		if err := play(m); err != nil {
			return fmt.Errorf("move %d: %w", number, err)
		}
		turn = turn.Opponent()
	}
	return nil
}

func (g *Game) moveName(m Move) string {
	if m.Point == board.NoPoint {
		return "pass"
	}
	return g.Size.Name(m.Point)
}
