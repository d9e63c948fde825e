// Package sum holds the node of the searches that take NoGo positions apart into
// independent regions. A node is a sum of regions and free moves. Its bounds and keys are
// the sums of those of its regions, and it has the features that order moves. solver/sums
// searches whole small boards with it; the player searches the ends of games on large
// boards.
//
// A Builder makes one sum out of another by a move. It is for one goroutine, and it
// allocates nothing once its pools are filled. The package knows nothing of search.
package sum

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/nogo"
)

// maxParts bounds the regions of a sum: each has a cell of the grid to itself.
const maxParts = 64

// Part is a region of a sum with the facts derived from it. It does not change once made,
// except for its keys, which are computed on first use.
type Part struct {
	Region region.Region
	facts
	keys
}

// keys name a region or a sum, and its inverse. They serve as Zobrist keys do, but
// they are added where those are exclusive-ored: equal regions must not cancel.
type keys struct {
	named        bool
	key, inverse region.Key
}

// facts are the properties of a region that the search uses instead of its points.
type facts struct {
	solver.Value
	Points    int8 // open to anybody
	Open      [2]int8
	Contested int8    // open to both
	sure      [2]int8 // moves that nobody can take away
	most      [2]int8 // moves at most
}

// Sum is a node of the search: regions and free moves. A sum shares the parts that a move
// does not touch with the sum before the move.
type Sum struct {
	summary
	keys
	count int
	Free  [2]int          // free moves of each colour; in plain games only the difference counts
	Allow int             // in limited games: how many moves the defender may still make
	parts [maxParts]*Part // last: few are in use, and the rest should not lie between
}

// summary adds up the facts of all regions of a sum.
type summary struct {
	solver.Total
	Open       [2]int
	Contested  int
	Points     int
	Sure, Most [2]int
}

// add takes a region's facts into the summary.
func (s *summary) add(f *facts) {
	s.Total.Add(&f.Value)
	s.Open[0] += int(f.Open[0])
	s.Open[1] += int(f.Open[1])
	s.Contested += int(f.Contested)
	s.Points += int(f.Points)
	for c := range 2 {
		s.Sure[c] += int(f.sure[c])
		s.Most[c] += int(f.most[c])
	}
}

// Parts are the regions.
func (s *Sum) Parts() []*Part { return s.parts[:s.count] }

// Balance is the difference of free moves, seen by Black.
func (s *Sum) Balance() int { return s.Free[0] - s.Free[1] }

// Clear empties the sum.
func (s *Sum) Clear() { s.count, s.Free, s.Allow = 0, [2]int{}, 0 }

// Finish derives the summary from the parts, which are complete.
func (s *Sum) Finish() {
	s.keys.named = false
	s.summary = summary{Total: solver.NewTotal(s.Balance())}
	for i := range s.count {
		s.add(&s.parts[i].facts)
	}
}

// Pool hands out parts and takes them all back at once.
type Pool struct {
	parts []*Part
	Used  int
}

// Take hands out a part. Its contents are undefined.
func (p *Pool) Take() *Part {
	if p.Used == len(p.parts) {
		p.parts = append(p.parts, new(Part))
	}
	p.Used++
	return p.parts[p.Used-1]
}

// Options say how sums are made. None of them changes an answer.
type Options struct {
	Exact  int  // points up to which regions are evaluated exactly, at most MaxExact
	Bounds bool // count the moves that cannot be taken away
	Split  bool // take regions apart
	Cancel bool // drop a region together with its inverse
}

// Builder makes sums.
type Builder struct {
	Grid nogo.Grid

	// In a limited game the attacker wins only if the defender makes no more moves
	// than he is allowed.
	Limited  bool
	Attacker board.Colour

	on     Options
	nodes  *uint64 // counts positions that exact evaluation visits
	values map[region.Key]solver.Value
	levels [MaxExact + 2]level
	level  int
}

// NewBuilder makes sums of regions on a grid. Positions that exact evaluation visits
// are added to nodes.
func NewBuilder(g nogo.Grid, o Options, nodes *uint64) Builder {
	return Builder{Grid: g, on: o, nodes: nodes, values: make(map[region.Key]solver.Value)}
}

// describe derives the facts of a region. The numbers of sure moves and of possible moves
// matter in limited games only.
func (b *Builder) describe(p *Part) {
	r, f := &p.Region, &p.facts
	p.named = false
	f.Points = int8(bits.OnesCount64(r.Points()))
	f.Open = [2]int8{int8(bits.OnesCount64(r.Open[0])), int8(bits.OnesCount64(r.Open[1]))}
	f.Contested = f.Open[0] + f.Open[1] - f.Points
	exact := int(f.Points) <= b.on.Exact
	if exact {
		f.Value = b.evaluate(p)
		if !b.Limited {
			return
		}
	}
	black, white := int(f.Open[0]), int(f.Open[1])
	bounds := region.Bounds{Low: -white, High: black, First: -white - 1, Reply: black + 1, Most: [2]int{black, white}}
	if b.on.Bounds {
		bounds = r.Bounds(b.Grid)
	}
	if !exact {
		f.Value = solver.Value{Low: int8(bounds.Low), High: int8(bounds.High), First: int8(bounds.First), Reply: int8(bounds.Reply)}
	}
	for c := range 2 {
		f.sure[c], f.most[c] = int8(bounds.Sure[c]), int8(bounds.Most[c])
	}
}

