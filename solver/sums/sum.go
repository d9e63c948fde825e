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
//	first: the greatest integer k for which Black, moving first, wins G − k (at least)
//	reply: the least integer k for which White, moving first, wins G − k (at most)
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
	contested int8 // open to both
}

// sum is a node of the search: regions and free moves. It lives in a frame of
// the worker's stack.
type sum struct {
	parts   [maxParts]part
	count   int
	free    [2]int // free moves of each colour; only their difference counts in plain games
	summary summary
}

// summary is what can be told of a sum without its regions.
type summary struct {
	key, inverse region.Key
	low, high    int // bounds of the whole, free moves included
	gain, loss   int // what moving first in one region adds to low, or takes from high
	points       int
	open         [2]int
	contested    int
	estimate     int
}

// add takes a region's facts into the summary.
func (s *summary) add(f *facts) {
	s.key = s.key.Add(f.key)
	s.inverse = s.inverse.Add(f.inverse)
	s.low += int(f.low)
	s.high += int(f.high)
	s.gain = max(s.gain, int(f.first-f.low))
	s.loss = min(s.loss, int(f.reply-f.high))
	s.points += int(f.points)
	s.open[0] += int(f.open[0])
	s.open[1] += int(f.open[1])
	s.contested += int(f.contested)
	if f.points <= exactEstimate {
		s.estimate += int(f.low) + int(f.high) + int(f.first) + int(f.reply)
	}
}

// exactEstimate is the size up to which values enter the ordering of moves.
const exactEstimate = 3

// start is the summary of no regions and a difference of free moves.
func start(free [2]int) summary {
	n := free[0] - free[1]
	return summary{low: n, high: n, gain: -1, loss: 1}
}

// decided is +1 if the bounds alone show that c, to move, wins, −1 if he loses.
func (s *summary) decided(c board.Colour) int {
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
	if int(f.points) <= w.exact {
		f.value = w.evaluate(r, f.key)
	} else {
		f.low, f.high = -capacity(r, board.White), capacity(r, board.Black)
		f.first, f.reply = f.low-1, f.high+1
	}
	// evaluate may have used the slot meanwhile.
	*slot = cached{raw, f}
	return f
}

// capacity bounds the moves of c in a region: he cannot play more than the
// points open to him, and must leave a liberty if nothing outside the region
// provides one.
func capacity(r *region.Region, c board.Colour) int8 {
	n := bits.OnesCount64(r.Open[c])
	if r.Safe[c] == 0 && r.Points() == r.Open[c] {
		n--
	}
	return int8(n)
}

// follow plays a move in one part of a sum and leaves the result in out.
func (w *worker) follow(from *sum, at int, c board.Colour, point uint64, out *sum) {
	out.count = 0
	out.free = from.free
	for i := range from.count {
		if i != at {
			from.parts[i].region.CopyTo(&out.parts[out.count].region)
			out.parts[out.count].facts = from.parts[i].facts
			out.count++
		}
	}
	played := &w.scratch[w.level]
	from.parts[at].region.Play(w.grid, c, point, played)
	w.place(played, out)
}

// place splits a settled region and adds its parts to a sum: integers join the
// free moves, a region and its inverse cancel.
func (w *worker) place(r *region.Region, out *sum) {
	for rest := r.Points(); rest != 0; {
		points := r.Component(w.grid, rest)
		rest &^= points
		p := &out.parts[out.count]
		r.Part(points, &p.region)
		p.facts = w.describe(&p.region)
		w.join(p, out)
	}
	out.summary = start(out.free)
	for i := range out.count {
		out.summary.add(&out.parts[i].facts)
	}
}

// join decides whether the part just placed at the end stays.
func (w *worker) join(p *part, out *sum) {
	if w.rules.limited {
		if p.points == 1 && p.contested == 0 {
			out.free[0] += int(p.open[0])
			out.free[1] += int(p.open[1])
			return
		}
		out.count++
		return
	}
	if p.low == p.high {
		out.free[0] += int(p.low)
		return
	}
	if !w.rules.keepInverses {
		for i := range out.count {
			if out.parts[i].key == p.inverse {
				out.count--
				if i != out.count {
					out.parts[out.count].region.CopyTo(&out.parts[i].region)
					out.parts[i].facts = out.parts[out.count].facts
				}
				return
			}
		}
	}
	out.count++
}

// question is the form in which the table knows a sum: the key with the mover
// as Black, and the integer in which the answer "the mover wins" is monotone.
func (s *sum) question(c board.Colour) (table.Key, int) {
	n := s.free[0] - s.free[1]
	if c == board.Black {
		return table.Key(s.summary.key), n
	}
	return table.Key(s.summary.inverse), -n
}
