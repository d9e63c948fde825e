package player

import (
	"cmp"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// sheet is what is left of a large board, cut out and laid on a grid of one
// word. Stones do not matter to regions, only which playable points are next to
// each other: so clusters of adjacent points may be moved and turned at will, as
// long as they do not touch. Points only ever close, so a sheet serves for the
// rest of the game.
type sheet struct {
	grid nogo.Grid
	bit  [cells]uint64 // 0 for cells that are not on it
	cell [64]uint16
}

// newSheet lays the candidates out, or reports that a word has no room for them.
// Rows of eight cells come first: there package region knows all symmetries.
func newSheet(t terrain, candidates []uint16) (*sheet, bool) {
	if len(candidates) > 64 {
		return nil, false
	}
	clusters := t.clusters(candidates)
	for _, stride := range [...]int{8, 9, 7, 10, 11, 13, 16, 21, 32, 64} {
		s := &sheet{grid: wordGrid(stride)}
		if s.place(t, clusters) {
			return s, true
		}
	}
	return nil, false
}

// covers reports whether all candidates are on the sheet. Those of any position
// of the same board may be: how clusters lie does not depend on the stones.
func (s *sheet) covers(candidates []uint16) bool {
	return !slices.ContainsFunc(candidates, func(cell uint16) bool { return s.bit[cell] == 0 })
}

// wordGrid has as many rows of a length as a word holds, the last cell of each
// being padding.
func wordGrid(stride int) nogo.Grid {
	g := nogo.Grid{Grid: board.Grid{Stride: stride}}
	for row := range (64 + 1) / stride {
		g.Mask |= (1<<(stride-1) - 1) << (row * stride)
	}
	return g
}

// clusters groups cells that are next to each other, the largest group first.
func (t terrain) clusters(candidates []uint16) [][]uint16 {
	var in [cells]bool
	for _, cell := range candidates {
		in[cell] = true
	}
	var all [][]uint16
	for _, from := range candidates {
		if !in[from] {
			continue
		}
		in[from] = false
		cluster := []uint16{from}
		for i := 0; i < len(cluster); i++ {
			for _, q := range t.around(cluster[i]) {
				if in[q] {
					in[q] = false
					cluster = append(cluster, q)
				}
			}
		}
		all = append(all, cluster)
	}
	slices.SortStableFunc(all, func(a, b []uint16) int { return cmp.Compare(len(b), len(a)) })
	return all
}

// place puts every cluster on the first spot where it touches no other.
func (s *sheet) place(t terrain, clusters [][]uint16) bool {
	var taken uint64
	for _, cluster := range clusters {
		at, ok := s.spot(t, cluster, taken)
		if !ok {
			return false
		}
		for i, cell := range cluster {
			s.bit[cell] = 1 << at[i]
			s.cell[at[i]] = cell
			taken |= 1<<at[i] | s.grid.Around(1<<at[i])
		}
	}
	return true
}

// spot finds where a cluster fits, upright or turned: the index of every cell.
func (s *sheet) spot(t terrain, cluster []uint16, taken uint64) ([]int, bool) {
	for _, turned := range [2]bool{false, true} {
		shape, order := s.shape(t, cluster, turned)
		if shape == 0 {
			continue
		}
		for shift := 0; shift <= bits.LeadingZeros64(shape); shift++ {
			if moved := shape << shift; moved&^s.grid.Mask == 0 && moved&taken == 0 {
				for i := range order {
					order[i] += shift
				}
				return order, true
			}
		}
	}
	return nil, false
}

// shape is a cluster in the corner of the grid, 0 if it is too large.
func (s *sheet) shape(t terrain, cluster []uint16, turned bool) (uint64, []int) {
	var rows, cols []int
	for _, cell := range cluster {
		row, col := int(cell/t.stride), int(cell%t.stride)
		if turned {
			row, col = col, row
		}
		rows, cols = append(rows, row), append(cols, col)
	}
	top, left := slices.Min(rows), slices.Min(cols)
	if slices.Max(cols)-left >= s.grid.Stride-1 {
		return 0, nil
	}
	var shape uint64
	order := make([]int, len(cluster))
	for i := range cluster {
		order[i] = (rows[i]-top)*s.grid.Stride + cols[i] - left
		if order[i] > 63 {
			return 0, nil
		}
		shape |= 1 << order[i]
	}
	return shape, order
}
