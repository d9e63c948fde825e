package player

import "tengen/internal/region"

// survey is the normal form of a field of any size, like that of package region
// for small boards: who may play where, which points are safe, and the liberties
// of mortal blocks. It finds the independent parts and writes them as regions of
// a sheet.
type survey struct {
	terrain terrain
	open    [cells]sides
	safe    [cells]sides
	blocks  []block
	seen    [cells]bool    // blocks, then points of parts, already visited
	touches [cells][]int16 // mortal blocks that have a cell as a liberty
	part    []uint16
}

// block is a mortal block.
type block struct {
	colour    uint8
	liberties []uint16
}

// look reads a field. Only candidates can be open to anybody.
func (s *survey) look(t terrain, f *field, candidates []uint16) {
	s.terrain = t
	n := t.cells
	clear(s.open[:n])
	clear(s.safe[:n])
	clear(s.seen[:n])
	for _, cell := range candidates {
		if f.holds[cell] == vacant {
			s.open[cell] = f.open(t.stride, cell)
		}
		s.touches[cell] = s.touches[cell][:0]
	}
	s.blocks = s.blocks[:0]
	for cell := t.stride; int(cell) < n-int(t.stride); cell++ {
		switch holds := f.holds[cell]; {
		case holds == vacant && s.open[cell] == 0:
			for _, q := range t.around(cell) {
				s.safe[q] = both
			}
		case holds < vacant && f.block[cell] == cell:
			s.addBlock(f, cell)
		}
	}
	for cell := range s.safe[:n] {
		s.safe[cell] &= s.open[cell]
	}
}

func (t terrain) around(cell uint16) [4]uint16 {
	return [4]uint16{cell - 1, cell + 1, cell - t.stride, cell + t.stride}
}

// addBlock adds a block. A block with a liberty that nobody can take makes its
// other liberties safe. A block with a single liberty no longer matters.
func (s *survey) addBlock(f *field, name uint16) {
	if len(s.blocks) < cap(s.blocks) {
		s.blocks = s.blocks[:len(s.blocks)+1]
	} else {
		s.blocks = append(s.blocks, block{})
	}
	id := len(s.blocks) - 1
	b := &s.blocks[id]
	b.colour, b.liberties = f.holds[name], b.liberties[:0]
	mortal := true
	for stone := name; ; {
		for _, q := range s.terrain.around(stone) {
			if f.holds[q] != vacant || s.seen[q] {
				continue
			}
			s.seen[q] = true
			b.liberties = append(b.liberties, q)
			mortal = mortal && s.open[q] != 0
		}
		if stone = f.next[stone]; stone == name {
			break
		}
	}
	for _, q := range b.liberties {
		s.seen[q] = false
		if !mortal {
			s.safe[q] |= side(b.colour)
		}
	}
	if !mortal || len(b.liberties) == 1 {
		s.blocks = s.blocks[:id]
		return
	}
	for _, q := range b.liberties {
		s.touches[q] = append(s.touches[q], int16(id))
	}
}

// next gathers the next independent part, starting from candidates not yet
// visited. It reports whether there is one.
func (s *survey) next(candidates []uint16) bool {
	for _, cell := range candidates {
		if s.open[cell] != 0 && !s.seen[cell] {
			s.gather(cell)
			return true
		}
	}
	return false
}

// gather collects the points that depend on each other, starting from one of
// them.
func (s *survey) gather(from uint16) {
	s.part = append(s.part[:0], from)
	s.seen[from] = true
	for i := 0; i < len(s.part); i++ {
		cell := s.part[i]
		for _, q := range s.terrain.around(cell) {
			if s.loose(cell) || s.loose(q) {
				s.reach(q)
			}
		}
		for _, id := range s.touches[cell] {
			for _, q := range s.blocks[id].liberties {
				s.reach(q)
			}
		}
	}
}

func (s *survey) reach(q uint16) {
	if s.open[q] != 0 && !s.seen[q] {
		s.seen[q] = true
		s.part = append(s.part, q)
	}
}

// loose points are open to a side without being safe for it.
func (s *survey) loose(cell uint16) bool { return s.open[cell]&^s.safe[cell] != 0 }

// write leaves the gathered part in r. It reports false if there are more blocks
// than a region holds.
func (s *survey) write(m *sheet, r *region.Region) bool {
	*r = region.Region{}
	for _, cell := range s.part {
		b := m.bit[cell]
		for c := range 2 {
			if s.open[cell]>>c&1 != 0 {
				r.Open[c] |= b
			}
			if s.safe[cell]>>c&1 != 0 {
				r.Safe[c] |= b
			}
		}
		for _, id := range s.touches[cell] {
			if block := &s.blocks[id]; block.liberties[0] == cell && !s.writeBlock(m, block, r) {
				return false
			}
		}
	}
	return true
}

func (s *survey) writeBlock(m *sheet, b *block, r *region.Region) bool {
	var l uint64
	for _, q := range b.liberties {
		l |= m.bit[q]
	}
	n := &r.Count[b.colour]
	for _, known := range r.Liberties[b.colour][:*n] {
		if known == l {
			return true
		}
	}
	if *n == region.MaxBlocks {
		return false
	}
	r.Liberties[b.colour][*n] = l
	*n++
	return true
}
