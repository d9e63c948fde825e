package sums

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
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

// part is a region of a sum with what has been derived from it. Once made it
// does not change, but for its keys, which are found when they are asked for.
type part struct {
	region region.Region
	facts
	keys
}

// keys name a region or a sum, and its inverse.
type keys struct {
	named        bool
	key, inverse region.Key
}

// facts are what the search needs to know of a region without its points.
type facts struct {
	value
	points    int8 // open to anybody
	open      [2]int8
	contested int8    // open to both
	sure      [2]int8 // moves that nobody can take away
	most      [2]int8 // moves at most
}

// sum is a node of the search: regions and free moves. Parts that a move leaves
// alone are shared with the sum before it.
type sum struct {
	summary
	keys
	count int
	free  [2]int          // free moves of each colour; in plain games only the difference counts
	allow int             // in limited games: how many moves the defender may still make
	parts [maxParts]*part // last: few are in use, and the rest should not lie between
}

// pool hands out parts and has them all back at once.
type pool struct {
	parts []*part
	used  int
}

func (p *pool) take() *part {
	if p.used == len(p.parts) {
		p.parts = append(p.parts, new(part))
	}
	p.used++
	return p.parts[p.used-1]
}

// summary is what can be told of a sum without its regions.
type summary struct {
	low, high  int // bounds of the whole, free moves included
	gain, loss int // what moving first in one region adds to low, or takes from high
	open       [2]int
	contested  int
	points     int
	sure, most [2]int
}

// add takes a region's facts into the summary.
func (s *summary) add(f *facts) {
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
	s.keys.named = false
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

// describe derives the facts of a region. The moves that are sure and the most
// that can be made matter in limited games only.
func (w *worker) describe(p *part) {
	r, f := &p.region, &p.facts
	p.named = false
	f.points = int8(bits.OnesCount64(r.Points()))
	f.open = [2]int8{int8(bits.OnesCount64(r.Open[0])), int8(bits.OnesCount64(r.Open[1]))}
	f.contested = f.open[0] + f.open[1] - f.points
	exact := int(f.points) <= w.exact
	if exact {
		f.value = w.evaluate(p)
		if !w.rules.limited {
			return
		}
	}
	black, white := int(f.open[0]), int(f.open[1])
	b := region.Bounds{Low: -white, High: black, First: -white - 1, Reply: black + 1, Most: [2]int{black, white}}
	if w.rules.bounds {
		b = r.Bounds(w.grid)
	}
	if !exact {
		f.value = value{low: int8(b.Low), high: int8(b.High), first: int8(b.First), reply: int8(b.Reply)}
	}
	for c := range 2 {
		f.sure[c], f.most[c] = int8(b.Sure[c]), int8(b.Most[c])
	}
}

// name finds the keys of a part.
func (w *worker) name(p *part) {
	if !p.named {
		p.key, p.inverse = p.region.Keys(w.grid)
		p.named = true
	}
}

// nameSum finds the keys of a sum.
func (w *worker) nameSum(s *sum) {
	if s.named {
		return
	}
	s.keys = keys{named: true}
	for _, p := range s.parts[:s.count] {
		w.name(p)
		s.key = s.key.Add(p.key)
		s.inverse = s.inverse.Add(p.inverse)
	}
}

// follow plays a move in one part of a sum, or a free move if point is zero,
// and leaves the result in out, with new parts out of the pool.
func (w *worker) follow(from *sum, at int, c board.Colour, point uint64, out *sum, fresh *pool) {
	out.count = 0
	out.free, out.allow = from.free, from.allow
	if w.rules.limited && c != w.attacker {
		out.allow--
	}
	for i := range from.count {
		if i != at || point == 0 {
			out.parts[out.count] = from.parts[i]
			out.count++
		}
	}
	if point == 0 {
		out.free[c]--
		out.total()
		return
	}
	// Most moves leave the region in one piece, which is then already where it will stay.
	p := fresh.take()
	from.parts[at].region.Play(w.grid, c, point, &p.region)
	switch points := p.region.Points(); {
	case points == 0:
	case w.rules.split && p.region.Component(w.grid, points) != points:
		w.place(&p.region, out, fresh)
	default:
		w.join(p, out)
	}
	out.total()
}

// place adds the independent parts of a settled region to a sum.
func (w *worker) place(r *region.Region, out *sum, fresh *pool) {
	for rest := r.Points(); rest != 0; {
		points := rest
		if w.rules.split {
			points = r.Component(w.grid, rest)
		}
		rest &^= points
		p := fresh.take()
		r.Part(points, &p.region)
		w.join(p, out)
	}
}

// join adds a region to a sum. A single private point is a free move. In plain
// games so are other integers, and a region and its inverse cancel; where the
// length of the game counts, equal values are not the same game.
func (w *worker) join(p *part, out *sum) {
	r := &p.region
	if points := r.Points(); points&(points-1) == 0 && r.Open[0]&r.Open[1] == 0 {
		out.free[0] += bits.OnesCount64(r.Open[0])
		out.free[1] += bits.OnesCount64(r.Open[1])
		return
	}
	w.describe(p)
	if !w.rules.limited {
		if p.low == p.high {
			out.free[0] += int(p.low)
			return
		}
		if w.rules.cancel && w.cancels(p, out) {
			return
		}
	}
	out.parts[out.count] = p
	out.count++
}

// cancels removes the inverse of a part from a sum, if it is there.
func (w *worker) cancels(p *part, s *sum) bool {
	for i, q := range s.parts[:s.count] {
		w.name(p)
		w.name(q)
		if q.key == p.inverse {
			s.count--
			s.parts[i] = s.parts[s.count]
			return true
		}
	}
	return false
}

// question is the form in which the table knows a sum: the key with the mover
// as Black, and the integer in which the answer "the mover wins" is monotone.
func (w *worker) question(s *sum, c board.Colour) (lockless.Key, int) {
	w.nameSum(s)
	if c == board.Black {
		return lockless.Key(s.key), s.balance()
	}
	return lockless.Key(s.inverse), -s.balance()
}

// questionLimited has the attacker as Black, and "the attacker wins" is monotone
// in the moves that the defender is allowed. The free moves are part of the key.
func (w *worker) questionLimited(s *sum, c board.Colour) (lockless.Key, int) {
	w.nameSum(s)
	k, attacker := s.key, w.attacker
	if attacker == board.White {
		k = s.inverse
	}
	mark := uint64(s.free[attacker])<<16 | uint64(s.free[attacker^1])<<8 | 2
	if c == attacker {
		mark |= 1
	}
	return lockless.Key(k.Mark(mark)), s.allow
}