// name computes the keys of a part.
func (b *Builder) name(p *Part) {
	if !p.named {
		p.key, p.inverse = p.Region.Keys(b.Grid)
		p.named = true
	}
}

// nameSum computes the keys of a sum.
func (b *Builder) nameSum(s *Sum) {
	if s.named {
		return
	}
	s.keys = keys{named: true}
	for _, p := range s.parts[:s.count] {
		b.name(p)
		s.key = s.key.Add(p.key)
		s.inverse = s.inverse.Add(p.inverse)
	}
}

// Follow plays a move in one part of a sum, or a free move if point is zero,
// and leaves the result in out, with new parts out of the pool.
func (b *Builder) Follow(from *Sum, at int, c board.Colour, point uint64, out *Sum, fresh *Pool) {
	out.count = 0
	out.Free, out.Allow = from.Free, from.Allow
	if b.Limited && c != b.Attacker {
		out.Allow--
	}
	for i := range from.count {
		if i != at || point == 0 {
			out.parts[out.count] = from.parts[i]
			out.count++
		}
	}
	if point == 0 {
		out.Free[c]--
		out.Finish()
		return
	}
	// Most moves leave the region in one piece. It is built where it stays.
	p := fresh.Take()
	from.parts[at].Region.Play(b.Grid, c, point, &p.Region)
	switch points := p.Region.Points(); {
	case points == 0:
	case b.on.Split && p.Region.Component(b.Grid, points) != points:
		b.Place(&p.Region, out, fresh)
	default:
		b.Join(p, out)
	}
	out.Finish()
}

// Place adds the independent parts of a region to a sum.
func (b *Builder) Place(r *region.Region, out *Sum, fresh *Pool) {
	for rest := r.Points(); rest != 0; {
		points := rest
		if b.on.Split {
			points = r.Component(b.Grid, rest)
		}
		rest &^= points
		p := fresh.Take()
		r.Part(points, &p.Region)
		b.Join(p, out)
	}
}

// Join adds a region to a sum. A single private point becomes a free move. In plain games
// other integers become free moves too, and a region and its inverse cancel. In limited
// games they do not: the length of the game counts there, so equal values are not the
// same game.
func (b *Builder) Join(p *Part, out *Sum) {
	r := &p.Region
	if points := r.Points(); points&(points-1) == 0 && r.Open[0]&r.Open[1] == 0 {
		out.Free[0] += bits.OnesCount64(r.Open[0])
		out.Free[1] += bits.OnesCount64(r.Open[1])
		return
	}
	b.describe(p)
	if !b.Limited {
		if p.Low == p.High {
			out.Free[0] += int(p.Low)
			return
		}
		if b.on.Cancel && b.cancels(p, out) {
			return
		}
	}
	out.parts[out.count] = p
	out.count++
}

// Add adds a region to a sum unchanged.
func (b *Builder) Add(p *Part, out *Sum) {
	b.describe(p)
	out.parts[out.count] = p
	out.count++
}

// cancels removes the inverse of a part from a sum, if it is there.
func (b *Builder) cancels(p *Part, s *Sum) bool {
	for i, q := range s.parts[:s.count] {
		b.name(p)
		b.name(q)
		if q.key == p.inverse {
			s.count--
			s.parts[i] = s.parts[s.count]
			return true
		}
	}
	return false
}

// Repeats reports whether an equal region comes earlier in the sum.
func (b *Builder) Repeats(s *Sum, at int) bool {
	for _, p := range s.parts[:at] {
		b.name(p)
		b.name(s.parts[at])
		if p.key == s.parts[at].key {
			return true
		}
	}
	return false
}

// Plain is the question that a sum asks in a plain game: the key with the mover as Black,
// and an integer in which the answer "the mover wins" is monotone.
func (b *Builder) Plain(s *Sum, c board.Colour) solver.Question {
	b.nameSum(s)
	if c == board.Black {
		return solver.Question{Key: lockless.Key(s.key), N: s.Balance()}
	}
	return solver.Question{Key: lockless.Key(s.inverse), N: -s.Balance()}
}

// Timed is the question in a limited game, with the attacker as Black. The answer "the
// attacker wins" is monotone in the number of moves that the defender may make. The free
// moves are part of the key.
func (b *Builder) Timed(s *Sum, c board.Colour) solver.Question {
	b.nameSum(s)
	k, attacker := s.key, b.Attacker
	if attacker == board.White {
		k = s.inverse
	}
	mark := uint64(s.Free[attacker])<<16 | uint64(s.Free[attacker^1])<<8 | 2
	if c == attacker {
		mark |= 1
	}
	return solver.Question{Key: lockless.Key(k.Mark(mark)), N: s.Allow}
}
