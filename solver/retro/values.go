package retro

import "math/bits"

// subject is a board that is kept and all the sweeps need to know of it.
type subject struct {
	stones
	rank       uint64
	own, other image
	twin       bool // it equals its own inverse, so both sides are one
}

func (s *solver) subject(code, rank uint64) subject {
	b := s.geometry.board(code)
	p := subject{stones: b, rank: rank, own: s.geometry.images(b.own), other: s.geometry.images(b.other)}
	if bits.OnesCount64(b.own) == bits.OnesCount64(b.other) {
		_, p.twin = s.geometry.canonical(&p.own, &p.other)
	}
	return p
}

// seen is the board from one side.
func (p *subject) seen(side uint8) (b stones, own, other *image) {
	if side == 0 {
		return p.stones, &p.own, &p.other
	}
	return stones{p.stones.other, p.stones.own}, &p.other, &p.own
}

// total is the value of a board for the side to play, without a pass before it:
// the best of the stones, worth m, and of a pass. After a pass the opponent ends
// the game with score, or plays a stone worth f to the one who passed.
func total(m, f int, score func() int) int {
	if f <= m {
		return m
	}
	return max(m, min(score(), f))
}

// values re-evaluates the marked sides of a board from the boards its moves lead
// to. A change marks the boards whose values may rest on it.
func (w *worker) values(code, rank uint64, sides uint8) {
	s := w.s
	p := s.subject(code, rank)
	old := entry(s.values.load(rank))
	w.kos = w.kos[:0]
	if old&hasKo != 0 {
		w.kos = s.directory.of(rank, w.kos)
	}
	var koOld, koNow [2 * MaxPoints]koEntry
	for i, k := range w.kos {
		koOld[i] = koEntry(s.koValues.load(k.slot))
		koNow[i] = koOld[i]
	}
	if p.twin {
		sides = 1
	}
	now, late := old, uint8(0)
	for side := range uint8(2) {
		if sides>>side&1 != 0 {
			w.visits++
			now = w.evaluate(&p, side, now, &koNow, &late)
		}
	}
	if p.twin {
		for plane := range s.planes {
			now = now.with(plane, 1, now.value(plane, 0))
		}
	}
	for side := range uint8(2) {
		if late>>side&1 != 0 {
			s.late.set(2*rank + uint64(side))
		}
	}
	s.values.replace(rank, uint32(old), uint32(now))
	changed := old != now
	for i, k := range w.kos {
		s.koValues.replace(k.slot, uint32(koOld[i]), uint32(koNow[i]))
		changed = changed || koOld[i] != koNow[i]
	}
	if changed {
		w.changes++
		w.propagate(&p, old, now, &koOld, &koNow)
	}
}

// evaluate works out one side. What the present bar does not let through is
// left as it was and noted in late.
func (w *worker) evaluate(p *subject, side uint8, now entry, koNow *[2 * MaxPoints]koEntry, late *uint8) entry {
	s := w.s
	b, own, other := p.seen(side)
	w.look(b, own, other)
	for plane := range s.planes {
		bans := uint64(0)
		for _, k := range w.kos {
			if k.side() == side {
				bans |= s.geometry.cell[k.digit()]
			}
		}
		first, second, best := w.best(plane, bans != 0)
		if s.passes(plane, now.value(plane, side), first) {
			now = now.with(plane, side, first)
		} else {
			*late |= 1 << side
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			v := first
			if s.geometry.cell[k.digit()] == best {
				v = second
			}
			if s.passes(plane, koNow[i].value(plane), v) {
				koNow[i] = koNow[i].with(plane, v)
			} else {
				*late |= 1 << side
			}
		}
	}
	return now
}

// best is the value of the best move, of the next best, and the point of the
// best; next best matters only where the best may be banned. Without a move the
// value is the worst possible, which a pass never falls below.
func (w *worker) best(plane int, two bool) (first, second int, point uint64) {
	s := w.s
	dual := s.dual(plane)
	first, second = -s.points, -s.points
	for i := range w.next {
		n := &w.next[i]
		m := n.entry.value(dual, n.side)
		if n.ban {
			m = n.ko.value(dual)
		}
		bar := first
		if two {
			bar = second
		}
		if -m <= bar {
			continue
		}
		v := -total(m, -n.entry.value(plane, n.side^1), func() int { return s.geometry.grid.Score(n.own, n.other) })
		if v > first {
			first, second, point = v, first, n.point
		} else if v > second {
			second = v
		}
		if bar == s.points {
			break
		}
	}
	return first, second, point
}

// propagate marks the boards before one whose value has changed for a side.
func (w *worker) propagate(p *subject, old, now entry, koOld, koNow *[2 * MaxPoints]koEntry) {
	s := w.s
	score, known := 0, false
	for side := range uint8(2) {
		if p.twin && side == 1 {
			break
		}
		area := func() int {
			if !known {
				score, known = s.geometry.grid.Score(p.stones.own, p.stones.other), true
			}
			if side == 1 {
				return -score
			}
			return score
		}
		b, own, other := p.seen(side)
		var d difference
		for plane := range s.planes {
			f, g := -old.value(s.dual(plane), side^1), -now.value(s.dual(plane), side^1)
			d.add(s.dual(plane), total(old.value(plane, side), f, area), total(now.value(plane, side), g, area))
		}
		if d.planes != 0 {
			w.moves = s.geometry.backward(b.own, b.other, w.moves[:0])
			for _, m := range w.moves {
				w.mark(s.geometry.before(own, other, m), &d)
			}
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			var d difference
			for plane := range s.planes {
				f, g := -old.value(s.dual(plane), side^1), -now.value(s.dual(plane), side^1)
				d.add(s.dual(plane), total(koOld[i].value(plane), f, area), total(koNow[i].value(plane), g, area))
			}
			if d.planes != 0 {
				ban := s.geometry.cell[k.digit()]
				took := s.geometry.taker(b.own, b.other, ban)
				w.mark(s.geometry.before(own, other, move{point: took, taken: ban}), &d)
			}
		}
	}
}

// difference is what a change means to the boards before it: for each plane of
// theirs that it touches, what the move is worth now.
type difference struct {
	planes uint8
	worth  [2]int
}

func (d *difference) add(plane, old, now int) {
	if old != now {
		d.planes |= 1 << plane
		d.worth[plane] = -now
	}
}

// mark notes that a board is to be evaluated again, unless its value cannot change.
func (w *worker) mark(at place, d *difference) {
	s := w.s
	rank, ok := s.index.rank(at.code)
	if !ok {
		return
	}
	e := entry(s.values.load(rank))
	// With a ban on the board the second best move counts too.
	if e&hasKo == 0 && !s.touches(e, at.side, d) {
		return
	}
	s.marked.set(2*rank + uint64(at.side))
}

// touches uses only what no evaluation under way can undo: values move away from
// where they began and never back.
func (s *solver) touches(e entry, side uint8, d *difference) bool {
	for plane := range s.planes {
		if d.planes>>plane&1 == 0 {
			continue
		}
		v := e.value(plane, side)
		switch {
		case v == s.points && s.start[plane] != s.points, v == -s.points && s.start[plane] != -s.points:
			// As far from the start as can be.
		case v > s.start[plane] && v >= d.worth[plane]:
			// Better already, and a value above its start never falls.
		case s.start[plane] == -s.points && v >= d.worth[plane]:
			// Such values only rise.
		default:
			return true
		}
	}
	return false
}
