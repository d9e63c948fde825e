package tablebase

// successor is a position that a move leads to, without a pass before: its stones,
// where it is kept, and what a source of values says of it.
type successor struct {
	own, other uint64
	slot
	found bool
	outcome
}

// outcome is a value as a verification compares it, for the side to play.
type outcome struct {
	lo, hi int8 // both the score, if that is all the table keeps
	far    uint8
}

func (o outcome) score() int { return median(int(o.lo), int(o.hi)) }

// outcome takes scores that no board has for the nearest that it can have: what is
// out of range in the table then cannot agree with anything.
func (t *Table) outcome(v Value) outcome {
	points := t.header.Size.Points()
	fit := func(score int) int8 { return int8(max(-points, min(points, score))) }
	if t.header.Loops == Range {
		return outcome{fit(v.Lo), fit(v.Hi), uint8(v.Distance)}
	}
	return outcome{fit(v.Score), fit(v.Score), uint8(v.Distance)}
}

// source knows what a table says of positions. Its error is for frames that cannot
// be read; a position that the table does not hold is not found.
type source interface {
	fill(list []successor) error
	free()
}

// frames is the source that needs little memory: it decodes frames as they are
// asked for and keeps what a cache can hold.
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
