package sums

import (
	"math/bits"

	"tengen/board"
	"tengen/nogo/region"
	"tengen/table"
)

// maxParts bounds the regions of a sum: parts of a single point are not adjacent.
const maxParts = 32

// value is what is known of a region or a sum G as a game for Black: bounds by
// integers, and what the first mover can reach.
//
//	low  ≤ G           high  ≥ G
//	first: an integer k for which Black, moving first, wins G − k
//	reply: an integer k for which White, moving first, wins G − k
type value struct {
	low, high, first, reply int8
}

// part is a region of a sum with what has been derived from it.
type part struct {
	region region.Region
	facts
}

// facts are what the search needs to know of a region without its points.
type facts struct {
	key, inverse region.Key
	value
	points    int8 // open to anybody
	open      [2]int8
	contested int8    // open to both
	sure      [2]int8 // moves that nobody can take away
	most      [2]int8 // moves at most
}

// sum is a node of the search: regions and free moves.
type sum struct {
	summary
	count int
	free  [2]int         // free moves of each colour; in plain games only the difference counts
	allow int            // in limited games: how many moves the defender may still make
	parts [maxParts]part // last: few are in use, and the rest should not lie between
}

// summary is what can be told of a sum without its regions.
type summary struct {
	key, inverse region.Key
	low, high    int // bounds of the whole, free moves included
	gain, loss   int // what moving first in one region adds to low, or takes from high
	open         [2]int
	contested    int
	points       int
	sure, most   [2]int
}

// add takes a region's facts into the summary.
func (s *summary) add(f *facts) {
	s.key = s.key.Add(f.key)
	s.inverse = s.inverse.Add(f.inverse)
	s.low += int(f.low)
	s.high += int(f.high)
	s.gain = max(s.gain, int(f.first-f.low))
	s.loss = min(s.loss, int(f.reply-f.high))
	s.open[0] += int(f.open[0])
	s.open[1] += int(f.open[1])
	s.contested += int(f.contested)
	s.points += int(f.points)
	for c := range 2 {
		s.sure[c] += int(f.sure[c])
		s.most[c] += int(f.most[c])
	}
}

// balance is the difference of free moves, seen by Black.
func (s *sum) balance() int { return s.free[0] - s.free[1] }

// total derives the summary from the parts.
func (s *sum) total() {
	n := s.balance()
	s.summary = summary{low: n, high: n, gain: -1, loss: 1}
	for i := range s.count {
		s.add(&s.parts[i].facts)
	}
}

// bounded is +1 if the bounds alone show that c, to move, wins, −1 if he loses.
func (s *summary) bounded(c board.Colour) int {
	switch {
	case c == board.Black && (s.low >= 1 || s.low+s.gain >= 0),
		c == board.White && (s.high <= -1 || s.high+s.loss <= 0):
		return 1
	case c == board.Black && s.high <= 0, c == board.White && s.low >= 0:
		return -1
	}
	return 0
}

// describe derives the facts of a region, from the worker's cache if it can.
func (w *worker) describe(r *region.Region) facts {
	raw := r.Raw()
	slot := &w.cache[raw[0]&(cacheSize-1)]
	if slot.raw == raw {
		return slot.facts
	}
	f := facts{points: int8(bits.OnesCount64(r.Points()))}
	f.key, f.inverse = r.Keys(w.grid)
	for c := range 2 {
		f.open[c] = int8(bits.OnesCount64(r.Open[c]))
	}
	f.contested = int8(bits.OnesCount64(r.Open[0] & r.Open[1]))
	f.value = value{low: -f.open[1], high: f.open[0], first: -f.open[1] - 1, reply: f.open[0] + 1}
	f.most = f.open
	if w.rules.bounds {
		b := r.Bounds(w.grid)
		f.value = value{low: int8(b.Low), high: int8(b.High), first: int8(b.First), reply: int8(b.Reply)}
		for c := range 2 {
			f.sure[c], f.most[c] = int8(b.Sure[c]), int8(b.Most[c])
		}
	}
	if int(f.points) <= w.exact {
		f.value = w.evaluate(r, f.key)
	}
	// evaluate may have used the slot meanwhile.
	*slot = cached{raw, f}
	return f
}

// follow plays a move in one part of a sum, or a free move if point is zero,
// and leaves the result in out.
func (w *worker) follow(from *sum, at int, c board.Colour, point uint64, out *sum) {
	out.count = 0
	out.free, out.allow = from.free, from.allow
	if w.rules.limited && c != w.attacker {
		out.allow--
	}
	for i := range from.count {
		if i != at || point == 0 {
			from.parts[i].copyTo(&out.parts[out.count])
			out.count++
		}
	}
	if point == 0 {
		out.free[c]--
		out.total()
		return
	}
	// Most moves leave the region in one piece: it is settled where it will stay.
	last := &out.parts[out.count]
	from.parts[at].region.Play(w.grid, c, point, &last.region)
	points := last.region.Points()
	if points == 0 {
		out.total()
		return
	}
	if w.rules.split && last.region.Component(w.grid, points) != points {
		played := &w.scratch[w.level]
		last.region.CopyTo(played)
		w.place(played, out)
	} else {
		w.join(last, out)
	}
	out.total()
}

func (p *part) copyTo(out *part) {
	p.region.CopyTo(&out.region)
	out.facts = p.facts
}

// place adds the independent parts of a settled region to a sum.
func (w *worker) place(r *region.Region, out *sum) {
	for rest := r.Points(); rest != 0; {
		points := rest
		if w.rules.split {
			points = r.Component(w.grid, rest)
		}
		rest &^= points
		p := &out.parts[out.count]
		r.Part(points, &p.region)
		w.join(p, out)
	}
}

// join describes the part just placed at the end and decides whether it stays.
func (w *worker) join(p *part, out *sum) {
	p.facts = w.describe(&p.region)
	if w.rules.limited {
		out.keepLimited(p)
	} else {
		out.keep(p, w.rules.cancel)
	}
}

// keep makes integers free moves, and lets a region and its inverse cancel.
func (s *sum) keep(p *part, cancel bool) {
	if p.low == p.high {
		s.free[0] += int(p.low)
		return
	}
	if cancel {
		for i := range s.count {
			if s.parts[i].key == p.inverse {
				s.count--
				if i != s.count {
					s.parts[s.count].copyTo(&s.parts[i])
				}
				return
			}
		}
	}
	s.count++
}

// keepLimited keeps everything but single private points: where the length of
// the game counts, equal values are not the same game.
func (s *sum) keepLimited(p *part) {
	if p.points == 1 && p.contested == 0 {
		s.free[0] += int(p.open[0])
		s.free[1] += int(p.open[1])
		return
	}
	s.count++
}

// question is the form in which the table knows a sum: the key with the mover
// as Black, and the integer in which the answer "the mover wins" is monotone.
func (s *sum) question(c board.Colour) (table.Key, int) {
	if c == board.Black {
		return table.Key(s.key), s.balance()
	}
	return table.Key(s.inverse), -s.balance()
}

// questionLimited has the attacker as Black, and "the attacker wins" is monotone
// in the moves that the defender is allowed. The free moves are part of the key.
func (s *sum) questionLimited(c, attacker board.Colour) (table.Key, int) {
	k := s.key
	if attacker == board.White {
		k = s.inverse
	}
	mark := uint64(s.free[attacker])<<16 | uint64(s.free[attacker^1])<<8 | 2
	if c == attacker {
		mark |= 1
	}
	return table.Key(k.Mark(mark)), s.allow
}
