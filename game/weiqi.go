package game

import (
	"fmt"

	"tengen/board"
	"tengen/weiqi"
)

// Go is the game of package weiqi, under any of its rules; the zero value has basic
// ko. It is scored by area when both sides have passed.
type Go struct{ weiqi.Rules }

// Name is go, whatever the rules.
func (Go) Name() string { return "go" }

// String includes the rules if they are not basic ko.
func (g Go) String() string {
	if g.Rules == (weiqi.Rules{}) {
		return "Go"
	}
	return fmt.Sprintf("Go (%s)", g.Rules)
}

// Label is the name of the rules, such as psk.
func (g Go) Label() string { return g.Rules.String() }

// Validate reports the first block without a liberty, and a ban or passes that no
// move can have left.
func (Go) Validate(p Position) error { return p.Validate() }

// Superko is the rule on repetition.
func (g Go) Superko() weiqi.Ko { return g.Ko }

// End is when both sides have passed.
func (Go) End(p Position, komi float64) (Outcome, bool) {
	if !p.Over() {
		return Outcome{}, false
	}
	o := Outcome{How: Score, Lead: float64(p.Score()) - komi, Why: "both sides have passed"}
	switch {
	case o.Lead > 0:
		o.Winner = board.Black.Wins()
	case o.Lead < 0:
		o.Winner = board.White.Wins()
	}
	return o, true
}

// Passes is true.
func (Go) Passes() bool { return true }

// Scored is true.
func (Go) Scored() bool { return true }
