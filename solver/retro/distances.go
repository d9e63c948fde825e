package retro

import "tengen/tablebase"

// maxDistance is the longest game a byte can hold beside the two marks.
const maxDistance = 254

// Distances are worked out once the values stand. The winner keeps the value and
// ends the game as soon as possible, the loser keeps it and delays. A distance that
// is not known yet counts as endless, and distances only fall from there, so the
// order of evaluation decides how often one is written but not what remains.

// drawn is the value of the best stone with loops drawn, for any kind of table.
func (s *solver) drawn(e entry, side uint8) int {
	if s.planes == 1 {
		return e.value(0, side)
	}
	return max(e.value(0, side), min(e.value(1, side), 0))
}

func (s *solver) drawnKo(e koEntry) int {
	if s.planes == 1 {
		return e.value(0)
	}
	return max(e.value(0), min(e.value(1), 0))
}

// fars are the distances of the best stones of both sides.
type fars uint32

func (f fars) of(side uint8) uint8 { return uint8(f >> (8 * side)) }

func (f fars) with(side, far uint8) fars {
	return f&^(0xff<<(8*side)) | fars(far)<<(8*side)
}

// distances re-evaluates the marked sides of a board.
func (w *worker) distances(code, rank uint64, sides uint8) {
	s := w.s
	p := s.subject(code, rank)
	e, old := entry(s.values.load(rank)), fars(s.far.load(rank))
	w.kos = w.kos[:0]
	if e&hasKo != 0 {
		w.kos = s.directory.of(rank, w.kos)
	}
	var koOld, koNow [2 * MaxPoints]uint8
	for i, k := range w.kos {
		koOld[i] = uint8(s.koFar.load(k.slot))
		koNow[i] = koOld[i]
	}
	if p.twin {
		sides = 1
	}
	now := old
	for side := range uint8(2) {
		if sides>>side&1 != 0 {
			w.visits++
			now = w.measure(&p, side, e, now, &koNow)
		}
	}
	if p.twin {
		now = now.with(1, now.of(0))
	}
	s.far.replace(rank, uint32(old), uint32(now))
	changed := old != now
	for i, k := range w.kos {
		s.koFar.replace(k.slot, uint32(koOld[i]), uint32(koNow[i]))
		changed = changed || koOld[i] != koNow[i]
	}
	if changed {
		w.changes++
		w.spread(&p, e, old, now, &koOld, &koNow)
	}
}

// measure works out one side.
func (w *worker) measure(p *subject, side uint8, e entry, now fars, koNow *[2 * MaxPoints]uint8) fars {
	s := w.s
	b, own, other := p.seen(side)
	w.look(b, own, other)
	var worth, far [MaxPoints]int
	for i := range w.next {
		worth[i], far[i] = w.follow(&w.next[i])
	}
	late := false
	keep := func(old uint8, value int, ban uint64) uint8 {
		c := choice{winner: value > 0}
		stones := 0
		for i := range w.next {
			if w.next[i].point != ban {
				stones++
				if worth[i] == value {
					c.add(far[i], 1)
				}
			}
		}
		switch {
		case stones == 0:
			return tablebase.NoStone
		case value == 0 || !c.known() || c.far == int(old):
			return old
		case c.far > maxDistance:
			w.overlong = true
			return old
		case c.far > s.stages[s.stage].bar:
			late = true
			return old
		}
		return uint8(c.far)
	}
	now = now.with(side, keep(now.of(side), s.drawn(e, side), 0))
	for i, k := range w.kos {
		if k.side() == side {
			koNow[i] = keep(koNow[i], s.drawnKo(koEntry(s.koValues.load(k.slot))), s.geometry.cell[k.digit()])
		}
	}
	if late {
		s.late.set(2*p.rank + uint64(side))
	}
	return now
}

