package retro

import "math/bits"

// subject is a board that is kept, with all that the sweeps need of it.
type subject struct {
	stones
	rank          uint64
	same, inverse image // the faces of the board
	twin          bool  // it equals its own inverse, so both sides have the same values
}

func (s *solver) subject(code, rank uint64) subject {
	b := s.geometry.board(code)
	p := subject{stones: b, rank: rank}
	p.same, p.inverse = s.geometry.faces(b)
	if bits.OnesCount64(b.own) == bits.OnesCount64(b.other) {
		_, p.twin = s.geometry.canonical(&p.same, &p.inverse)
	}
	return p
}

// seen is the board from one side, and its faces.
func (p *subject) seen(side uint8) (b stones, same, inverse *image) {
	if side == 0 {
		return p.stones, &p.same, &p.inverse
	}
	return stones{p.stones.other, p.stones.own}, &p.inverse, &p.same
}

// sides yields the sides of the board to be evaluated.
func (p *subject) sides() uint8 {
	if p.twin {
		return 1
	}
	return 2
}

// need is what a side of the board needs by its marks.
func (p *subject) need(marked needs, side uint8) need {
	if p.twin {
		return marked.of(0) | marked.of(1)
	}
	return marked.of(side)
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
func (w *worker) values(code, rank uint64, marked needs) {
	p := w.s.subject(code, rank)
	var old facts
	w.read(rank, &old)
	now := old
	for side := range p.sides() {
		if n := p.need(marked, side); n != 0 {
			w.visits++
			if !w.answer(&p, side, n, &now) {
				w.s.late.mark(rank, side, unsure)
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

// answer brings the values of one side up to date. It returns false if the bar of
// the stage held back a change. That value then stays.
func (w *worker) answer(p *subject, side uint8, n need, now *facts) bool {
	switch n {
	case rises:
		if bar := w.s.bar(); now.entry.value(0, side) < bar {
			now.entry = now.entry.with(0, side, bar)
		}
		return true
	case falls:
		return w.fall(p, side, now)
	}
	return w.evaluate(p, side, now)
}

// fall computes a value that has not risen. One move that is still worth the old
// value settles that it has not fallen.
func (w *worker) fall(p *subject, side uint8, now *facts) bool {
	plane := w.s.planes - 1 // where values fall
	old := now.entry.value(plane, side)
	first := w.most(p, side, plane, old)
	return first >= old || w.settle(now, plane, side, first)
}

// settle replaces a value unless the bar of the stage holds the change back.
func (w *worker) settle(now *facts, plane int, side uint8, v int) bool {
	if !w.s.admits(plane, now.entry.value(plane, side), v) {
		return false
	}
	now.entry = now.entry.with(plane, side, v)
	return true
}

// together is the number of moves that are looked up at once where a few may do.
const together = 4

// most is the value of the best move, or that of any move which is worth enough. Without a
// move it is the worst possible; a pass is never worse.
func (w *worker) most(p *subject, side uint8, plane, enough int) int {
	first := -w.s.points
	for moves := w.list(p, side); len(moves) > 0 && first < enough; {
		few := min(together, len(moves))
		next := w.look(p, side, moves[:few])
		for i := range next {
			first = max(first, w.worth(&next[i], plane, first))
		}
		moves = moves[few:]
	}
	return first
}

// evaluate computes the values of one side from all its moves. A move that wins all
// points is enough where nothing else is asked.
func (w *worker) evaluate(p *subject, side uint8, now *facts) bool {
	s := w.s
	bans := false
	for _, k := range w.kos {
		bans = bans || k.side() == side
	}
	if s.planes == 1 && !bans {
		return w.settle(now, 0, side, w.most(p, side, 0, s.points))
	}
	next := w.look(p, side, w.list(p, side))
	all := true
	for plane := range s.planes {
		first, second, best := w.best(next, plane, bans)
		all = w.settle(now, plane, side, first) && all
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
func (w *worker) best(next []successor, plane int, two bool) (first, second int, point uint64) {
	first, second = -w.s.points, -w.s.points
	for i := range next {
		bar := first
		if two {
			bar = second
		}
		if v := w.worth(&next[i], plane, bar); v > first {
			first, second, point = v, first, next[i].point
		} else if v > second {
			second = v
		}
	}
	return first, second, point
}

// worth is what a move is worth to the side that plays it, or anything that is not
// above the bar if the move is not.
func (w *worker) worth(n *successor, plane, bar int) int {
	s := w.s
	dual := s.dual(plane)
	m := n.entry.value(dual, n.side)
	if n.ban {
		m = n.ko.value(dual)
	}
	if -m <= bar {
		return -m
	}
	return -total(m, -n.entry.value(plane, n.side^1), func() int { return s.geometry.grid.Score(n.own, n.other) })
}

// propagate marks the predecessors of a board whose value has changed for a
// side.
func (w *worker) propagate(p *subject, old, now *facts) {
	s := w.s
	for side := range p.sides() {
		b, _, _ := p.seen(side)
		area := s.area(b)
		if d := s.compare(old, now, side, noKo, area); d.planes != 0 {
			w.mark(p, side, s.geometry.backward(b.own, b.other, w.moves[:0]), &d)
		}
		for i, k := range w.kos {
			if k.side() != side {
				continue
			}
			if d := s.compare(old, now, side, i, area); d.planes != 0 {
				w.mark(p, side, append(w.moves[:0], s.geometry.taking(b, k)), &d)
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
			switch {
			case after > before:
				d.need |= falls
			case -after == s.bar():
				d.need |= rises
			default:
				d.need |= unsure
			}
		}
	}
	return d
}

// difference is the effect of a change on the predecessors: for each plane of
// theirs that it touches, the value of the move, and what they need.
type difference struct {
	planes uint8
	worth  [2]int
	need   need
}

// mark marks the boards before the moves for evaluation, unless their value cannot
// change.
func (w *worker) mark(p *subject, side uint8, moves []move, d *difference) {
	s := w.s
	for _, b := range w.lookBack(p, side, moves) {
		switch {
		case b.entry&hasKo != 0 && w.touchesKo(&b, d):
			// With a ban the second best move counts too.
			s.marked.mark(b.rank, b.side, unsure)
		case s.touches(b.entry, b.side, d):
			s.marked.mark(b.rank, b.side, d.need)
		}
	}
}

// touches reports whether a change may matter to the value of a board before it.
func (s *solver) touches(e entry, side uint8, d *difference) bool {
	for plane := range s.planes {
		if d.planes>>plane&1 != 0 && s.open(plane, e.value(plane, side), d.worth[plane]) {
			return true
		}
	}
	return false
}

// touchesKo is touches for a side that can have a ban: its values with and without one count.
// It is false for a side that cannot.
func (w *worker) touchesKo(b *predecessor, d *difference) bool {
	s, bans, touched := w.s, false, false
	w.bans = s.directory.of(b.rank, w.bans[:0])
	for _, k := range w.bans {
		if k.side() != b.side {
			continue
		}
		bans = true
		e := koEntry(s.koValues.field(k.slot))
		for plane := range s.planes {
			touched = touched || d.planes>>plane&1 != 0 && s.open(plane, e.value(plane), d.worth[plane])
		}
	}
	return bans && (touched || s.touches(b.entry, b.side, d))
}

// open reports whether a move that is now worth something else may change a value. It uses
// only facts that no concurrent evaluation can undo: values move away from their start and
// never back.
func (s *solver) open(plane, value, worth int) bool {
	start := s.start[plane]
	switch {
	case value == s.points && start != s.points, value == -s.points && start != -s.points:
		return false // at the extreme already
	case value > start && value >= worth:
		return false // better already, and a value above its start never falls
	case start == -s.points && value >= worth:
		return false // these values only rise
	}
	return true
}
