// Package game is what a front end has to know of a game played with stones on a
// board, the same for NoGo and Go: the position, whose turn it is, what happened
// before, which moves are legal and what they are called, how a game ended, and its
// record. It searches nothing and draws nothing.
//
// Rules are those of one game and know one position at a time. A Game is played by
// them: it owns the history, and so superko, taking back, endless games and records.
//
// Another game of this kind is one new file: a comparable type with the methods of
// Rules, as in nogo.go, and its zero value in the list of All. What the rules of a
// position cannot say has its place in Position, which is that of Go; a game leaves
// alone what it does not use, as NoGo does with the ban of ko and the passes.
package game

import (
	"fmt"
	"strings"

	"tengen/board"
	"tengen/sgf"
	"tengen/weiqi"
)

// Position is a position of any of the games: size, stones, the side to play, the ban
// of ko and the passes in a row. Equal positions compare equal with ==.
type Position = weiqi.Position

// Pass is the move that puts no stone, in games that have it.
const Pass = weiqi.Pass

// Rules are those of one game. They are values: equal rules compare equal with ==.
type Rules interface {
	// Name is short and in small letters, for flags and files.
	Name() string
	// String is the name for people.
	String() string
	// Label is what a record says of the rules.
	Label() string

	// Validate refuses a position that no game can have.
	Validate(p Position) error
	// Legal is the set of points where the side to play may put a stone. It leaves out
	// the history, as Play does; Game asks it too.
	Legal(p Position) board.Set
	// Play makes a move, a point or Pass, or says why it may not be made.
	Play(p Position, move board.Point) (Position, error)
	// Superko says which boards may not come again. It is weiqi.Basic if only the ban
	// in the position counts, or if no board can come again.
	Superko() weiqi.Ko
	// End tells how the game has ended, if it has, by the position alone.
	End(p Position, komi float64) (Outcome, bool)

	// Passes reports whether a pass is a move.
	Passes() bool
	// Scored reports whether a game is won by points, and so whether komi counts.
	Scored() bool
}

// All are the games, in the order in which users see them.
func All() []Rules { return []Rules{NoGo{}, Go{}} }

// Names are the names of the games, in the same order.
func Names() []string {
	var names []string
	for _, r := range All() {
		names = append(names, r.Name())
	}
	return names
}

// ParseRules finds a game by its name. Go comes with basic ko; Go{} has room for
// other rules.
func ParseRules(name string) (Rules, error) {
	if r, ok := named(name); ok {
		return r, nil
	}
	return nil, fmt.Errorf("there is no game %q here: choose %s", name, strings.Join(Names(), " or "))
}

// named takes "No-Go" for nogo, since records are written by hand too.
func named(name string) (Rules, bool) {
	bare := strings.NewReplacer(" ", "", "-", "").Replace(name)
	for _, r := range All() {
		if strings.EqualFold(bare, r.Name()) {
			return r, true
		}
	}
	return nil, false
}

// Recorded are the rules that a record names. A record that names none that are known
// here is one of Go, as the format has it, under basic ko.
func Recorded(record *sgf.Game) Rules {
	if r, ok := named(record.Rules); ok {
		return r
	}
	rules, err := weiqi.ParseRules(strings.TrimSpace(record.Rules))
	if err != nil {
		return Go{}
	}
	return Go{rules}
}

// NewPosition is the empty board, Black to play.
func NewPosition(size board.Size) Position { return weiqi.NewPosition(size) }

// Start is a position to begin with: nothing is banned, nobody has passed.
func Start(size board.Size, stones board.Stones, toPlay board.Colour) Position {
	return Position{Size: size, Stones: stones, ToPlay: toPlay, Ko: board.NoPoint}
}

// ParsePosition reads a diagram, rows from the top such as x../.o./..., and refuses
// what the rules do.
func ParsePosition(r Rules, diagram string, toPlay board.Colour) (Position, error) {
	size, stones, err := board.ParseDiagram(diagram)
	if err != nil {
		return Position{}, err
	}
	p := Start(size, stones, toPlay)
	return p, r.Validate(p)
}
