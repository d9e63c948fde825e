package sum

import (
	"tengen/board"
	"tengen/internal/region"
	"tengen/internal/solver"
)

// MaxExact is the largest number of points up to which regions can be evaluated exactly.
const MaxExact = 8

const unbounded = 100

// maxValues is the number of values kept, in about four megabytes. When the memory is
// full, evaluation drops them all and starts again.
const maxValues = 1 << 16

// level holds one step of the recursion of evaluation.
type level struct {
	alone, next Sum
	fresh       Pool
}

// evaluate finds the exact value of a small region from the values of all its options. It
// keeps only four integers. They are enough to decide the region beside any number of free
// moves.
func (b *Builder) evaluate(p *Part) solver.Value {
	b.name(p)
	if v, ok := b.values[p.key]; ok {
		return v
	}
	s := &b.levels[b.level].alone
	s.count, s.Free = 1, [2]int{}
	s.parts[0] = p
	return b.evaluateSum(s, p.key)
}

// valueOf is the value of a sum without its free moves.
func (b *Builder) valueOf(s *Sum) solver.Value {
	switch s.count {
	case 0:
		return solver.Value{First: -1, Reply: 1}
	case 1:
		return s.parts[0].Value
	}
	b.nameSum(s)
	if v, ok := b.values[s.key]; ok {
		return v
	}
	return b.evaluateSum(s, s.key)
}

// evaluateSum tries every move of both colours.
//
// Black wins G − k moving second, that is low ≥ k, if after every White move in G
// he wins moving first, and, for k > 0, also after White's free move; he wins
// G − k moving first if some option is ≥ k, or, for k < 0, by a free move.
func (b *Builder) evaluateSum(s *Sum, key region.Key) solver.Value {
	*b.nodes++
	own, answer := -unbounded, unbounded    // best low of a Black move, worst first after a White one
	theirs, defend := unbounded, -unbounded // the same for White
	b.level++
	l := &b.levels[b.level]
	for at := range s.count {
		for c := board.Black; c <= board.White; c++ {
			for rest := s.parts[at].Region.Open[c]; rest != 0; rest &= rest - 1 {
				l.fresh.Used = 0
				b.Follow(s, at, c, rest&-rest, &l.next, &l.fresh)
				n := l.next.Balance() - s.Balance()
				v := b.valueOf(&l.next)
				if c == board.Black {
					own = max(own, int(v.Low)+n)
					defend = max(defend, int(v.Reply)+n)
				} else {
					answer = min(answer, int(v.First)+n)
					theirs = min(theirs, int(v.High)+n)
				}
			}
		}
	}
	b.level--
	low, high := answer, defend
	if low > 0 {
		low = min(low, max(own+1, 0))
	}
	if high < 0 {
		high = max(high, min(theirs-1, 0))
	}
	v := solver.Value{
		Low: int8(low), High: int8(high),
		First: int8(max(own, min(low-1, -1))),
		Reply: int8(min(theirs, max(high+1, 1))),
	}
	if len(b.values) == maxValues {
		clear(b.values)
	}
	b.values[key] = v
	return v
}
