package sums

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/region/sum"
	"tengen/nogo"
)

// Look is the input of the learned ordering for a sum, seen by the side that has
// just moved: numbers about the whole, and a shape for every open point.
type Look struct {
	Counts [Counts]int16
	Shapes []uint16
}

const (
	// Counts is the number of inputs about the whole.
	Counts = regionCounts + sumCounts + parities
	// Shapes is the number of shapes of points: the kind of the point, and how
	// many of its neighbours are contested, one's own and the opponent's.
	Shapes = 4 * pointKinds * surroundings

	regionCounts = 31 // added up over the regions
	sumCounts    = 9
	parities     = 7

	pointKinds   = 8  // see kind
	surroundings = 35 // ways to divide up to four neighbours among three kinds
)

// side is a region seen by one player.
type side struct {
	open, safe [2]uint64 // mine, yours
	blocks     [2][]uint64
	short      [2]uint64 // liberties of blocks that have two
}

func seenBy(p *sum.Part, c board.Colour) side {
	r := &p.Region
	var s side
	for i, c := range [2]board.Colour{c, c ^ 1} {
		s.open[i], s.safe[i] = r.Open[c], r.Safe[c]
		s.blocks[i] = r.Liberties[c][:r.Count[c]]
		for _, l := range s.blocks[i] {
			if bits.OnesCount64(l) == 2 {
				s.short[i] |= l
			}
		}
	}
	return s
}

func (s *side) contested() uint64 { return s.open[0] & s.open[1] }

// private are the points open to one side alone.
func (s *side) private(i int) uint64 { return s.open[i] &^ s.open[i^1] }

// look describes a sum after a move of c.
func (l *Look) look(g nogo.Grid, t *sum.Sum, c board.Colour) {
	var n tally
	l.Shapes = l.Shapes[:0]
	for _, p := range t.Parts() {
		s := seenBy(p, c)
		n.addRegion(g, p, &s)
		l.addShapes(g, &s)
	}
	low, high, gain, loss, balance := t.Low, t.High, t.Gain, t.Loss, t.Balance()
	if c == board.White {
		low, high, gain, loss, balance = -high, -low, -loss, -gain, -balance
	}
	room := t.Open[c] - t.Open[c^1]
	n.at = regionCounts
	n.add(low, high, gain, loss, balance, len(t.Parts()), t.Points, room, n.largest)
	for i, v := range n.counts {
		l.Counts[i] = int16(v)
	}
	for i, v := range []int{t.Contested, n.mine, n.yours, t.Contested + balance + room, low, high, balance} {
		l.Counts[regionCounts+sumCounts+i] = int16(1 - 2*(v&1))
	}
}

// tally collects counts over the regions of a sum.
type tally struct {
	counts      [regionCounts + sumCounts]int
	at          int
	mine, yours int // private points
	largest     int // points of a region
}

// add adds to the next counts.
func (n *tally) add(values ...int) {
	for _, v := range values {
		n.counts[n.at] += v
		n.at++
	}
}

func (n *tally) addRegion(g nogo.Grid, p *sum.Part, s *side) {
	const mine, yours = 0, 1
	stride := uint(g.Stride) & 63
	count := bits.OnesCount64
	// pairs counts neighbours, one in each set.
	pairs := func(x, y uint64) int {
		return count(x&(y<<1)) + count(x&(y>>1)) + count(x&(y<<stride)) + count(x&(y>>stride))
	}
	contested := s.contested()
	own, theirs := s.private(mine), s.private(yours)
	near := g.Around(contested)
	n.at = 0
	n.add(
		count(own&^s.safe[mine]), count(own&s.safe[mine]),
		count(theirs&^s.safe[yours]), count(theirs&s.safe[yours]),
		count(contested&s.safe[mine]&s.safe[yours]), count(contested&s.safe[mine]&^s.safe[yours]),
		count(contested&s.safe[yours]&^s.safe[mine]), count(contested&^s.safe[mine]&^s.safe[yours]),
		count(s.short[mine]&s.short[yours]&contested),
		pairs(contested, contested), pairs(contested, own), pairs(contested, theirs), pairs(own, own), pairs(theirs, theirs),
		count(contested&^near), count(own&near), count(theirs&near),
		int(p.Points&1), int(p.Contested&1),
	)
	for i := range 2 {
		var two, three, more int
		var threes, all uint64
		for _, l := range s.blocks[i] {
			all |= l
			switch count(l) {
			case 2:
				two++
			case 3:
				three++
				threes |= l
			default:
				more++
			}
		}
		n.add(two, three, more, count(s.short[i]&contested), count(threes&contested), count(all&contested))
	}
	n.mine += count(own)
	n.yours += count(theirs)
	n.largest = max(n.largest, int(p.Points))
}

// addShapes adds the shape of every open point.
func (l *Look) addShapes(g nogo.Grid, s *side) {
	contested, own, theirs := s.contested(), s.private(0), s.private(1)
	for rest := s.open[0] | s.open[1]; rest != 0; rest &= rest - 1 {
		p := rest & -rest
		near := g.Around(p)
		around := surrounding[bits.OnesCount64(near&contested)][bits.OnesCount64(near&own)][bits.OnesCount64(near&theirs)]
		l.Shapes = append(l.Shapes, uint16(s.kind(p))*surroundings+uint16(around))
	}
}

// kind numbers the kinds of a point: who may play there, for whom it is safe,
// and whether it is one of two liberties of a block of either side.
func (s *side) kind(p uint64) int {
	has := func(set uint64) int {
		if set&p != 0 {
			return 1
		}
		return 0
	}
	kind := 6 + has(s.safe[1])
	switch {
	case s.contested()&p != 0:
		kind = 2*has(s.safe[0]) + has(s.safe[1])
	case s.open[0]&p != 0:
		kind = 4 + has(s.safe[0])
	}
	return 4*kind + 2*has(s.short[0]) + has(s.short[1])
}

// surrounding numbers the ways in which up to four neighbours can be contested,
// one's own and the opponent's.
var surrounding = func() (number [5][5][5]uint8) {
	k := uint8(0)
	for a := range 5 {
		for b := range 5 - a {
			for c := range 5 - a - b {
				number[a][b][c] = k
				k++
			}
		}
	}
	return number
}()
