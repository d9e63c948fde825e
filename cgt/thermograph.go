package cgt

// Thermograph shows what a game is worth when every move costs a tax t: the
// stops of the cooled game when Left and when Right begins, for every t from −1
// upwards. The walls meet in the last corner of both, at the temperature of the
// game and at its mean; above there is the mast, where both have that value.
type Thermograph struct {
	Left, Right Wall
}

// Wall is one of the two stops as a function of the tax: linear between the
// corners, which ascend, and constant after the last. The first corner is at −1.
type Wall []Corner

// Corner is a point of a wall: the Value when the tax is At.
type Corner struct {
	At, Value Dyadic
}

// Mean is the value of the mast: the average value of a copy of the game in a sum of
// many copies.
func (t Thermograph) Mean() Dyadic { return t.Left[len(t.Left)-1].Value }

// Temperature is the tax at which the mast begins. It measures how urgent a move is.
// It is negative for numbers: −1 for integers, and −1/2^n for a number with the
// denominator 2^n.
func (t Thermograph) Temperature() Dyadic { return t.Left[len(t.Left)-1].At }

// Mean is the value of the mast of the thermograph of g.
func (a *Arena) Mean(g Game) Dyadic { return a.Thermograph(g).Mean() }

// Temperature is where the mast of the thermograph of g begins.
func (a *Arena) Temperature(g Game) Dyadic { return a.Thermograph(g).Temperature() }

// wallShare says how much memory known thermographs may take: this part of the
// limit. Beyond it they are dropped before the next one is drawn.
const wallShare = 8

// Thermograph draws g. The caller must not change the walls.
func (a *Arena) Thermograph(g Game) Thermograph {
	const cornerSize = 16
	if a.corners*cornerSize > a.limits.Memory/wallShare {
		clear(a.drawn)
		a.corners = 0
	}
	return a.draw(g)
}

// draw follows the definition. Left's scaffold is the best right wall among her
// options, less the tax for the move. Right's scaffold is defined likewise. The
// scaffolds approach each other as the tax grows. The walls are the scaffolds up to
// the point where they meet. An integer is a mast from −1 upwards.
func (a *Arena) draw(g Game) Thermograph {
	if t, ok := a.drawn[g]; ok {
		return t
	}
	var t Thermograph
	if x, ok := a.Number(g); ok && x.exponent() == 0 {
		mast := Wall{{-One, x}}
		t = Thermograph{mast, mast}
	} else {
		var scaffolds [2]curve
		for _, option := range a.Left(g) {
			scaffolds[left] = scaffolds[left].best(curve{a.draw(option).Right, 0}, 1)
		}
		for _, option := range a.Right(g) {
			scaffolds[right] = scaffolds[right].best(curve{a.draw(option).Left, 0}, -1)
		}
		t = meet(scaffolds[left].tax(-1), scaffolds[right].tax(1))
	}
	a.drawn[g] = t
	a.corners += int64(len(t.Left) + len(t.Right))
	return t
}

// curve is a wall that goes on with a slope after its last corner. All slopes
// are −1, 0 or 1.
type curve struct {
	wall  Wall
	slope Dyadic
}

// piece is a straight part of a curve that begins at a temperature.
type piece struct {
	at, value, slope Dyadic
}

// tax adds slope times the temperature.
func (c curve) tax(slope Dyadic) curve {
	taxed := curve{make(Wall, len(c.wall)), c.slope + slope}
	for i, corner := range c.wall {
		taxed.wall[i] = Corner{corner.At, corner.Value + slope*corner.At}
	}
	return taxed
}

// from is the piece of the curve at a temperature, and the temperature at which the
// piece ends, if it ends.
func (c curve) from(at Dyadic) (p piece, end Dyadic, ends bool) {
	i := len(c.wall) - 1
	for c.wall[i].At > at {
		i--
	}
	corner := c.wall[i]
	slope := c.slope
	if i+1 < len(c.wall) {
		next := c.wall[i+1]
		end, ends = next.At, true
		slope = (next.Value - corner.Value) / (next.At - corner.At)
	}
	return piece{at, corner.Value + slope*(at-corner.At), slope}, end, ends
}

// pieces returns the pieces of two curves at a temperature, and where the first of
// them ends, if one does.
func pieces(c, d curve, at Dyadic) (p, q piece, end Dyadic, ends bool) {
	p, end, ends = c.from(at)
	q, otherEnd, otherEnds := d.from(at)
	if otherEnds && (!ends || otherEnd < end) {
		end, ends = otherEnd, true
	}
	return p, q, end, ends
}

// best is the larger of two curves everywhere, or with the sign −1 the smaller.
func (c curve) best(d curve, sign Dyadic) curve {
	if c.wall == nil {
		return d
	}
	var b curve
	for at, ends := -One, true; ends; {
		var p, q piece
		var end Dyadic
		p, q, end, ends = pieces(c, d, at)
		if lead := sign * (p.value - q.value); lead < 0 || lead == 0 && sign*(p.slope-q.slope) < 0 {
			p, q = q, p
		}
		b.extend(p)
		if closing := sign * (q.slope - p.slope); closing > 0 {
			cross := at + sign*(p.value-q.value)/closing
			if !ends || cross < end {
				b.extend(piece{cross, p.value + p.slope*(cross-at), q.slope})
			}
		}
		at = end
	}
	return b
}

// extend continues the curve with a piece, with a corner if the slope changes.
func (c *curve) extend(p piece) {
	if len(c.wall) == 0 || c.slope != p.slope {
		c.wall = append(c.wall, Corner{p.at, p.value})
	}
	c.slope = p.slope
}

// meet cuts two scaffolds where they meet and puts the mast there. At −1 they are
// apart, since the game is not an integer. From there on the distance never grows,
// and in the end both slopes bring them together.
func meet(l, r curve) Thermograph {
	var walls [2]curve
	for at := -One; ; {
		p, q, end, ends := pieces(l, r, at)
		gap, closing := p.value-q.value, q.slope-p.slope
		if gap > 0 {
			walls[left].extend(p)
			walls[right].extend(q)
		}
		if gap == 0 || closing > 0 && (!ends || gap <= closing*(end-at)) {
			if gap > 0 {
				at += gap / closing
			}
			top := Corner{at, p.value + p.slope*(at-p.at)}
			return Thermograph{append(walls[left].wall, top), append(walls[right].wall, top)}
		}
		at = end
	}
}
