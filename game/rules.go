// Package game gives front ends one view of NoGo and Go: the position, the side to
// play, the history, the legal moves and their names, the result, and the record of a
// game. It searches nothing and draws nothing.
//
// Rules are the rules of one game and look at one position at a time. A Game is played
// by them and owns the history. So it handles superko, moves taken back, endless games
// and records.
//
// Another game of this kind needs one new file: a comparable type with the methods of
// Rules, as in nogo.go. Its zero value goes into the list of All. All games share the
// type Position, which is that of Go. A game leaves the fields alone that it does not
// use, as NoGo does with the ban of ko and the passes.
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

// Rules are the rules of one game. They are values: equal rules compare equal with ==.
type Rules interface {
	// Name is short and in small letters, for flags and files.
	Name() string
	// String is the name for people.
	String() string
	// Label is the name of the rules in a game record.
	Label() string

	// Validate refuses a position that no game can have.
	Validate(p Position) error
	// Legal is the set of points where the side to play may put a stone. Like Play it
	// ignores the history; Game checks that too.
	Legal(p Position) board.Set
	// Play makes a move, a point or Pass, or says why it may not be made.
	Play(p Position, move board.Point) (Position, error)
	// Superko says which boards may not repeat. It is weiqi.Basic if only the ban in
	// the position counts, or if no board can repeat.
	Superko() weiqi.Ko
	// End returns how the game has ended, if it has, by the position alone.
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

// ParseRules finds a game by its name. Go comes with basic ko; a Go literal can hold
// other rules.
func ParseRules(name string) (Rules, error) {
	if r, ok := named(name); ok {
		return r, nil
	}
	return nil, fmt.Errorf("there is no game %q here: choose %s", name, strings.Join(Names(), " or "))
}

// named also finds nogo under names such as "No-Go", since some records are written by
// hand.
func named(name string) (Rules, bool) {
	bare := strings.NewReplacer(" ", "", "-", "").Replace(name)
	for _, r := range All() {
		if strings.EqualFold(bare, r.Name()) {
			return r, true
		}
	}
	return nil, false
}

// Recorded returns the rules that a record names. If it names no rules that are known
// here, the game is Go under basic ko: the format makes Go the default.
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
// positions that the rules do not allow.
func ParsePosition(r Rules, text string) (Position, error) {
	size, stones, err := board.ParseDiagram(text)
	if err != nil {
		return Position{}, err
	}
	p := Start(size, stones, board.Black)
	return p, r.Validate(p)
}