// follow is what the move to a board is worth, and the distance from there.
func (w *worker) follow(n *successor) (worth, far int) {
	s := w.s
	h := halves{
		m: s.drawn(n.entry, n.side), f: -s.drawn(n.entry, n.side^1),
		score: func() int { return s.geometry.grid.Score(n.own, n.other) },
	}
	both := fars(s.far.load(n.rank))
	h.stone, h.reply = both.of(n.side), both.of(n.side^1)
	if n.ban {
		h.m, h.stone = s.drawnKo(n.ko), uint8(s.koFar.load(n.slot))
	}
	v, d := h.distance()
	return -v, d
}

// halves is what the value and the distance of a position are made of: the best
// stone, and the best stone of the opponent, seen from the side to play.
type halves struct {
	m, f         int
	stone, reply uint8 // distances
	score        func() int
}

// distance is the value of a position and the moves to its end: 0 where nobody
// wins or where the moves are not known yet.
func (h *halves) distance() (value, far int) {
	v := total(h.m, h.f, h.score)
	if v == 0 {
		return 0, 0
	}
	c := choice{winner: v > 0}
	if h.m == v {
		c.stone(h.stone)
	}
	if h.f >= v && min(h.score(), h.f) == v {
		reply := choice{winner: v < 0}
		if h.score() == v {
			reply.add(1, 0)
		}
		if h.f == v {
			reply.stone(h.reply)
		}
		c.add(reply.far, 1)
	}
	return v, c.far
}

// choice is the shortest way for a winner and the longest for a loser, where a
// way of length 0 is one of which the end is not known.
type choice struct {
	winner  bool
	far     int
	unknown bool
}

func (c *choice) add(far, more int) {
	switch {
	case far == 0:
		c.unknown = true
	case c.far == 0 || (far+more < c.far) == c.winner:
		c.far = far + more
	}
	if c.unknown && !c.winner {
		c.far = 0
	}
}

func (c *choice) stone(far uint8) {
	if far != tablebase.NoStone {
		c.add(int(far), 0)
	}
}

func (c *choice) known() bool { return c.far != 0 }

// spread marks the boards before one whose distance has changed for a side.
func (w *worker) spread(p *subject, e entry, old, now fars, koOld, koNow *[2 * MaxPoints]uint8) {
	s := w.s
	score := s.geometry.grid.Score(p.stones.own, p.stones.other)
	for side := range uint8(2) {
		if p.twin && side == 1 {
			break
		}
		area := score
		if side == 1 {
			area = -score
		}
		b, own, other := p.seen(side)
		before := halves{
			m: s.drawn(e, side), f: -s.drawn(e, side^1),
			stone: old.of(side), reply: old.of(side ^ 1), score: func() int { return area },
		}
		after := before
		after.stone, after.reply = now.of(side), now.of(side^1)
		if v, moved := compare(&before, &after); moved {
			w.moves = s.geometry.backward(b.own, b.other, w.moves[:0])
			for _, m := range w.moves {
				w.markFar(s.geometry.before(own, other, m), v)
			}
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			before.m = s.drawnKo(koEntry(s.koValues.load(k.slot)))
			after.m = before.m
			before.stone, after.stone = koOld[i], koNow[i]
			if v, moved := compare(&before, &after); moved {
				ban := s.geometry.cell[k.digit()]
				took := s.geometry.taker(b.own, b.other, ban)
				w.markFar(s.geometry.before(own, other, move{point: took, taken: ban}), v)
			}
		}
	}
}

// compare is the value of a position and whether its distance differs.
func compare(before, after *halves) (value int, moved bool) {
	value, old := before.distance()
	_, now := after.distance()
	return value, old != now
}

// markFar notes that a board is to be evaluated again if the move to a position of
// value v is among its best.
func (w *worker) markFar(at place, v int) {
	s := w.s
	rank, ok := s.index.rank(at.code)
	if !ok {
		return
	}
	if e := entry(s.values.load(rank)); e&hasKo != 0 || s.drawn(e, at.side) == -v {
		s.marked.set(2*rank + uint64(at.side))
	}
}
