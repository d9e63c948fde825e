package player

import "math/bits"

// random is a small fast generator (wyrand); playouts need nothing better.
type random uint64

func (r *random) next() uint64 {
	*r += 0xa0761d6478bd642f
	hi, lo := bits.Mul64(uint64(*r), uint64(*r)^0xe7037ed1a0b428db)
	return hi ^ lo
}

// below is a number less than n.
func (r *random) below(n int) int { return int(uint64(uint32(r.next())) * uint64(n) >> 32) }

// pile is a set of cells to draw from.
type pile struct {
	cells [cells]uint16
	n     int
}

func (p *pile) add(cell uint16) {
	p.cells[p.n&cellMask] = cell
	p.n++
}

func (p *pile) draw(r *random) uint16 {
	i := r.below(p.n)
	p.n--
	cell := p.cells[i&cellMask]
	p.cells[i&cellMask] = p.cells[p.n&cellMask]
	return cell
}

// playout plays a field to the end.
//
// First both sides take points that the other could use as well, as long as there are
// any; then each fills its own points. A point closed to a side stays closed, so a
// point that is found in the wrong pile is moved to the right one, once.
//
// The points are drawn at random, except for those at stake. A vacant point is nearly
// closed by a side if one of its neighbours is vacant and the others are stones of
// that side or wall. With a stone on that neighbour the side makes the point its own.
// The other side spoils it by moving there itself.
//
// A playout may use spending: a side then plays points that have become its own since
// the playout began as if they were still shared. So territory that arose by chance
// counts for less than territory that was there before.
type playout struct {
	field  field
	shared pile
	own    [2]pile
	random random
	later  [2]cellSet // the moves of the first phase, by side
	spends bool
}

// fill gives the playout the cells that may still be open to somebody. The points are
// assigned to piles when they are drawn.
func (p *playout) fill(candidates []uint16) {
	n := 0
	for _, cell := range candidates {
		p.shared.cells[n&cellMask] = cell
		if p.field.holds[cell&cellMask] == vacant {
			n++
		}
	}
	p.shared.n = n
	p.own[0].n, p.own[1].n = 0, 0
	p.spends = false
}

// spend switches on spending: it sets aside the points that are already a side's own.
func (p *playout) spend(stride uint16) {
	p.spends = true
	n := p.shared.n
	p.shared.n = 0
	for _, cell := range p.shared.cells[:n] {
		switch open := p.field.open(stride, cell); open {
		case both:
			p.shared.add(cell)
		case 0:
		default:
			p.own[open>>1].add(cell)
		}
	}
}

// run plays until a side cannot move and returns the winner. last is the last move of
// either side, or 0.
func (p *playout) run(stride uint16, c uint8, last [2]uint16) uint8 {
	for {
		cell := p.atStake(stride, c, last)
		if cell == 0 || p.field.open(stride, cell) != both {
			if cell = p.drawShared(stride, c); cell == 0 {
				return p.finish(stride, c)
			}
		}
		p.field.play(stride, cell, c)
		p.later[c&1].add(cell)
		last[c&1] = cell
		c ^= 1
	}
}

// atStake is a move of c that closes a point next to its own last move or else
// spoils one next to the opponent's, 0 if there is none.
func (p *playout) atStake(stride uint16, c uint8, last [2]uint16) uint16 {
	if q := p.field.nearlyClosed(stride, last[c&1], c); q != 0 {
		return p.field.vacantBy(stride, q)
	}
	return p.field.nearlyClosed(stride, last[(c^1)&1], c^1)
}

// drawShared draws a point that is open to both sides, or one to spend, or returns 0
// if there is none left. If it draws a point that c has nearly closed itself, it
// closes the point instead of filling it.
func (p *playout) drawShared(stride uint16, c uint8) uint16 {
	for p.shared.n > 0 {
		cell := p.shared.draw(&p.random)
		if p.field.holds[cell&cellMask] != vacant {
			continue
		}
		switch open := p.field.open(stride, cell); open {
		case both:
			if !p.field.nearlyClosedBy(cell, c) {
				return cell
			}
			closing := p.field.vacantBy(stride, cell)
			if p.field.open(stride, closing) != both {
				return cell
			}
			p.own[c&1].add(cell)
			return closing
		case 0:
		default:
			if p.spends && open == side(c) {
				return cell
			}
			p.own[open>>1].add(cell)
		}
	}
	return 0
}

// finish lets each side draw from its own pile.
func (p *playout) finish(stride uint16, c uint8) uint8 {
	for p.own[c].n > 0 {
		cell := p.own[c].draw(&p.random)
		if p.field.holds[cell&cellMask] == vacant && p.field.open(stride, cell)&side(c) != 0 {
			p.field.play(stride, cell, c)
			c ^= 1
		}
	}
	return c ^ 1
}

// runPlain lets both sides play any legal move with equal chances.
func (p *playout) runPlain(stride uint16, c uint8) uint8 {
	for i := range p.own {
		copy(p.own[i].cells[:p.shared.n], p.shared.cells[:p.shared.n])
		p.own[i].n = p.shared.n
	}
	return p.finish(stride, c)
}
