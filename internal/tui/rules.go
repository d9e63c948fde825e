package tui

import (
	"fmt"

	"tengen/board"
	"tengen/nogo"
	"tengen/sgf"
	"tengen/weiqi"
)

// Position is a position of either game. NoGo uses neither the ban of ko nor the passes.
type Position = weiqi.Position

// Rules are what the board has to know of a game: NoGo{} or Go{}.
type Rules interface {
	// String is the name of the game.
	String() string
	// Play makes a move, or says why it may not be made.
	Play(p Position, move board.Point) (Position, error)
	// End tells how a game has ended, if it has, by the positions it went through.
	End(game []Position) (Outcome, bool)
	// open is where each colour may put a stone.
	open(p Position) [2]board.Set
	// passes says whether one may pass.
	passes() bool
	// scored says whether games are won by points.
	scored() bool
	// recorded is what a game record says of the rules.
	recorded() string
}

// Outcome is the end of a game.
type Outcome struct {
	Winner board.Colour // Empty for a draw
	Why    string       // a clause
	Result sgf.Result
}

// NoGo is the game in which nothing is captured and who cannot move loses.
type NoGo struct{}

func (NoGo) String() string { return "NoGo" }

// Play puts a stone.
func (NoGo) Play(p Position, move board.Point) (Position, error) {
	if move == weiqi.Pass {
		return p, fmt.Errorf("NoGo knows no pass: who cannot move has lost")
	}
	next, err := nogo.Position{Size: p.Size, Stones: p.Stones}.Play(move, p.ToPlay)
	if err != nil {
		return p, err
	}
	p.Stones, p.ToPlay = next.Stones, p.ToPlay.Opponent()
	return p, nil
}

func (NoGo) open(p Position) [2]board.Set {
	position := nogo.Position{Size: p.Size, Stones: p.Stones}
	return [2]board.Set{position.Legal(board.Black), position.Legal(board.White)}
}

// End is when the side to play cannot.
func (g NoGo) End(game []Position) (Outcome, bool) {
	now := game[len(game)-1]
	if !g.open(now)[now.ToPlay].IsEmpty() {
		return Outcome{}, false
	}
	winner := now.ToPlay.Opponent()
	return Outcome{winner, fmt.Sprintf("%s has no legal move", title(now.ToPlay)), sgf.Win(winner, sgf.ByResignation)}, true
}

func (NoGo) passes() bool { return false }

func (NoGo) scored() bool { return false }

func (NoGo) recorded() string { return "NoGo" }

// Go is played under basic ko, by area and without komi. A game that comes back to a
// position is endless, and a draw.
type Go struct{}

func (Go) String() string { return "Go" }

// Play puts a stone or passes.
func (Go) Play(p Position, move board.Point) (Position, error) {
	return weiqi.Rules{}.Play(p, move)
}

func (Go) open(p Position) [2]board.Set {
	var sets [2]board.Set
	for c := range sets {
		side := p
		side.Passes = 0 // points stay open on a board that is scored
		if side.ToPlay = board.Colour(c); side.ToPlay != p.ToPlay {
			side.Ko = board.NoPoint
		}
		sets[c] = weiqi.Rules{}.Legal(side)
	}
	return sets
}

// End is when both sides have passed or a position has come back.
func (Go) End(game []Position) (Outcome, bool) {
	now := game[len(game)-1]
	if now.Over() {
		score := now.Score()
		o := Outcome{Winner: board.Empty, Why: "both sides have passed, the areas are equal", Result: sgf.Score(float64(score))}
		switch {
		case score > 0:
			o.Winner, o.Why = board.Black, fmt.Sprintf("both sides have passed, Black leads by %d", score)
		case score < 0:
			o.Winner, o.Why = board.White, fmt.Sprintf("both sides have passed, White leads by %d", -score)
		}
		return o, true
	}
	for _, earlier := range game[:len(game)-1] {
		if earlier == now {
			return Outcome{board.Empty, "the position has come back, and an endless game is a draw", sgf.Score(0)}, true
		}
	}
	return Outcome{}, false
}

func (Go) passes() bool { return true }

func (Go) scored() bool { return true }

// recorded is nothing: records of Go have no name for basic ko with a score by area.
func (Go) recorded() string { return "" }
