package nogo_test

import "tengen/board"

// The oracle plays NoGo on maps of row and column, straight from the rules. It
// shares only the names of the colours with the package.

type cell struct{ row, col int }

type slowBoard struct {
	rows, cols int
	stones     map[cell]board.Colour
}

func (b slowBoard) on(c cell) bool {
	return c.row >= 0 && c.row < b.rows && c.col >= 0 && c.col < b.cols
}

func (b slowBoard) around(c cell) []cell {
	var list []cell
	for _, n := range []cell{{c.row + 1, c.col}, {c.row - 1, c.col}, {c.row, c.col + 1}, {c.row, c.col - 1}} {
		if b.on(n) {
			list = append(list, n)
		}
	}
	return list
}

// breathes reports whether the block that holds c has a liberty.
func (b slowBoard) breathes(c cell, seen map[cell]bool) bool {
	seen[c] = true
	for _, n := range b.around(c) {
		colour, occupied := b.stones[n]
		if !occupied {
			return true
		}
		if colour == b.stones[c] && !seen[n] && b.breathes(n, seen) {
			return true
		}
	}
	return false
}

// sound reports whether every block has a liberty.
func (b slowBoard) sound() bool {
	for c := range b.stones {
		if !b.breathes(c, map[cell]bool{}) {
			return false
		}
	}
	return true
}

// legal puts the stone down and looks at the whole board.
func (b slowBoard) legal(c cell, colour board.Colour) bool {
	if _, occupied := b.stones[c]; occupied {
		return false
	}
	b.stones[c] = colour
	ok := b.sound()
	delete(b.stones, c)
	return ok
}

func (b slowBoard) moves(colour board.Colour) []cell {
	var list []cell
	for row := range b.rows {
		for col := range b.cols {
			if b.legal(cell{row, col}, colour) {
				list = append(list, cell{row, col})
			}
		}
	}
	return list
}

func (b slowBoard) perft(colour board.Colour, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	var n uint64
	for _, c := range b.moves(colour) {
		b.stones[c] = colour
		n += b.perft(colour.Opponent(), depth-1)
		delete(b.stones, c)
	}
	return n
}
