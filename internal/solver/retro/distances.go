package retro

import "tengen/tablebase"

// maxDistance is the longest game a byte can hold beside the two marks.
const maxDistance = 254

// overlong stands for all distances that a byte cannot hold.
const overlong = tablebase.NoStone + 1

// Distances are computed after the values are final, for each plane on its own. In a
// plane a value is a win if it is better than an endless game, and a loss if it is
// worse. The winner keeps the value and ends the game as soon as possible; the loser
// keeps the value and delays. An unknown distance counts as endless, and distances only
// fall from there. So the order of evaluation affects how often a distance is written,
// but not the result.

// farFacts holds the known distances of a board: of the best stones of both
// sides, and of its bans in the order of worker.kos.
type farFacts struct {
	stone farEntry
	kos   [2 * MaxPoints]farEntry
}

// farEntry holds distances, one byte for each plane and side, or of a ban for each
// plane.
type farEntry uint32

// farPlace is the number of the byte of a plane and a side.
func farPlace(plane int, side uint8) int { return 2*plane + int(side) }

func (e farEntry) at(place int) uint8 { return uint8(e >> (8 * place)) }

func (e farEntry) with(place int, far uint8) farEntry {
	return e&^(0xff<<(8*place)) | farEntry(far)<<(8*place)
}

// distances re-evaluates the marked sides of a board.
func (w *worker) distances(code, rank uint64, marked needs) {
	p := w.s.subject(code, rank)
	var values facts
	w.read(rank, &values)
	var old farFacts
	w.readFar(rank, &old)
	now := old
	for side := range p.sides() {
		if p.need(marked, side) != 0 {
			w.visits++
			if !w.measure(&p, side, &values, &now) {
				w.s.late.mark(rank, side, unsure)
			}
		}
	}
	if p.twin {
		for plane := range w.s.planes {
			now.stone = now.stone.with(farPlace(plane, 1), now.stone.at(farPlace(plane, 0)))
		}
	}
	if w.writeFar(rank, &old, &now) {
		w.changes++
		w.spread(&p, &values, &old, &now)
	}
}

func (w *worker) readFar(rank uint64, r *farFacts) {
	r.stone = farEntry(w.s.far.field(rank))
	for i, k := range w.kos {
		r.kos[i] = farEntry(w.s.koFar.field(k.slot))
	}
}

// writeFar stores the changes and reports whether there are any.
func (w *worker) writeFar(rank uint64, old, now *farFacts) bool {
	s := w.s
	changed := old.stone != now.stone
	s.far.replace(rank, uint32(old.stone), uint32(now.stone))
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
	next := w.look(p, side, w.list(p, side))
	all := true
	for plane := range s.planes {
		var worth, far [MaxPoints]int
		for i := range next {
			worth[i], far[i] = w.follow(&next[i], s.dual(plane))
		}
		stone := w.shortest(next, plane, values.entry.value(plane, side), 0, worth[:], far[:])
		all = w.keep(&now.stone, farPlace(plane, side), stone) && all
		for i, k := range w.kos {
			if k.side() == side {
				stone := w.shortest(next, plane, values.kos[i].value(plane), s.geometry.cell[k.digit()], worth[:], far[:])
				all = w.keep(&now.kos[i], plane, stone) && all
			}
		}
	}
	return all
}

// shortest is the distance of the best stone, of the given value, on points
// other than the ban.
func (w *worker) shortest(next []successor, plane, value int, ban uint64, worth, far []int) int {
	c := choice{winner: value > w.s.start[plane]}
	stones := 0
	for i := range next {
		if next[i].point != ban {
			stones++
			if worth[i] == value {
				c.add(far[i], 1)
			}
		}
	}
	switch {
	case stones == 0:
		return tablebase.NoStone
	case value == w.s.start[plane]:
		return tablebase.NoDistance
	case c.far > maxDistance:
		return overlong
	}
	return c.far
}

// keep replaces a distance by a known one, unless the bar holds it back.
func (w *worker) keep(old *farEntry, place, far int) bool {
	switch {
	case far == tablebase.NoStone || far != tablebase.NoDistance && far <= w.s.stages[w.s.stage].bar:
		*old = old.with(place, uint8(far))
	case far == overlong:
		w.overlong = true
	}
	return far == tablebase.NoDistance || far == int(old.at(place))
}

// follow is the value of a move to a board where the opponent's plane is given, and the
// distance from there.
func (w *worker) follow(n *successor, plane int) (worth, far int) {
	s := w.s
	h := s.halves(n.entry, farEntry(s.far.field(n.rank)), plane, n.side, func() int { return s.geometry.grid.Score(n.own, n.other) })
	if n.ban {
		h.m, h.stone = n.ko.value(plane), farEntry(s.koFar.field(n.slot)).at(plane)
	}
	v, d := h.distance()
	return -v, d
}

// halves holds the parts of the value and the distance of a position in a plane: the
// best stone, and the best stone of the opponent, seen from the side to play.
type halves struct {
	m, f         int
	stone, reply uint8 // distances
	endless      int   // value of an endless game
	score        func() int
}

func (s *solver) halves(e entry, far farEntry, plane int, side uint8, score func() int) halves {
	dual := s.dual(plane)
	return halves{
		m: e.value(plane, side), f: -e.value(dual, side^1),
		stone: far.at(farPlace(plane, side)), reply: far.at(farPlace(dual, side^1)),
		endless: s.start[plane], score: score,
	}
}

// distance is the value of a position and the number of moves to its end: 0 if the
// value is that of an endless game, or if the number is not known yet.
func (h *halves) distance() (value, far int) {
	v := total(h.m, h.f, h.score)
	if v == h.endless {
		return v, 0
	}
	c := choice{winner: v > h.endless}
	if h.m == v {
		c.stone(h.stone)
	}
	if h.f >= v && min(h.score(), h.f) == v {
		reply := choice{winner: !c.winner}
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
	for side := range p.sides() {
		b, _, _ := p.seen(side)
		area := s.area(b)
		if d := s.moved(values, old, now, side, noKo, area); d.planes != 0 {
			w.markFar(p, side, s.geometry.backward(b.own, b.other, w.moves[:0]), &d)
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			if d := s.moved(values, old, now, side, i, area); d.planes != 0 {
				w.markFar(p, side, append(w.moves[:0], s.geometry.taking(b, k)), &d)
			}
		}
	}
}

// moved describes in which planes the distance of a position has changed.
func (s *solver) moved(values *facts, old, now *farFacts, side uint8, ko int, score func() int) difference {
	var d difference
	for plane := range s.planes {
		before, after := s.halves(values.entry, old.stone, plane, side, score), s.halves(values.entry, now.stone, plane, side, score)
		if ko != noKo {
			before.m, before.stone = values.kos[ko].value(plane), old.kos[ko].at(plane)
			after.m, after.stone = before.m, now.kos[ko].at(plane)
		}
		value, far := before.distance()
		if _, later := after.distance(); far != later {
			d.planes |= 1 << s.dual(plane)
			d.worth[s.dual(plane)] = -value
		}
	}
	return d
}

// markFar marks the boards before the moves for evaluation where the move, to a
// position whose distance has changed, is among the best.
func (w *worker) markFar(p *subject, side uint8, moves []move, d *difference) {
	s := w.s
	for _, b := range w.lookBack(p, side, moves) {
		best := b.entry&hasKo != 0
		for plane := range s.planes {
			best = best || d.planes>>plane&1 != 0 && b.entry.value(plane, b.side) == d.worth[plane]
		}
		if best {
			s.marked.mark(b.rank, b.side, unsure)
		}
	}
}
