package session

import (
	"context"

	"tengen/board"
	"tengen/sgf"
	"tengen/weiqi"
)

// Game names one of the games a session can play.
type Game string

// The games.
const (
	NoGo Game = "nogo"
	Go   Game = "go"
)

// rules are what the games differ in. A position of either is one of Go; NoGo leaves
// the ban and the passes in it alone. Komi counts in Go.
type rules interface {
	game() Game
	id() string // as GoGui calls the game
	// expert makes the player for a board.
	expert(ctx context.Context, o Options, size board.Size) (expert, error)

	check(p weiqi.Position) error // refuses stones that no game can have
	passable() bool               // a pass is a move
	legal(p weiqi.Position) board.Set
	move(p weiqi.Position, q board.Point) (weiqi.Position, error)

	over(p weiqi.Position) bool
	status(p weiqi.Position, komi float64) string // whose turn it is, or how the game ended
	score(p weiqi.Position, komi float64) (string, error)
	verdict(p weiqi.Position, komi float64) string // of a game that is over, for GoGui
	result(p weiqi.Position, komi float64) sgf.Result
	label() string      // RU in a record
	surrender() string  // what to answer where there is nothing to play
	analyses() []string // the analysis commands, as GoGui reads them
}

// game is a position, the moves played from it, and every position on the way.
type game struct {
	rules
	positions []weiqi.Position
	moves     []move
}

type move struct {
	colour board.Colour
	point  board.Point // or weiqi.Pass
}

func newGame(r rules, start weiqi.Position) game {
	return game{rules: r, positions: []weiqi.Position{start}}
}

func (g *game) now() weiqi.Position { return g.positions[len(g.positions)-1] }

func (g *game) size() board.Size { return g.positions[0].Size }

// toPlay is the opponent of who moved last.
func (g *game) toPlay() board.Colour { return g.now().ToPlay }

// at is the position with c to play. The protocol lets either colour move at any
// time, which is how programs set up positions; that the other side did not move
// lifts a ban and is no pass.
func (g *game) at(c board.Colour) weiqi.Position {
	p := g.now()
	if p.ToPlay == c {
		return p
	}
	p.ToPlay, p.Ko = c, board.NoPoint
	if !p.Over() {
		p.Passes = 0
	}
	return p
}

func (g *game) play(m move) error {
	next, err := g.move(g.at(m.colour), m.point)
	if err != nil {
		return err
	}
	g.positions = append(g.positions, next)
	g.moves = append(g.moves, m)
	return nil
}

// undo takes the last move back and reports whether there was one.
func (g *game) undo() bool {
	if len(g.moves) == 0 {
		return false
	}
	g.moves = g.moves[:len(g.moves)-1]
	g.positions = g.positions[:len(g.positions)-1]
	return true
}

// untouched reports whether nothing has happened on an empty board.
func (g *game) untouched() bool {
	return len(g.moves) == 0 && g.now().Stones == board.Stones{}
}

// pass is how the move without a stone is written.
const pass = "pass"

func vertex(size board.Size, p board.Point) string {
	if p == weiqi.Pass {
		return pass
	}
	return size.Name(p)
}
