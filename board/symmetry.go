package board

// Symmetry maps a board onto itself. Bit 0 mirrors left and right, bit 1
// mirrors top and bottom, and bit 2 then exchanges rows and columns (square
// boards only).
type Symmetry uint8

// Identity leaves every point where it is.
const Identity Symmetry = 0

// Symmetries lists the distinct symmetries of the board, the identity first.
func (s Size) Symmetries() []Symmetry {
	switch {
	case s.Rows == 1 && s.Cols == 1:
		return []Symmetry{0}
	case s.Rows == 1:
		return []Symmetry{0, 1}
	case s.Cols == 1:
		return []Symmetry{0, 2}
	case s.Rows == s.Cols:
		return []Symmetry{0, 1, 2, 3, 4, 5, 6, 7}
	}
	return []Symmetry{0, 1, 2, 3}
}

// Map moves a point.
func (s Size) Map(sym Symmetry, p Point) Point {
	row, col := s.Row(p), s.Col(p)
	if sym&1 != 0 {
		col = s.Cols - 1 - col
	}
	if sym&2 != 0 {
		row = s.Rows - 1 - row
	}
	if sym&4 != 0 {
		row, col = col, row
	}
	return s.At(row, col)
}

// MapSet moves every point of a set.
func (s Size) MapSet(sym Symmetry, set Set) Set {
	var out Set
	for p := range set.Points() {
		out.Add(s.Map(sym, p))
	}
	return out
}

// Inverse is the symmetry that undoes sym.
func (s Size) Inverse(sym Symmetry) Symmetry {
	if sym&4 == 0 {
		return sym
	}
	return sym&4 | sym&1<<1 | sym&2>>1
}

// Permuter maps sets of a small board by one table lookup for each byte. It
// is for code that maps millions of sets.
type Permuter struct {
	tables [8][256]uint64
	words  int
}

// NewPermuter prepares the tables of one symmetry of a small board.
func NewPermuter(s Size, sym Symmetry) *Permuter {
	p := &Permuter{words: (s.Cells() + 7) / 8}
	for i := range p.words {
		for b := 1; b < 256; b++ {
			for bit := range 8 {
				from := Point(i*8 + bit)
				if b>>bit&1 != 0 && s.Contains(from) {
					p.tables[i][b] |= 1 << s.Map(sym, from)
				}
			}
		}
	}
	return p
}

// Map moves every point of a set.
func (p *Permuter) Map(x uint64) uint64 {
	var out uint64
	for i := range p.words {
		out |= p.tables[i][uint8(x>>(8*i))]
	}
	return out
}
