package tablebase

import (
	"math/bits"
	"math/rand/v2"

	"tengen/board"
	"tengen/weiqi"
)

// checker is one thread of a verification. It takes one board after the other, plays
// every move, and compares the value of the board with the values after the moves.
type checker struct {
	t      *Table
	from   source
	sample float64
	random *rand.Rand
	images []*board.Permuter
	seen   Verified

	// The present board, and for each side its moves and the positions they lead to.
	blocks weiqi.Blocks
	stones [2]uint64
	codes  [2]image
	moves  [2][]weiqi.Stone
	next   [2][]successor
	all    []successor // those of both sides
}

func newChecker(t *Table, from source, sample float64) *checker {
	c := &checker{t: t, from: from, sample: sample}
	for _, sym := range t.header.Size.Symmetries() {
		c.images = append(c.images, board.NewPermuter(t.header.Size, sym))
	}
	return c
}

// frame checks the boards of a frame.
func (c *checker) frame(n int, f *frame) error {
	ban := 0
	for at, code := range c.t.codes(n, f) {
		first := ban
		for ban < len(f.bans) && int(f.bans[ban]>>8) == at {
			ban++
		}
		if c.sample == 0 || c.random.Float64() < c.sample {
			if err := c.board(f, at, code, ban-first); err != nil {
				return err
			}
		}
	}
	return nil
}

// board checks a board from both sides.
func (c *checker) board(f *frame, at int, code uint64, bans int) error {
	t := c.t
	ones, twos := t.coder.stones(code)
	c.stones = [2]uint64{ones, twos}
	c.codes = [2]image{t.coder.image(ones), t.coder.image(twos)}
	c.blocks.Take(t.grid, ones, twos)
	if !c.blocks.Sound() {
		return wrong("%s holds %s, where a block has no liberty", t.path, c.draw(0))
	}
	if c.find(ones, twos, 0) != (slot{code, 0, noBan}) {
		return wrong("%s holds %s, which is not the smallest of its images", t.path, c.draw(0))
	}
	images, twin := t.coder.images(&c.codes[0], &c.codes[1])
	c.seen.Positions += standsFor(images, twin)
	first, second := t.kept(f, at, 0), t.kept(f, at, 1)
	if twin && first != second {
		return wrong("%s has different values for the two sides of %s, which is its own inverse", t.path, c.draw(0))
	}
	if err := c.play(); err != nil {
		return err
	}
	found := 0
	for side, k := range [2]kept{first, second} {
		n, err := c.side(f, at, slot{code, uint8(side), noBan}, k)
		if err != nil {
			return err
		}
		found += n
	}
	if found != bans {
		return wrong("%s holds %d bans on %s, the rules allow %d", t.path, bans, c.draw(0), found)
	}
	c.seen.Boards++
	c.seen.Bans += uint64(found)
	return nil
}

// side checks the board with one side to play, without a ban and with every possible
// ban. It counts the bans that are kept for the board itself and not for a symmetric
// image.
func (c *checker) side(f *frame, at int, here slot, k kept) (bans int, err error) {
	if err := c.compare(here.side, &k, -1); err != nil {
		return 0, err
	}
	for i, m := range c.moves[here.side] {
		if m.Ban == 0 {
			continue // a ko is mutual: a point can only be banned if a stone there would leave a ban too
		}
		kept := c.find(c.stones[here.side], c.stones[here.side^1], m.Point)
		here.ban = c.t.coder.digit[0][bits.TrailingZeros64(m.Point)]
		if kept == here {
			bans++
		}
		j, found := f.findBan(banKey(at, kept.side, kept.ban))
		if kept.code != here.code || !found {
			return 0, wrong("%s does not hold %s with the ban it can have", c.t.path, c.draw(here.side))
		}
		c.t.banned(&k, f, j)
		if err := c.compare(here.side, &k, i); err != nil {
			return 0, err
		}
	}
	return bans, nil
}

// find is the slot of a random image of a position. So a table shows as wrong if it
// treats two different positions as images of each other. The ban is a set of at most
// one point.
func (c *checker) find(own, other, ban uint64) slot {
	image := c.images[c.random.IntN(len(c.images))]
	cell := -1
	if ban != 0 {
		cell = bits.TrailingZeros64(image.Map(ban))
	}
	return c.t.coder.find(image.Map(own), image.Map(other), cell)
}

