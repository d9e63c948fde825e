package tablebase

// successor is the position after a stone: its stones, its slot, and its value
// from a source.
type successor struct {
	own, other uint64
	slot
	found bool
	outcome
}

// outcome is the part of a value that a verification compares, for the side to
// play.
type outcome struct {
	value [2]int8 // by plane
	far   [2]uint8
}

// outcome clamps scores to the range of the board. So a value of the table that
// is out of range never agrees with the values derived from its successors.
func (t *Table) outcome(v Value) outcome {
	points := t.header.Size.Points()
	fit := func(score int) int8 { return int8(max(-points, min(points, score))) }
	if t.header.Loops == Range {
		return outcome{[2]int8{fit(v.Lo), fit(v.Hi)}, [2]uint8{uint8(v.LoDistance), uint8(v.HiDistance)}}
	}
	return outcome{[2]int8{fit(v.Score)}, [2]uint8{uint8(v.Distance)}}
}

// source looks up the values of positions in a table. It returns an error if a
// frame cannot be read. A position that the table does not hold is marked as not
// found.
type source interface {
	fill(list []successor) error
	free()
}

// frames is the source that needs little memory. It decodes frames on demand and
// keeps them in a cache.
type frames struct {
	t     *Table
	cache *cache
}

func (s frames) fill(list []successor) error {
	for i := range list {
		n := &list[i]
		f, err := s.t.frame(s.cache, s.t.header.frameOf(n.code))
		if err != nil {
			return err
		}
		v, found := s.t.readSlot(f, n.slot, s.t.grid.Score(n.own, n.other), 0)
		n.found, n.outcome = found, s.t.outcome(v)
	}
	return nil
}

func (frames) free() {}
