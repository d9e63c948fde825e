package weiqi_test

import (
	"maps"

	"tengen/board"
	"tengen/weiqi"
)

// The oracle plays Go on maps of row and column, straight from the rules. It
// finds repetitions by comparing whole boards, not by the shape of a ko. It
// shares only the names of the colours with the package.

type cell struct{ row, col int }

type slowBoard struct {
	rows, cols int
	stones     map[cell]board.Colour
}

func slow(p weiqi.Position) slowBoard {
	b := slowBoard{p.Size.Rows, p.Size.Cols, map[cell]board.Colour{}}
	for c := range p.Stones {
		for q := range p.Stones[c].Points() {
			b.stones[cell{p.Size.Row(q), p.Size.Col(q)}] = board.Colour(c)
		}
	}
	return b
}

func (b slowBoard) around(c cell) []cell {
	var list []cell
	for _, n := range []cell{{c.row + 1, c.col}, {c.row - 1, c.col}, {c.row, c.col + 1}, {c.row, c.col - 1}} {
		if n.row >= 0 && n.row < b.rows && n.col >= 0 && n.col < b.cols {
			list = append(list, n)
		}
	}
	return list
}

// reach is everything of one kind connected to c, and the kinds next to it.
func (b slowBoard) reach(c cell) (same map[cell]bool, beside map[board.Colour]bool) {
	kind := func(c cell) board.Colour {
		if colour, ok := b.stones[c]; ok {
			return colour
		}
		return board.Empty
	}
	same, beside = map[cell]bool{c: true}, map[board.Colour]bool{}
	for grown := true; grown; {
		grown = false
		for at := range maps.Clone(same) {
			for _, n := range b.around(at) {
				if kind(n) != kind(c) {
					beside[kind(n)] = true
				} else if !same[n] {
					same[n], grown = true, true
				}
			}
		}
	}
	return same, beside
}

func (b slowBoard) dead(c cell) bool {
	_, beside := b.reach(c)
	return !beside[board.Empty]
}

func (b slowBoard) sound() bool {
	for c := range b.stones {
		if b.dead(c) {
			return false
		}
	}
	return true
}

// play puts a stone on an empty point, removes the opponent's dead and then
// one's own, and reports whether any of one's own died.
func (b slowBoard) play(c cell, colour board.Colour) (slowBoard, bool) {
	next := slowBoard{b.rows, b.cols, maps.Clone(b.stones)}
	next.stones[c] = colour
	next.remove(colour.Opponent())
	return next, next.remove(colour)
}

func (b slowBoard) remove(colour board.Colour) bool {
	var gone []cell
	for c, x := range b.stones {
		if x == colour && b.dead(c) {
			gone = append(gone, c)
		}
	}
	for _, c := range gone {
		delete(b.stones, c)
	}
	return len(gone) > 0
}

func (b slowBoard) score() int {
	score := 0
	for row := range b.rows {
		for col := range b.cols {
			c := cell{row, col}
			colour, occupied := b.stones[c]
			_, beside := b.reach(c)
			switch {
			case occupied && colour == board.Black, !occupied && beside[board.Black] && !beside[board.White]:
				score++
			case occupied, beside[board.White] && !beside[board.Black]:
				score--
			}
		}
	}
	return score
}