// play plays every move of both sides and looks all positions after them up at once, so that
// the processor waits for many at a time.
func (c *checker) play() error {
	c.all = c.all[:0]
	for side := range c.moves {
		c.moves[side] = c.blocks.Moves(side, c.moves[side][:0])
		own, other := c.stones[side], c.stones[side^1]
		for _, m := range c.moves[side] {
			n := successor{own: other &^ m.Taken, other: own | m.Point}
			if m.Ban != 0 {
				n.slot = c.find(n.own, n.other, m.Ban)
			} else {
				n.slot = c.follow(uint8(side), m)
			}
			c.all = append(c.all, n)
		}
	}
	first := len(c.moves[0])
	c.next = [2][]successor{c.all[:first], c.all[first:]}
	if err := c.from.fill(c.all); err != nil {
		return err
	}
	for i := range c.all {
		if n := &c.all[i]; !n.found {
			return wrong("%s does not hold %s", c.t.path, c.t.draw(n.own, n.other))
		}
	}
	return nil
}

// follow is the slot after a move that leaves no ban. The code of a board is a sum
// over its stones, so it is computed from the codes of the present board and the
// stones that the move changes.
func (c *checker) follow(side uint8, m weiqi.Stone) slot {
	coder := c.t.coder
	cell := bits.TrailingZeros64(m.Point)
	stone := &coder.bytes[cell/8][1<<(cell%8)]
	own, other := &c.codes[side^1], &c.codes[side]
	if m.Taken != 0 {
		left := coder.image(c.stones[side^1] &^ m.Taken)
		own = &left
	}
	code, who := coder.smallest(own, other, stone)
	return slot{code, who, noBan}
}

// compare derives the value of the best stone again, and its distance, without the
// banned move.
func (c *checker) compare(side uint8, k *kept, banned int) error {
	t, next := c.t, c.next[side]
	planes := t.header.Loops.Planes()
	for plane := range planes {
		best := -t.header.Size.Points()
		for i := range next {
			if i != banned {
				best = max(best, -int(next[i].value[planes-1-plane]))
			}
		}
		if best != k.stone[plane] {
			return wrong("%s gives the best stone on %s%s the value %d, its moves say %d", t.path, c.draw(side), c.without(side, banned), k.stone[plane], best)
		}
	}
	for plane := range t.header.distances() {
		if want := c.distance(side, plane, k.stone[plane], banned); int(k.stoneFar[plane]) != want {
			return wrong("%s says the best stone on %s%s ends the game in %d moves, its moves say %d", t.path, c.draw(side), c.without(side, banned), k.stoneFar[plane], want)
		}
	}
	return nil
}

// distance is that of the best stones in a plane, which are worth v.
func (c *checker) distance(side uint8, plane, v, banned int) int {
	next := c.next[side]
	if len(next) == 0 || len(next) == 1 && banned == 0 {
		return NoStone
	}
	endless := c.t.header.endless(plane)
	if v == endless {
		return NoDistance
	}
	other := c.t.header.Loops.Planes() - 1 - plane
	way := choice{winner: v > endless}
	for i := range next {
		if n := &next[i]; i != banned && -int(n.value[other]) == v {
			way.add(int(n.far[other]) + 1)
		}
	}
	if way.far >= NoStone {
		return NoStone + 1 // too long for a byte: no table has it
	}
	return way.far
}

// draw shows the present board, x to play.
func (c *checker) draw(side uint8) string { return c.t.draw(c.stones[side], c.stones[side^1]) }

// without names the move that is banned.
func (c *checker) without(side uint8, banned int) string {
	if banned < 0 {
		return ""
	}
	point := board.Point(bits.TrailingZeros64(c.moves[side][banned].Point))
	return " with " + c.t.header.Size.Name(point) + " banned"
}

func (t *Table) draw(own, other uint64) string {
	var s board.Stones
	s[board.Black][0], s[board.White][0] = own, other
	return t.header.Size.Line(s)
}
