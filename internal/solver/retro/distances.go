package retro

import "tengen/tablebase"

// maxDistance is the longest game a byte can hold beside the two marks.
const maxDistance = 254

// overlong stands for all distances that a byte cannot hold.
const overlong = tablebase.NoStone + 1

// Distances are computed after the values are final. The winner keeps the value
// and ends the game as soon as possible; the loser keeps the value and delays.
// An unknown distance counts as endless, and distances only fall from there. So
// the order of evaluation affects how often a distance is written, but not the
// result.

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

// farFacts holds the known distances of a board: of the best stones of both
// sides, and of its bans in the order of worker.kos.
type farFacts struct {
	stone [2]uint8
	kos   [2 * MaxPoints]uint8
}

// distances re-evaluates the marked sides of a board.
func (w *worker) distances(code, rank uint64, sides uint8) {
	p := w.s.subject(code, rank)
	var values facts
	w.read(rank, &values)
	var old farFacts
	w.readFar(rank, &old)
	now := old
	if p.twin {
		sides = 1
	}
	for side := range uint8(2) {
		if sides>>side&1 != 0 {
			w.visits++
			if !w.measure(&p, side, &values, &now) {
				w.s.late.mark(2*rank + uint64(side))
			}
		}
	}
	if p.twin {
		now.stone[1] = now.stone[0]
	}
	if w.writeFar(rank, &old, &now) {
		w.changes++
		w.spread(&p, &values, &old, &now)
	}
}

// pack and unpack are the distances of both sides as one field.
func pack(far [2]uint8) uint32 { return uint32(far[0]) | uint32(far[1])<<8 }

func unpack(far uint32) [2]uint8 { return [2]uint8{uint8(far), uint8(far >> 8)} }

func (w *worker) readFar(rank uint64, r *farFacts) {
	r.stone = unpack(w.s.far.field(rank))
	for i, k := range w.kos {
		r.kos[i] = uint8(w.s.koFar.field(k.slot))
	}
}

// writeFar stores the changes and reports whether there are any.
func (w *worker) writeFar(rank uint64, old, now *farFacts) bool {
	s := w.s
	changed := old.stone != now.stone
	s.far.replace(rank, pack(old.stone), pack(now.stone))
	for i, k := range w.kos {
		changed = changed || old.kos[i] != now.kos[i]
		s.koFar.replace(k.slot, uint32(old.kos[i]), uint32(now.kos[i]))
	}
	return changed
}

// measure computes the distances of one side. It returns false if the bar of the
// stage held back a change. That distance then keeps its old value.
func (w *worker) measure(p *subject, side uint8, values *facts, now *farFacts) bool {
	s := w.s
	b, own, other := p.seen(side)
	w.look(b, own, other)
	var worth, far [MaxPoints]int
	for i := range w.next {
		worth[i], far[i] = w.follow(&w.next[i])
	}
	stone := w.shortest(s.drawn(values.entry, side), 0, worth[:], far[:])
	all := w.keep(&now.stone[side], stone)
	for i, k := range w.kos {
		if k.side() == side {
			stone := w.shortest(s.drawnKo(values.kos[i]), s.geometry.cell[k.digit()], worth[:], far[:])
			all = w.keep(&now.kos[i], stone) && all
		}
	}
	return all
}

// shortest is the distance of the best stone, of the given value, on points
// other than the ban.
func (w *worker) shortest(value int, ban uint64, worth, far []int) int {
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
	case value == 0:
		return tablebase.NoDistance
	case c.far > maxDistance:
		return overlong
	}
	return c.far
}

// keep replaces a distance by a known one, unless the bar holds it back.
func (w *worker) keep(old *uint8, far int) bool {
	switch {
	case far == tablebase.NoStone || far != tablebase.NoDistance && far <= w.s.stages[w.s.stage].bar:
		*old = uint8(far)
	case far == overlong:
		w.overlong = true
	}
	return far == tablebase.NoDistance || far == int(*old)
}

// follow is the value of a move to a board, and the distance from there.
func (w *worker) follow(n *successor) (worth, far int) {
	s := w.s
	h := halves{
		m: s.drawn(n.entry, n.side), f: -s.drawn(n.entry, n.side^1),
		score: func() int { return s.geometry.grid.Score(n.own, n.other) },
	}
	both := unpack(s.far.field(n.rank))
	h.stone, h.reply = both[n.side], both[n.side^1]
	if n.ban {
		h.m, h.stone = s.drawnKo(n.ko), uint8(s.koFar.field(n.slot))
	}
	v, d := h.distance()
	return -v, d
}

// halves holds the parts of the value and the distance of a position: the best
// stone, and the best stone of the opponent, seen from the side to play.
type halves struct {
	m, f         int
	stone, reply uint8 // distances
	score        func() int
}

// distance is the value of a position and the number of moves to its end: 0 if
// nobody wins or if the number is not known yet.
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

// choice is the shortest way for a winner and the longest for a loser. A length
// of 0 means that the end is not known.
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

// spread marks the predecessors of a board whose distance has changed for a
// side.
func (w *worker) spread(p *subject, values *facts, old, now *farFacts) {
	s := w.s
	for side := range uint8(2) {
		if p.twin && side == 1 {
			break
		}
		b, own, other := p.seen(side)
		before := halves{
			m: s.drawn(values.entry, side), f: -s.drawn(values.entry, side^1),
			stone: old.stone[side], reply: old.stone[side^1], score: s.area(b),
		}
		after := before
		after.stone, after.reply = now.stone[side], now.stone[side^1]
		if v, moved := before.compare(&after); moved {
			w.moves = s.geometry.backward(b.own, b.other, w.moves[:0])
			for _, m := range w.moves {
				w.markFar(s.geometry.before(own, other, m), v)
			}
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			before.m, before.stone = s.drawnKo(values.kos[i]), old.kos[i]
			after.m, after.stone = before.m, now.kos[i]
			if v, moved := before.compare(&after); moved {
				w.markFar(s.geometry.before(own, other, s.geometry.taking(b, k)), v)
			}
		}
	}
}

// compare is the value of a position, and whether its distance has changed.
func (h *halves) compare(now *halves) (value int, moved bool) {
	value, far := h.distance()
	_, later := now.distance()
	return value, far != later
}

// markFar marks a board for evaluation if the move to a position of value v is
// among its best.
func (w *worker) markFar(at place, v int) {
	s := w.s
	rank, ok := s.index.rank(at.code)
	if !ok {
		return
	}
	if e := entry(s.values.field(rank)); e&hasKo != 0 || s.drawn(e, at.side) == -v {
		s.marked.mark(2*rank + uint64(at.side))
	}
}
