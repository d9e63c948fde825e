package player

import (
	"tengen/board"
	"tengen/nogo"
)

// cells bounds the cells of a field: 19 rows of 20 and a row of wall on either side.
const (
	cells    = 512
	cellMask = cells - 1
)

// What a cell of a field holds; the colours are those of package board.
const (
	vacant = uint8(board.Empty)
	wall   = 3
)

// sides is a set of colours, bit 0 for Black and bit 1 for White.
type sides uint8

const both sides = 3

func side(c uint8) sides { return 1 << c }

// terrain is the shape of a board as a field has it: the cells of package board
// with a row of wall below and above. The padding column is wall on both sides.
type terrain struct {
	size   board.Size
	stride uint16
	cells  int
}

func newTerrain(size board.Size) terrain {
	return terrain{size, uint16(size.Stride()), (size.Rows + 2) * size.Stride()}
}

func (t terrain) cell(p board.Point) uint16 { return uint16(p) + t.stride }

func (t terrain) point(cell uint16) board.Point { return board.Point(cell - t.stride) }

// field is a position that is played on by the million: every stone knows its
// block, and a block knows whether it has more than one liberty.
//
// liberties sums over the pairs of a stone of the block and an empty cell q next
// to it:
//
//	63……52 the number of pairs   51……32 the sum of q   31……0 the sum of q²
//
// By the inequality of Cauchy and Schwarz the number times the sum of squares is
// the square of the sum only if all q are the same: the last liberty. Joining
// blocks is one addition, taking a liberty one subtraction. Cells without a
// stone are blocks of their own whose liberties mean nothing, so that nobody
// has to ask before subtracting.
type field struct {
	holds     [cells]uint8
	block     [cells]uint16
	next      [cells]uint16 // the stones of a block in a ring
	stones    [cells]uint16 // of a block
	liberties [cells]uint64
}

func pair(q uint16) uint64 { return 1<<52 | uint64(q)<<32 | uint64(q)*uint64(q) }

// single is 1 if all pairs name the same cell.
func single(l uint64) uint8 {
	n, sum, squares := l>>52, l>>32&(1<<20-1), l&(1<<32-1)
	var one uint8
	if n*squares == sum*sum {
		one = 1
	}
	return one
}

// last is the one cell that the pairs name.
func last(l uint64) uint16 { return uint16((l >> 32 & (1<<20 - 1)) / (l >> 52)) }

// set makes the field a position.
func (f *field) set(t terrain, p nogo.Position) {
	for i := range t.cells {
		f.holds[i], f.block[i], f.next[i], f.stones[i], f.liberties[i] = wall, uint16(i), uint16(i), 1, 0
	}
	for _, q := range p.Size.All() {
		f.holds[t.cell(q)] = vacant
	}
	for c := range p.Stones {
		for q := range p.Stones[c].Points() {
			f.play(t.stride, t.cell(q), uint8(c))
		}
	}
}

// copy takes over another field of n cells.
func (f *field) copy(from *field, n int) {
	copy(f.holds[:n], from.holds[:n])
	copy(f.block[:n], from.block[:n])
	copy(f.next[:n], from.next[:n])
	copy(f.stones[:n], from.stones[:n])
	copy(f.liberties[:n], from.liberties[:n])
}

// What a cell next to a point says about playing there, by what it holds and
// whether its block has a single liberty: bits 0 and 1 are the sides whose stone
// would have a liberty, bits 4 and 5 those that would take the last one.
var says = [8]uint8{
	board.Black << 1: 1, board.Black<<1 | 1: 2 << 4,
	board.White << 1: 2, board.White<<1 | 1: 1 << 4,
	vacant << 1: 3, vacant<<1 | 1: 3,
}

// open is the set of sides that may play on a vacant cell.
func (f *field) open(stride, p uint16) sides {
	a := f.said(p-1) | f.said(p+1) | f.said(p-stride) | f.said(p+stride)
	return sides(a &^ (a >> 4) & 3)
}

func (f *field) said(q uint16) uint8 {
	q &= cellMask
	return says[(f.holds[q]<<1|single(f.liberties[f.block[q]&cellMask]))&7]
}

// play puts a stone on a vacant cell.
func (f *field) play(stride, p uint16, c uint8) {
	p &= cellMask
	f.holds[p] = c
	taken := pair(p)
	own := f.touch(p-1, taken) + f.touch(p+1, taken) + f.touch(p-stride, taken) + f.touch(p+stride, taken)
	f.block[p], f.next[p], f.stones[p], f.liberties[p] = p, p, 1, own
	for _, q := range [4]uint16{p - 1, p + 1, p - stride, p + stride} {
		if f.holds[q&cellMask] == c {
			f.join(p, q&cellMask)
		}
	}
}

// touch takes a liberty from the block at q, and is the liberty that q is itself.
func (f *field) touch(q uint16, taken uint64) uint64 {
	q &= cellMask
	f.liberties[f.block[q]&cellMask] -= taken
	var own uint64
	if f.holds[q] == vacant {
		own = pair(q)
	}
	return own
}

// join makes one block of those of two stones; the smaller takes the name of the larger.
func (f *field) join(p, q uint16) {
	a, b := f.block[p&cellMask]&cellMask, f.block[q&cellMask]&cellMask
	if a == b {
		return
	}
	if f.stones[a] < f.stones[b] {
		a, b = b, a
	}
	f.stones[a] += f.stones[b]
	f.liberties[a] += f.liberties[b]
	for s := b; ; {
		f.block[s] = a
		s = f.next[s] & cellMask
		if s == b {
			break
		}
	}
	f.next[a], f.next[b] = f.next[b], f.next[a]
}
