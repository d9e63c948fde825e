package tablebase

import "context"

// Stats counts results for the side to play, over all legal boards without a ban
// and without a pass before.
type Stats struct {
	Positions           uint64
	Wins, Draws, Losses uint64
	// Histogram is the number of positions for each score.
	Histogram map[int]uint64
	// LoopsMatter is the number of positions whose score depends on the rule for
	// loops. It is known only for tables of kind Range.
	LoopsMatter uint64
	// Longest is the largest distance.
	Longest int
}

// Stats reads the whole table.
func (t *Table) Stats(ctx context.Context) (Stats, error) {
	s := Stats{Histogram: map[int]uint64{}}
	for i := range t.header.frames() {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		f, err := t.load(i)
		if err != nil {
			return s, err
		}
		if f == nil {
			continue
		}
		for at, code := range t.codes(i, f) {
			ones, twos := t.coder.stones(code)
			x, y := t.coder.image(ones), t.coder.image(twos)
			images, twin := t.coder.images(&x, &y)
			for side, v := range t.values(f, at, ones, twos) {
				if twin && side == 1 {
					continue // these are the same boards again
				}
				s.add(v, uint64(images), t.header.Loops)
			}
		}
	}
	return s, nil
}

func (s *Stats) add(v Value, n uint64, loops Loops) {
	s.Positions += n
	s.Histogram[v.Score] += n
	switch {
	case v.Score > 0:
		s.Wins += n
	case v.Score < 0:
		s.Losses += n
	default:
		s.Draws += n
	}
	if loops == Range && v.Lo != v.Hi {
		s.LoopsMatter += n
	}
	s.Longest = max(s.Longest, v.Distance)
}
