package player

import "math"

// priorSlope is what a gain of one move adds to the logit of the expected win
// share, found in self-play.
const priorSlope = 1.2

// expected is the win share expected of a gain of so many moves, from -most on.
var expected = func() (share [2*most + 1]float32) {
	for i := range share {
		share[i] = float32(1 / (1 + math.Exp(-priorSlope*float64(i-most))))
	}
	return share
}()

// most bounds what two stones at a point can gain: the point, its neighbours and
// the last liberties of the blocks there, for either.
const most = 20

// prior estimates moves by what they do to the mobility of both sides. A point
// is good for a side if playing there costs the opponent more moves than
// oneself, and good to take if the opponent would gain by playing there: the
// paper's V asks for both in the same way, but does not count one's own loss.
type prior struct {
	open [cells]sides
}

// survey notes who may play where, and counts the points open to anybody.
func (p *prior) survey(t terrain, f *field, candidates []uint16) (playable int) {
	clear(p.open[:t.cells])
	for _, cell := range candidates {
		if f.holds[cell] == vacant {
			p.open[cell] = f.open(t.stride, cell)
			if p.open[cell] != 0 {
				playable++
			}
		}
	}
	return playable
}

// of is the win share expected of a move by c.
func (p *prior) of(t terrain, f *field, cell uint16, c uint8) float32 {
	gain := p.swing(t, f, cell, c)
	if p.open[cell] == both {
		gain += p.swing(t, f, cell, c^1)
	}
	return expected[gain+most]
}

// swing is how many moves more the opponent of c loses than c does if c plays.
// Only points next to the stone and last liberties of blocks next to it change.
// No stone is put down: for a moment the blocks say what they would say.
func (p *prior) swing(t terrain, f *field, cell uint16, c uint8) int {
	change := [2]int{1, 1}
	if p.open[cell] != both {
		change[c^1] = 0
	}
	around := t.around(cell)
	var looks looks
	joined := f.pretend(cell, c, around, &looks)
	if single(joined) == 1 {
		looks.add(last(joined))
	}
	for _, q := range looks.cells[:looks.n] {
		gone := p.open[q] &^ f.open(t.stride, q)
		change[0] += int(gone & 1)
		change[1] += int(gone >> 1)
	}
	f.desist(cell, around)
	return change[c^1] - change[c]
}

// pretend makes the blocks around a vacant cell say what they would after a move
// of c there, notes where that may matter and returns the liberties of the stone's block.
func (f *field) pretend(cell uint16, c uint8, around [4]uint16, looks *looks) (joined uint64) {
	for _, q := range around {
		f.liberties[f.block[q]] -= pair(cell)
	}
	for i, q := range around {
		b := f.block[q]
		switch f.holds[q] {
		case vacant:
			joined += pair(q)
			looks.add(q)
		case c:
			if !f.among(b, around[:i]) {
				joined += f.liberties[b]
			}
		case c ^ 1:
			l := f.liberties[b]
			if f.says[b] = word(c^1, l); single(l) == 1 {
				looks.add(last(l))
			}
		}
	}
	f.says[cell] = word(c, joined)
	for _, q := range around {
		if f.holds[q] == c {
			f.says[f.block[q]] = f.says[cell]
		}
	}
	return joined
}

// desist takes back what pretend did.
func (f *field) desist(cell uint16, around [4]uint16) {
	f.says[cell] = words[vacant<<1]
	for _, q := range around {
		b := f.block[q]
		f.liberties[b] += pair(cell)
	}
	for _, q := range around {
		b := f.block[q]
		f.says[b] = word(f.holds[q], f.liberties[b])
	}
}

// among reports whether a block has a stone in one of some cells.
func (f *field) among(block uint16, in []uint16) bool {
	for _, q := range in {
		if f.block[q] == block {
			return true
		}
	}
	return false
}

// looks is a set of a few cells.
type looks struct {
	cells [9]uint16
	n     int
}

func (l *looks) add(cell uint16) {
	for _, q := range l.cells[:l.n] {
		if q == cell {
			return
		}
	}
	l.cells[l.n] = cell
	l.n++
}
