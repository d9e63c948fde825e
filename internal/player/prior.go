package player

import "math"

// Constants of the logit of the win share that is expected of a move: the gain per
// move of mobility, half of that if shapes are known, and the factor for the logit of
// shapes. Found in self-play.
const (
	gainSlope  = 1.2
	shapeSlope = 3
)

// prior estimates moves by their effect on the mobility of both sides. A point is
// good for a side if playing there costs the opponent more moves than oneself. It is
// good to take if the opponent would gain by playing there. The paper's V uses both
// in the same way, but does not count one's own loss.
//
// With an appraisal, the worth of the shapes that a move makes is added.
type prior struct {
	open   [cells]sides
	closed []closing // by the last move that was estimated

	appraisal *appraisal // nil without
	view      view
}

// closing is a vacant cell that fewer sides may play after a move.
type closing struct {
	cell uint16
	open sides
}

// look prepares for the moves of a position.
func (p *prior) look(t terrain, f *field, candidates []uint16) {
	p.survey(t, f, candidates)
	if p.appraisal != nil {
		p.view.look(t, f)
	}
}

// survey records who may play where, and counts the points open to anybody.
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
	gain := 0
	if p.open[cell] == both {
		gain = p.swing(t, f, cell, c^1)
	}
	gain += p.swing(t, f, cell, c)
	logit := gainSlope * float64(gain)
	if p.appraisal != nil {
		shapes := p.appraisal.worth(&p.view, t.stride, cell, c, p.closed)
		logit = logit/2 + shapeSlope*float64(shapes)
	}
	return float32(1 / (1 + math.Exp(-logit)))
}

// swing is the number of moves that the opponent of c loses, less the number that c
// loses, if c plays. Only points next to the stone and last liberties of blocks next
// to it change. No stone is placed: the effects of the blocks are changed and then
// restored.
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
	p.closed = p.closed[:0]
	for _, q := range looks.cells[:looks.n] {
		now := f.open(t.stride, q)
		gone := p.open[q] &^ now
		change[0] += int(gone & 1)
		change[1] += int(gone >> 1)
		if gone != 0 {
			p.closed = append(p.closed, closing{q, now})
		}
	}
	f.desist(cell, around)
	return change[c^1] - change[c]
}

// pretend sets the effects of the blocks around a vacant cell as after a move of c
// there. It records the cells where that may matter, and returns the liberties of the
// stone's block.
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
			if f.effect[b] = effect(c^1, l); single(l) == 1 {
				looks.add(last(l))
			}
		}
	}
	f.effect[cell] = effect(c, joined)
	for _, q := range around {
		if f.holds[q] == c {
			f.effect[f.block[q]] = f.effect[cell]
		}
	}
	return joined
}

// desist undoes pretend.
func (f *field) desist(cell uint16, around [4]uint16) {
	f.effect[cell] = effects[vacant<<1]
	for _, q := range around {
		b := f.block[q]
		f.liberties[b] += pair(cell)
	}
	for _, q := range around {
		b := f.block[q]
		f.effect[b] = effect(f.holds[q], f.liberties[b])
	}
}

// among reports whether a block has a stone in one of several cells.
func (f *field) among(block uint16, in []uint16) bool {
	for _, q := range in {
		if f.block[q] == block {
			return true
		}
	}
	return false
}

// maxLooks is the most cells that a stone can affect: its neighbours, the last
// liberties of blocks beside it and that of its own block.
const maxLooks = 9

// looks is a set of a few cells.
type looks struct {
	cells [maxLooks]uint16
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
