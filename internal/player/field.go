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

// The contents of a cell of a field; the colours are those of package board.
const (
	vacant = uint8(board.Empty)
	wall   = 3
)

// sides is a set of colours, bit 0 for Black and bit 1 for White.
type sides uint8

const both sides = 3

func side(c uint8) sides { return 1 << c }

// terrain is the shape of a board in a field: the cells of package board with a
// row of wall below and above. The padding column is wall on both sides.
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

// field is the position of a playout, made for speed: every stone knows its block,
// and a block knows whether it has more than one liberty.
//
// liberties sums over the pairs of a stone of the block and an empty cell q next
// to it:
//
//	63……52 the number of pairs   51……32 the sum of q   31……0 the sum of q²
//
// By the inequality of Cauchy and Schwarz the number times the sum of squares is
// the square of the sum only if all q are the same: the last liberty. Joining
// blocks is one addition, taking a liberty one subtraction. Cells without a stone
// are blocks of their own with meaningless liberties, so that a subtraction needs
// no test.
type field struct {
	holds     [cells]uint8
	effect    [cells]uint8  // effect of a block on the points next to it: see effects
	near      [cells]uint16 // contents around a cell: see vacantNear
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
		f.holds[i], f.effect[i], f.block[i], f.next[i], f.stones[i], f.liberties[i] = wall, 0, uint16(i), uint16(i), 1, 0
		f.near[i] = occupiedNear
	}
	for _, q := range p.Size.All() {
		cell := t.cell(q)
		f.holds[cell], f.effect[cell] = vacant, effects[vacant<<1]
		f.near[cell] -= occupiedNear
		for _, next := range t.around(cell) {
			f.near[next] += vacantNear
		}
	}
	for c := range p.Stones {
		for q := range p.Stones[c].Points() {
			f.play(t.stride, t.cell(q), uint8(c))
		}
	}
}

// copy copies n cells of another field.
func (f *field) copy(from *field, n int) {
	copy(f.holds[:n], from.holds[:n])
	copy(f.effect[:n], from.effect[:n])
	copy(f.near[:n], from.near[:n])
	copy(f.block[:n], from.block[:n])
	copy(f.next[:n], from.next[:n])
	copy(f.stones[:n], from.stones[:n])
	copy(f.liberties[:n], from.liberties[:n])
}

// effects are the effects of a cell on a point next to it, by the content of the
// cell and whether its block has a single liberty. Bits 0 and 1 are the sides
// whose stone would have a liberty, bits 4 and 5 the sides that would take the
// last one.
var effects = [8]uint8{
	board.Black << 1: 1, board.Black<<1 | 1: 2 << 4,
	board.White << 1: 2, board.White<<1 | 1: 1 << 4,
	vacant << 1: 3, vacant<<1 | 1: 3,
}

// effect is the effect of a block with some liberties.
func effect(holds uint8, l uint64) uint8 { return effects[(holds<<1|single(l))&7] }

// open is the set of sides that may play on a vacant cell.
func (f *field) open(stride, p uint16) sides {
	a := f.effectAt(p-1) | f.effectAt(p+1) | f.effectAt(p-stride) | f.effectAt(p+stride)
	return sides(a &^ (a >> 4) & 3)
}

func (f *field) effectAt(q uint16) uint8 { return f.effect[f.block[q&cellMask]&cellMask] }

// play puts a stone on a vacant cell.
func (f *field) play(stride, p uint16, c uint8) {
	p &= cellMask
	f.holds[p] = c
	f.near[p] += occupiedNear
	stone := uint16(stoneNear<<(3*c&7) - vacantNear)
	taken := pair(p)
	own := f.touch(p-1, taken, stone) + f.touch(p+1, taken, stone) + f.touch(p-stride, taken, stone) + f.touch(p+stride, taken, stone)
	f.block[p], f.next[p], f.stones[p], f.liberties[p] = p, p, 1, own
	f.joinTo(p-1, p, c)
	f.joinTo(p+1, p, c)
	f.joinTo(p-stride, p, c)
	f.joinTo(p+stride, p, c)
	b := f.block[p] & cellMask
	f.effect[b] = effect(c, f.liberties[b])
}

// touch takes a liberty from the block at q and puts a stone near it. It returns
// the pair of q if q is vacant: q is then a liberty of the stone.
func (f *field) touch(q uint16, taken uint64, stone uint16) uint64 {
	q &= cellMask
	f.near[q] += stone
	b, holds := f.block[q]&cellMask, f.holds[q]
	l := f.liberties[b] - taken
	f.liberties[b], f.effect[b] = l, effect(holds, l)
	var own uint64
	if holds == vacant {
		own = pair(q)
	}
	return own
}

// joinTo joins the block of a stone of c at p with the block at q, if q has a
// stone of c.
func (f *field) joinTo(q, p uint16, c uint8) {
	if f.holds[q&cellMask] == c {
		f.join(p, q)
	}
}

// join joins the blocks of two stones; the smaller takes the name of the larger.
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

// The contents around a cell, in near: the numbers of vacant cells and of stones
// of either side, and whether there is a stone or wall on the cell itself.
const (
	vacantNear   = 1
	stoneNear    = 1 << 3 // of Black; shifted by another 3 of White
	countNear    = 7
	occupiedNear = 1 << 9
)

// nearlyClosedBy reports whether a cell and one neighbour are vacant and the other
// neighbours stones of c or wall.
func (f *field) nearlyClosedBy(cell uint16, c uint8) bool {
	others := uint16(countNear * stoneNear << (3 * (c ^ 1) & 7))
	return f.near[cell&cellMask]&(occupiedNear|countNear|others) == vacantNear
}

// nearlyClosed is a cell next to p that is nearly closed by c. It is 0 if there is
// none or p is 0.
func (f *field) nearlyClosed(stride, p uint16, c uint8) uint16 {
	switch {
	case p == 0:
		return 0
	case f.nearlyClosedBy(p-1, c):
		return p - 1
	case f.nearlyClosedBy(p+1, c):
		return p + 1
	case f.nearlyClosedBy(p-stride, c):
		return p - stride
	case f.nearlyClosedBy(p+stride, c):
		return p + stride
	}
	return 0
}

// vacantBy is a vacant cell next to p, or 0 if there is none.
func (f *field) vacantBy(stride, p uint16) uint16 {
	switch vacant {
	case f.holds[(p-1)&cellMask]:
		return p - 1
	case f.holds[(p+1)&cellMask]:
		return p + 1
	case f.holds[(p-stride)&cellMask]:
		return p - stride
	case f.holds[(p+stride)&cellMask]:
		return p + stride
	}
	return 0
}
