package linear

import (
	"tengen/board"
	"tengen/cgt"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/internal/strip"
)

// maxParts bounds the parts of a sum: each has at least two points.
const maxParts = 32

// facts are the properties of a part that the search uses.
type facts struct {
	key, inverse lockless.Key
	solver.Value
	room
}

// part is a strip without a known value, or, if the strip has no points, a value.
type part struct {
	strip strip.Strip
	game  cgt.Game
	facts
}

func (p *part) isStrip() bool { return p.strip.Points() > 0 }

// sum is a node of the search: strips, values and free moves.
type sum struct {
	key, inverse lockless.Key
	solver.Total
	free  int // free moves of Black less those of White
	count int
	parts [maxParts]part
}

func (s *sum) clear() { s.free, s.count = 0, 0 }

// total adds up the facts of the parts.
func (s *sum) total() {
	s.key, s.inverse = lockless.Key{}, lockless.Key{}
	s.Total = solver.NewTotal(s.free)
	for i := range s.count {
		p := &s.parts[i]
		s.key = addKeys(s.key, p.key)
		s.inverse = addKeys(s.inverse, p.inverse)
		s.Add(&p.Value)
	}
}

// question is the form of a sum in the table: the key with the mover as Black,
// and an integer in which the answer "the mover wins" is monotone.
func (s *sum) question(c board.Colour) solver.Question {
	if c == board.Black {
		return solver.Question{Key: s.key, N: s.free}
	}
	return solver.Question{Key: s.inverse, N: -s.free}
}

// balance is the number of free moves of c less those of the opponent.
func (s *sum) balance(c board.Colour) int {
	if c == board.Black {
		return s.free
	}
	return -s.free
}

// points is the number of points in strips.
func (s *sum) points() int {
	n := 0
	for i := range s.count {
		n += s.parts[i].strip.Points()
	}
	return n
}

// repeats reports whether an equal part comes earlier in the sum.
func (s *sum) repeats(at int) bool {
	for i := range at {
		if s.parts[i].key == s.parts[at].key {
			return true
		}
	}
	return false
}

// copyWithout leaves in out the sum without one part.
func (s *sum) copyWithout(at int, out *sum) {
	out.free = s.free
	out.count = copy(out.parts[:], s.parts[:at])
	out.count += copy(out.parts[at:], s.parts[at+1:s.count])
}

// remove takes out a part; the last takes its place.
func (s *sum) remove(at int) {
	s.count--
	s.parts[at] = s.parts[s.count]
}

// keep adds a part. If its inverse is there, the two cancel instead.
func (s *sum) keep(p *part, cancel bool) {
	if cancel {
		for i := range s.count {
			if s.parts[i].key == p.inverse {
				s.remove(i)
				return
			}
		}
	}
	s.parts[s.count] = *p
	s.count++
}

// placeStrip adds a strip: as a value if it is short enough, as free moves if it
// is an integer.
func (w *worker) placeStrip(s strip.Strip, out *sum) {
	if s.Points() < 2 {
		return // nobody can move
	}
	if w.on.values && s.Points() <= w.values.most {
		if g, err := w.values.of(s); err == nil {
			w.placeValue(g, out)
			return
		}
	}
	p := part{strip: s, facts: w.describe(s)}
	if p.Low == p.High {
		out.free += int(p.Low)
		return
	}
	out.keep(&p, w.on.cancel)
}

// placeValue adds a value. It is added to values already there if the sum stays
// small. Its integer part becomes free moves.
func (w *worker) placeValue(g cgt.Game, out *sum) {
	for i := 0; i < out.count; i++ {
		if p := &out.parts[i]; !p.isStrip() {
			if both, ok := w.values.add(p.game, g); ok {
				g = both
				out.remove(i)
				i = -1
			}
		}
	}
	s := w.values.study(g)
	out.free += int(s.shift)
	if s.rest == 0 {
		return
	}
	p := part{game: s.rest, facts: w.values.study(s.rest).facts}
	out.keep(&p, w.on.cancel)
}

// follow makes a move in one part and leaves the result in out. The choice is a
// point of a strip, or one of the options of a value.
func (w *worker) follow(from *sum, at int, c board.Colour, choice int, out *sum) {
	if at == freeMove {
		out.count = copy(out.parts[:], from.parts[:from.count])
		out.free = from.free + 2*int(c) - 1
		out.total()
		return
	}
	from.copyWithout(at, out)
	if p := &from.parts[at]; p.isStrip() {
		left, right := p.strip.Play(c, choice)
		w.placeStrip(left, out)
		w.placeStrip(right, out)
	} else {
		w.placeValue(w.options(p.game, c)[choice], out)
	}
	out.total()
}

func (w *worker) options(g cgt.Game, c board.Colour) []cgt.Game {
	if c == board.Black {
		return w.values.arena.Left(g)
	}
	return w.values.arena.Right(g)
}
