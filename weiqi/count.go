package weiqi

import (
	"math/big"
	"slices"

	"tengen/board"
)

// LegalPositions counts the boards on which every block has a liberty, by the border-state
// recurrence of Tromp and Farnebäck. It fills the board cell by cell and keeps only the
// border, the last cell filled in every column: the rest of the count depends on nothing
// else. The work grows exponentially with the shorter side only.
func LegalPositions(size board.Size) *big.Int {
	width, length := min(size.Rows, size.Cols), max(size.Rows, size.Cols)
	states := map[string]*big.Int{string(make([]byte, width)): big.NewInt(1)}
	for cell := range width * length {
		next := make(map[string]*big.Int, 3*len(states))
		for key, n := range states {
			for c := range byte(3) {
				b := border{cells: []byte(key), col: cell % width, row: cell / width}
				if b.fill(c) {
					add(next, b.key(), n)
				}
			}
		}
		states = next
	}
	total := new(big.Int)
	for key, n := range states {
		if b := (border{cells: []byte(key)}); b.breathes() {
			total.Add(total, n)
		}
	}
	return total
}

func add(states map[string]*big.Int, key string, n *big.Int) {
	if sum := states[key]; sum != nil {
		sum.Add(sum, n)
		return
	}
	states[key] = new(big.Int).Set(n)
}

// border is the last cell filled in every column. The number of a cell means:
//
//	0          empty
//	1, 2       a stone whose block has a liberty
//	3 + 2i, …  a stone without one so far, by block i and colour: 3+2i and 4+2i
//
// Two stones without a liberty share a block exactly if they share the number.
type border struct {
	cells    []byte
	row, col int // of the cell to be filled next
}

const needy = 3

func colourOf(cell byte) byte {
	if cell >= needy {
		return (cell-needy)&1 + 1
	}
	return cell
}

// fill puts c at the next cell. It reports false if a block can then never have a liberty.
func (b *border) fill(c byte) bool {
	above := b.cells[b.col]
	hasAbove := b.row > 0
	fresh := byte(needy+2*len(b.cells)) + c - 1 // no block has this number yet
	cell := c
	if c != 0 {
		cell = fresh
	}
	b.cells[b.col] = cell
	meet := func(neighbour byte) {
		switch {
		case c == 0 && neighbour >= needy:
			b.replace(neighbour, colourOf(neighbour))
		case c != 0 && neighbour == 0:
			b.replace(b.cells[b.col], c)
		case c != 0 && colourOf(neighbour) == c:
			b.join(neighbour, b.cells[b.col])
		}
	}
	if hasAbove {
		meet(above)
	}
	if b.col > 0 {
		// This is read only now: meeting the cell above may have renumbered the block on
		// the left.
		meet(b.cells[b.col-1])
	}
	return !hasAbove || above < needy || b.survives(above, c)
}

// survives reports whether the block that c has covered can still have a liberty: it is
// elsewhere on the border, it goes on in the new cell, or the new cell is its liberty.
func (b *border) survives(covered, c byte) bool {
	return c == 0 || c == colourOf(covered) || slices.Contains(b.cells, covered)
}

func (b *border) replace(from, to byte) {
	for i, cell := range b.cells {
		if cell == from && cell >= needy {
			b.cells[i] = to
		}
	}
}

// join makes one block of two of one colour; a liberty of either is enough.
func (b *border) join(x, y byte) { b.replace(max(x, y), min(x, y)) }

// key numbers the blocks in the order they appear, so that equal borders are equal strings.
func (b *border) key() string {
	names := make(map[byte]byte)
	for i, cell := range b.cells {
		if cell < needy {
			continue
		}
		name, ok := names[cell]
		if !ok {
			name = byte(needy+2*len(names)) + colourOf(cell) - 1
			names[cell] = name
		}
		b.cells[i] = name
	}
	return string(b.cells)
}

func (b *border) breathes() bool {
	return !slices.ContainsFunc(b.cells, func(cell byte) bool { return cell >= needy })
}
