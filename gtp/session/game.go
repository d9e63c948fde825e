package session

import (
	"tengen/board"
	"tengen/nogo"
)

// game is a position, the moves played from it, and every position on the way.
type game struct {
	first     board.Colour // who is to play before any move
	positions []nogo.Position
	moves     []move
}

type move struct {
	colour board.Colour
	point  board.Point
}

func newGame(p nogo.Position, first board.Colour) game {
	return game{first: first, positions: []nogo.Position{p}}
}

func (g *game) now() nogo.Position { return g.positions[len(g.positions)-1] }

func (g *game) size() board.Size { return g.positions[0].Size }

// toPlay is the opponent of who moved last. The protocol lets either colour move at any
// time, which is how programs set up positions.
func (g *game) toPlay() board.Colour {
	if len(g.moves) == 0 {
		return g.first
	}
	return g.moves[len(g.moves)-1].colour.Opponent()
}

func (g *game) play(m move) error {
	next, err := g.now().Play(m.point, m.colour)
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

// winner is the opponent of a side to play without a legal move, Empty if it has one.
func (g *game) winner() board.Colour {
	if g.now().Legal(g.toPlay()).IsEmpty() {
		return g.toPlay().Opponent()
	}
	return board.Empty
}
