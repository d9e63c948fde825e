package player

import "math"

// priorSlope is what a gain of one move adds to the logit of the expected win
// share, found in self-play.
const priorSlope = 1.2

// prior estimates moves by what they do to the mobility of both sides. A point
// is good for a side if playing there costs the opponent more moves than
// oneself, and good to take if the opponent would gain by playing there: the
// paper's V asks for both in the same way, but does not count one's own loss.
type prior struct {
	open  [cells]sides
	trial field
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
	return float32(1 / (1 + math.Exp(-priorSlope*float64(gain))))
}

// swing is how many moves more the opponent of c loses than c does if c plays.
// Only points next to the stone and last liberties of blocks next to it change.
func (p *prior) swing(t terrain, f *field, cell uint16, c uint8) int {
	p.trial.copy(f, t.cells)
	p.trial.play(t.stride, cell, c)
	change := [2]int{1, 1}
	if p.open[cell] != both {
		change[c^1] = 0
	}
	var seen [9]uint16
	n := 0
	look := func(q uint16) {
		for _, s := range seen[:n] {
			if s == q {
				return
			}
		}
		seen[n] = q
		n++
		gone := p.open[q] &^ p.trial.open(t.stride, q)
		change[0] += int(gone & 1)
		change[1] += int(gone >> 1)
	}
	for _, q := range [5]uint16{cell, cell - 1, cell + 1, cell - t.stride, cell + t.stride} {
		switch p.trial.holds[q] {
		case wall:
		case vacant:
			look(q)
		default:
			if l := p.trial.liberties[p.trial.block[q]]; single(l) == 1 {
				look(last(l))
			}
		}
	}
	return change[c^1] - change[c]
}
