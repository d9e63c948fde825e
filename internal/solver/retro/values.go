package retro

import "math/bits"

// subject is a board that is kept, with all that the sweeps need of it.
type subject struct {
	stones
	rank       uint64
	own, other image
	twin       bool // it equals its own inverse, so both sides have the same values
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

// total is the value of a board for the side to play, if the last move was not a
// pass. It is the better of the best stone, worth m, and a pass. After a pass
// the opponent ends the game with score, or plays a stone worth f to the side
// that passed.
func total(m, f int, score func() int) int {
	if f <= m {
		return m
	}
	return max(m, min(score(), f))
}

// facts holds the stored values of a board: its entry, and those of its bans in
// the order of worker.kos.
type facts struct {
	entry entry
	kos   [2 * MaxPoints]koEntry
}

// worth is the value of a position of a board: without a ban, or with the ban of
// a number.
func (s *solver) worth(r *facts, plane int, side uint8, ko int, score func() int) int {
	m := r.entry.value(plane, side)
	if ko >= 0 {
		m = r.kos[ko].value(plane)
	}
	return total(m, -r.entry.value(s.dual(plane), side^1), score)
}

const noKo = -1

// values re-evaluates the marked sides of a board from its successors. A change
// marks the boards whose values may depend on it.
func (w *worker) values(code, rank uint64, sides uint8) {
	p := w.s.subject(code, rank)
	var old facts
	w.read(rank, &old)
	now := old
	if p.twin {
		sides = 1
	}
	for side := range uint8(2) {
		if sides>>side&1 != 0 {
			w.visits++
			if !w.evaluate(&p, side, &now) {
				w.s.late.mark(2*rank + uint64(side))
			}
		}
	}
	if p.twin {
		for plane := range w.s.planes {
			now.entry = now.entry.with(plane, 1, now.entry.value(plane, 0))
		}
	}
	if w.write(rank, &old, &now) {
		w.changes++
		w.propagate(&p, &old, &now)
	}
}

// read fetches the stored values of a board and lists its bans.
func (w *worker) read(rank uint64, r *facts) {
	s := w.s
	r.entry = entry(s.values.field(rank))
	w.kos = w.kos[:0]
	if r.entry&hasKo != 0 {
		w.kos = s.directory.of(rank, w.kos)
	}
	for i, k := range w.kos {
		r.kos[i] = koEntry(s.koValues.field(k.slot))
	}
}

// write stores the changes and reports whether there are any.
func (w *worker) write(rank uint64, old, now *facts) bool {
	s := w.s
	changed := old.entry != now.entry
	s.values.replace(rank, uint32(old.entry), uint32(now.entry))
	for i, k := range w.kos {
		changed = changed || old.kos[i] != now.kos[i]
		s.koValues.replace(k.slot, uint32(old.kos[i]), uint32(now.kos[i]))
	}
	return changed
}

// evaluate computes the values of one side. It returns false if the bar of the
// stage held back a change. That value then stays.
func (w *worker) evaluate(p *subject, side uint8, now *facts) bool {
	s := w.s
	b, own, other := p.seen(side)
	w.look(b, own, other)
	bans := false
	for _, k := range w.kos {
		bans = bans || k.side() == side
	}
	all := true
	for plane := range s.planes {
		first, second, best := w.best(plane, bans)
		if s.admits(plane, now.entry.value(plane, side), first) {
			now.entry = now.entry.with(plane, side, first)
		} else {
			all = false
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			v := first
			if s.geometry.cell[k.digit()] == best {
				v = second
			}
			if s.admits(plane, now.kos[i].value(plane), v) {
				now.kos[i] = now.kos[i].with(plane, v)
			} else {
				all = false
			}
		}
	}
	return all
}

// best is the value of the best move, the value of the next best, and the point
// of the best. The next best matters only where the best may be banned. Without
// a move the value is the worst possible; a pass is never worse.
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
	}
	return first, second, point
}

// propagate marks the predecessors of a board whose value has changed for a
// side.
func (w *worker) propagate(p *subject, old, now *facts) {
	s := w.s
	for side := range uint8(2) {
		if p.twin && side == 1 {
			break
		}
		b, own, other := p.seen(side)
		area := s.area(b)
		if d := s.compare(old, now, side, noKo, area); d.planes != 0 {
			w.moves = s.geometry.backward(b.own, b.other, w.moves[:0])
			for _, m := range w.moves {
				w.mark(s.geometry.before(own, other, m), &d)
			}
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			if d := s.compare(old, now, side, i, area); d.planes != 0 {
				w.mark(s.geometry.before(own, other, s.geometry.taking(b, k)), &d)
			}
		}
	}
}

// area computes the score of a board on first use.
func (s *solver) area(b stones) func() int {
	score, known := 0, false
	return func() int {
		if !known {
			score, known = s.geometry.grid.Score(b.own, b.other), true
		}
		return score
	}
}

// compare describes how the value of a position has changed.
func (s *solver) compare(old, now *facts, side uint8, ko int, score func() int) difference {
	var d difference
	for plane := range s.planes {
		before, after := s.worth(old, plane, side, ko, score), s.worth(now, plane, side, ko, score)
		if before != after {
			d.planes |= 1 << s.dual(plane)
			d.worth[s.dual(plane)] = -after
		}
	}
	return d
}

// difference is the effect of a change on the predecessors: for each plane of
// theirs that it touches, the value of the move.
type difference struct {
	planes uint8
	worth  [2]int
}

// mark marks a board for evaluation, unless its value cannot change.
func (w *worker) mark(at place, d *difference) {
	s := w.s
	rank, ok := s.index.rank(at.code)
	if !ok {
		return
	}
	e := entry(s.values.field(rank))
	// With a ban on the board the second best move counts too.
	if e&hasKo == 0 && !s.touches(e, at.side, d) {
		return
	}
	s.marked.mark(2*rank + uint64(at.side))
}

// touches uses only facts that no concurrent evaluation can undo: values move
// away from their start and never back.
func (s *solver) touches(e entry, side uint8, d *difference) bool {
	for plane := range s.planes {
		if d.planes>>plane&1 == 0 {
			continue
		}
		v := e.value(plane, side)
		switch {
		case v == s.points && s.start[plane] != s.points, v == -s.points && s.start[plane] != -s.points:
			// The value is at the extreme already.
		case v > s.start[plane] && v >= d.worth[plane]:
			// The value is better already, and a value above its start never
			// falls.
		case s.start[plane] == -s.points && v >= d.worth[plane]:
			// These values only rise.
		default:
			return true
		}
	}
	return false
}
