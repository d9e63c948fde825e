package game

import (
	"errors"
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/weiqi"
)

// NoGo is the game without captures in which the side that cannot move loses.
type NoGo struct{}

// NoGoPosition converts to the type of package nogo, which has no side to
// play.
func NoGoPosition(p Position) nogo.Position {
	return nogo.Position{Size: p.Size, Stones: p.Stones}
}

// Name is nogo.
func (NoGo) Name() string { return "nogo" }

func (NoGo) String() string { return "NoGo" }

// Label is NoGo.
func (NoGo) Label() string { return "NoGo" }

// Validate reports what nogo.Position.Validate does, and a side to play that is nobody.
func (NoGo) Validate(p Position) error {
	if err := NoGoPosition(p).Validate(); err != nil {
		return err
	}
	return p.ToPlay.CheckPlayer()
}

// Legal leaves out captures and suicide.
func (NoGo) Legal(p Position) board.Set { return NoGoPosition(p).Legal(p.ToPlay) }

var errNoPass = errors.New("NoGo has no pass: a side that cannot play has lost")

// Play puts a stone.
func (NoGo) Play(p Position, move board.Point) (Position, error) {
	if move == Pass {
		return p, errNoPass
	}
	next, err := NoGoPosition(p).Play(p.ToPlay, move)
	if err != nil {
		return p, err
	}
	return Start(p.Size, next.Stones, p.ToPlay.Opponent()), nil
}

// Superko is Basic: stones stay, so that no board can repeat.
func (NoGo) Superko() weiqi.Ko { return weiqi.Basic }

// End is when the side to play has no legal move. There is no score, so komi
// does not count.
func (g NoGo) End(p Position, _ float64) (Outcome, bool) {
	if !g.Legal(p).IsEmpty() {
		return Outcome{}, false
	}
	return Outcome{Winner: p.ToPlay.Opponent().Wins(), How: NoMove, Why: fmt.Sprintf("%s has no legal move", title(p.ToPlay))}, true
}

// Passes is false: a side that cannot put a stone has lost.
func (NoGo) Passes() bool { return false }

// Scored is false: the last move wins.
func (NoGo) Scored() bool { return false }
