package sums

import (
	"tengen/board"
	"tengen/internal/region"
)

// maxExact is the largest number of points up to which regions are evaluated exactly.
const maxExact = 8

const unbounded = 100

// level is where evaluation holds one step of its recursion.
type level struct {
	alone, next sum
	fresh       pool
}

// evaluate is the exact value of a small region, by the values of all its
// options. Only the four integers are kept, which is enough to decide the
// region beside any number of free moves.
func (w *worker) evaluate(p *part) value {
	w.name(p)
	if v, ok := w.values[p.key]; ok {
		return v
	}
	s := &w.levels[w.level].alone
	s.count, s.free = 1, [2]int{}
	s.parts[0] = p
	return w.evaluateSum(s, p.key)
}

// valueOf is the value of a sum, the free moves left out.
func (w *worker) valueOf(s *sum) value {
	switch s.count {
	case 0:
		return value{first: -1, reply: 1}
	case 1:
		return s.parts[0].value
	}
	w.nameSum(s)
	if v, ok := w.values[s.key]; ok {
		return v
	}
	return w.evaluateSum(s, s.key)
}

// evaluateSum tries every move of both colours.
//
// Black wins G − k moving second, that is low ≥ k, if after every White move in G
// he wins moving first, and, for k > 0, also after White's free move; he wins
// G − k moving first if some option is ≥ k, or, for k < 0, by a free move.
func (w *worker) evaluateSum(s *sum, key region.Key) value {
	w.Nodes++
	own, answer := -unbounded, unbounded    // best low of a Black move, worst first after a White one
	theirs, defend := unbounded, -unbounded // the same for White
	w.level++
	l := &w.levels[w.level]
	for at := range s.count {
		for c := board.Black; c <= board.White; c++ {
			for rest := s.parts[at].region.Open[c]; rest != 0; rest &= rest - 1 {
				l.fresh.used = 0
				w.follow(s, at, c, rest&-rest, &l.next, &l.fresh)
				n := l.next.balance() - s.balance()
				v := w.valueOf(&l.next)
				if c == board.Black {
					own = max(own, int(v.low)+n)
					defend = max(defend, int(v.reply)+n)
				} else {
					answer = min(answer, int(v.first)+n)
					theirs = min(theirs, int(v.high)+n)
				}
			}
		}
	}
	w.level--
	low, high := answer, defend
	if low > 0 {
		low = min(low, max(own+1, 0))
	}
	if high < 0 {
		high = max(high, min(theirs-1, 0))
	}
	v := value{
		low: int8(low), high: int8(high),
		first: int8(max(own, min(low-1, -1))),
		reply: int8(min(theirs, max(high+1, 1))),
	}
	w.values[key] = v
	return v
}
