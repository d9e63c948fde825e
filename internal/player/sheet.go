package player

import (
	"cmp"
	"math/bits"
	"slices"

	"tengen/board"
	"tengen/nogo"
)

// sheet holds the open points of a large board on a grid of one machine word.
// Regions do not depend on stones, only on which playable points are next to
// each other. So clusters of adjacent points may be moved and turned freely, as
// long as they do not touch. Points only ever close, so a sheet serves for the
// rest of the game.
type sheet struct {
	grid nogo.Grid
	bit  [cells]uint64 // 0 for cells that are not on it
	cell [64]uint16
}

// newSheet places the candidates, or reports that they do not fit in a word. It
// tries rows of eight cells first: there package region uses all symmetries.
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

// covers reports whether all candidates are on the sheet. It works for any
// position of the same board: the place of a cluster does not depend on the
// stones.
func (s *sheet) covers(candidates []uint16) bool {
	return !slices.ContainsFunc(candidates, func(cell uint16) bool { return s.bit[cell] == 0 })
}

// wordGrid has all rows of a length that fit in a word. The last cell of each
// row is padding.
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

// place puts every cluster on the first place where it touches no other.
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

// spot finds a place where a cluster fits, upright or turned: the index of
// every cell.
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

// shape is a cluster in the corner of the grid, or 0 if it is too large.
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
