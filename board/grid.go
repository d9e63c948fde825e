package board

// Grid is the geometry of a small board for bit operations. The board lies in one
// machine word, as rows of Stride cells. The last cell of a row is padding.
type Grid struct {
	Stride int    // at most 64
	Mask   uint64 // every point of the board; never the last bit
}

// NewGrid prepares a small board.
func NewGrid(size Size) Grid {
	row := uint64(1)<<size.Cols - 1
	g := Grid{Stride: size.Stride()}
	for r := range size.Rows {
		g.Mask |= row << (r * g.Stride)
	}
	return g
}

// holds reports whether stones are on the board and none share a point.
func (g Grid) holds(stones Stones) bool {
	black, white := stones[Black][0], stones[White][0]
	return stones == Stones{{black}, {white}} && black&white == 0 && (black|white)&^g.Mask == 0
}

// Around is the set of points next to any point of x. A point of x belongs to it
// only if another point of x is its neighbour.
func (g Grid) Around(x uint64) uint64 {
	// A shift by less than 64 is one instruction. A board with a stride of 64 has
	// only one row, and a shift by 63 also moves its points off the board.
	row := min(uint(g.Stride), 63) & 63
	return (x<<1 | x>>1 | x<<row | x>>row) & g.Mask
}

// Flood extends seed to all points of within that are connected to it.
func (g Grid) Flood(seed, within uint64) uint64 {
	for {
		next := (seed | g.Around(seed)) & within
		if next == seed {
			return seed
		}
		seed = next
	}
}
