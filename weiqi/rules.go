// Package weiqi holds the rules of Go: stones and passes in turn, capture,
// basic ko or superko, area score, and two passes in a row to end the game. It
// knows nothing of search.
//
// Rules is a small value that plays moves on a Position. A Position knows the ban of a basic
// ko. Superko needs the earlier positions, which History keeps. Grid is the same game on one
// machine word per colour, for boards of at most 64 padded cells. Position uses Grid on those
// boards and a flood fill on others.
package weiqi

import (
	"fmt"
	"math/bits"
	"strings"

	"tengen/board"
)

// Pass is the move that puts no stone.
const Pass = board.NoPoint

// Ko says which repetitions are forbidden.
type Ko uint8

// The ko rules.
const (
	// Basic forbids retaking at once a single stone that has just captured a single stone.
	Basic Ko = iota
	// Positional forbids stones that recreate any earlier board.
	Positional
	// Situational forbids stones that recreate an earlier board with the same side to play.
	Situational
)

func (k Ko) String() string {
	if k > Situational {
		return "an unknown ko rule"
	}
	return [...]string{"basic ko", "positional superko", "situational superko"}[k]
}

// Rules holds the differences between rule sets, which all score by area. The zero value is
// basic ko without suicide.
type Rules struct {
	Ko      Ko
	Suicide bool // a move may remove the mover's own block
}

// TrompTaylor is the logical rule set of Tromp and Taylor: positional superko, suicide allowed.
var TrompTaylor = Rules{Ko: Positional, Suicide: true}

// named lists the rule sets that have names, in the order shown to users.
var named = []struct {
	name  string
	rules Rules
}{
	{"basic", Rules{Ko: Basic}},
	{"psk", Rules{Ko: Positional}},
	{"ssk", Rules{Ko: Situational}},
	{"tromp-taylor", TrompTaylor},
}

// ParseRules reads the name of a rule set.
func ParseRules(text string) (Rules, error) {
	var names []string
	for _, set := range named {
		if strings.EqualFold(text, set.name) {
			return set.rules, nil
		}
		names = append(names, set.name)
	}
	return Rules{}, fmt.Errorf("rules %q are not known: choose one of %s", text, strings.Join(names, ", "))
}

func (r Rules) String() string {
	for _, set := range named {
		if set.rules == r {
			return set.name
		}
	}
	text := r.Ko.String()
	if r.Ko <= Situational {
		text = [...]string{"basic", "psk", "ssk"}[r.Ko]
	}
	if r.Suicide {
		text += " with suicide"
	}
	return text
}

// Legal is the set of points where the side to play may put a stone. Under superko it ignores
// the history; History.Legal checks it too.
func (r Rules) Legal(p Position) board.Set {
	if p.Over() || p.ToPlay > board.White {
		return board.Set{}
	}
	var legal board.Set
	if p.Size.Small() && !r.Suicide {
		own, other := p.small()
		legal[0] = NewGrid(p.Size).Legal(own, other)
	} else {
		for q := range p.Empty().Points() {
			if _, _, died := p.put(q); r.Suicide || died.IsEmpty() {
				legal.Add(q)
			}
		}
	}
	if p.Ko != board.NoPoint {
		legal.Remove(p.Ko)
	}
	return legal
}

// Play makes a move, a point or Pass, or says why it may not be made.
func (r Rules) Play(p Position, q board.Point) (Position, error) {
	if err := p.ToPlay.CheckPlayer(); err != nil {
		return p, err
	}
	if p.Over() {
		return p, fmt.Errorf("%s may not play: the game is over", p.ToPlay)
	}
	next := p
	next.ToPlay, next.Ko = p.ToPlay.Opponent(), board.NoPoint
	if q == Pass {
		next.Passes++
		return next, nil
	}
	next.Passes = 0
	if !p.Size.Contains(q) {
		return p, fmt.Errorf("there is no such point on a %s board", p.Size)
	}
	if p.Stones.At(q) != board.Empty {
		return p, fmt.Errorf("%s may not play %s: the point is occupied", p.ToPlay, p.Size.Name(q))
	}
	if q == p.Ko {
		return p, fmt.Errorf("%s may not play %s: it would retake the ko at once", p.ToPlay, p.Size.Name(q))
	}
	if p.Size.Small() && !r.Suicide {
		return r.playSmall(p, q)
	}
	stones, taken, died := p.put(q)
	if !died.IsEmpty() && !r.Suicide {
		return p, noLiberty(p, q)
	}
	next.Stones = stones
	if r.Ko == Basic {
		next.Ko = next.ban(q, taken)
	}
	return next, nil
}

// playSmall puts a stone on an empty point of a small board, without suicide.
func (r Rules) playSmall(p Position, q board.Point) (Position, error) {
	g := NewGrid(p.Size)
	own, other := p.small()
	own, other, ban := g.Play(own, other, 1<<q)
	if block := g.Flood(1<<q, own); g.Around(block)&^(own|other) == 0 {
		return p, noLiberty(p, q)
	}
	next := Position{Size: p.Size, Stones: p.Stones, ToPlay: p.ToPlay.Opponent(), Ko: board.NoPoint}
	next.Stones[p.ToPlay][0], next.Stones[next.ToPlay][0] = own, other
	if ban != 0 && r.Ko == Basic {
		next.Ko = board.Point(bits.TrailingZeros64(ban))
	}
	return next, nil
}

func noLiberty(p Position, q board.Point) error {
	return fmt.Errorf("%s may not play %s: the stone would have no liberty", p.ToPlay, p.Size.Name(q))
}
