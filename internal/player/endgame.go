package player

import (
	"math/bits"
	"slices"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/nogo"
)

// endgame decides positions of boards of any size of which so little is left that
// it goes onto a sheet: boolean negamax over sums of regions, with
// bounds that add up and a table of thresholds. It is the search of
// internal/solver/sums reduced to what a player needs, which is to ask often, for a
// limited number of nodes, on boards that are larger than a word.
type endgame struct {
	table  *lockless.Table
	survey survey
	grid   nogo.Grid
	frames []*frame
	nodes  int
	limit  int // nodes at which to give up; 0 for none
	moves  int // considered since the clock was looked at
	stop   *atomic.Bool
	until  time.Time // when to give up; zero for never
	spent  bool

	history [2][64]record // how moves at a point of the sheet have fared
}

// record counts searched moves and how many of them won.
type record struct{ tries, wins int }

// Experience is worth historyWeight, in hundredths of a point of room, for a
// move that always won, and older experience fades.
const (
	historyWeight = 600
	historySpan   = 1000
)

func (r *record) add(won bool) {
	r.tries++
	if won {
		r.wins++
	}
	if r.tries >= historySpan {
		r.tries /= 2
		r.wins /= 2
	}
}

func (r *record) worth() int { return historyWeight * r.wins / (r.tries + 1) }

// piece is a region of a sum.
type piece struct {
	region       region.Region
	bounds       region.Bounds
	named        bool
	key, inverse region.Key
}

// sum is a node: regions and Black's free moves less White's.
type sum struct {
	pieces []*piece
	free   int
	totals
}

// totals are what bounds and order need to know of the pieces.
type totals struct {
	low, high  int
	gain, loss int // what moving first in one region adds to low, or takes from high
	open       [2]int
	contested  int
}

// option is a move and the sum it leads to.
type option struct {
	sum
	at    int    // piece
	point uint64 // 0 for a free move
	score int
	key   lockless.Key
	n     int
}

// frame is one ply of the search.
type frame struct {
	options []option
	order   []*option
	pieces  []*piece // memory for the new pieces of the options
	used    int
}

func newEndgame(t *lockless.Table, stop *atomic.Bool) *endgame {
	return &endgame{table: t, stop: stop}
}

// frame is that of a ply, with nothing in it.
func (e *endgame) frame(ply int) *frame {
	for len(e.frames) <= ply {
		e.frames = append(e.frames, new(frame))
	}
	f := e.frames[ply]
	f.used, f.options, f.order = 0, f.options[:0], f.order[:0]
	return f
}

func (f *frame) take() *piece {
	if f.used == len(f.pieces) {
		f.pieces = append(f.pieces, new(piece))
	}
	f.used++
	p := f.pieces[f.used-1]
	p.named = false
	return p
}

// add is an option with room of its own.
func (f *frame) add() *option {
	if len(f.options) < cap(f.options) {
		f.options = f.options[:len(f.options)+1]
	} else {
		f.options = append(f.options, option{})
	}
	o := &f.options[len(f.options)-1]
	o.pieces = o.pieces[:0]
	return o
}

// decide tells whether c, to move on a field, wins, and by which cell. It is
// Unknown if a region is too large or the limits are reached.
func (e *endgame) decide(t terrain, m *sheet, f *field, candidates []uint16, c uint8, nodes int) (Known, uint16) {
	e.nodes, e.limit, e.spent, e.grid = 0, nodes, false, m.grid
	e.survey.look(t, f, candidates)
	root := e.frame(0)
	s := root.add()
	var private [2]uint16
	s.free = 0
	for e.survey.next(candidates) {
		if cell := e.survey.part[0]; len(e.survey.part) == 1 && e.survey.open[cell] != both {
			owner := e.survey.open[cell] >> 1
			s.free += 1 - 2*int(owner)
			private[owner] = cell
			continue
		}
		p := root.take()
		if !e.survey.write(m, &p.region) {
			return Unknown, 0
		}
		p.bounds = p.region.Bounds(m.grid)
		s.pieces = append(s.pieces, p)
	}
	s.total()
	known, move := e.search(1, &s.sum, board.Colour(c))
	switch {
	case known != Won:
		return known, 0
	case move.point == 0:
		return Won, private[c]
	}
	return Won, m.cell[bits.TrailingZeros64(move.point)]
}

// total derives the totals from the pieces.
func (s *sum) total() {
	s.totals = totals{low: s.free, high: s.free, gain: -1, loss: 1}
	for _, p := range s.pieces {
		b := &p.bounds
		s.low += b.Low
		s.high += b.High
		s.gain = max(s.gain, b.First-b.Low)
		s.loss = min(s.loss, b.Reply-b.High)
		black, white := bits.OnesCount64(p.region.Open[0]), bits.OnesCount64(p.region.Open[1])
		s.open[0] += black
		s.open[1] += white
		s.contested += black + white - bits.OnesCount64(p.region.Points())
	}
}

// bounded is what the bounds alone tell of c, to move.
func (s *sum) bounded(c board.Colour) Known {
	switch {
	case c == board.Black && (s.low >= 1 || s.low+s.gain >= 0),
		c == board.White && (s.high <= -1 || s.high+s.loss <= 0):
		return Won
	case c == board.Black && s.high <= 0, c == board.White && s.low >= 0:
		return Lost
	}
	return Unknown
}

// answer is a move in a sum.
type answer struct {
	at    int
	point uint64
}

// search finds whether c wins a sum, and how.
func (e *endgame) search(ply int, s *sum, c board.Colour) (Known, answer) {
	before := e.nodes
	if e.exhausted() {
		return Unknown, answer{}
	}
	f := e.frame(ply)
	if move, ok := e.list(f, s, c); ok {
		return Won, move
	}
	if e.spent {
		return Unknown, answer{}
	}
	slices.SortStableFunc(f.order, func(a, b *option) int { return b.score - a.score })
	if move, ok := e.lookUp(f, c); ok {
		return Won, move
	}
	for _, o := range f.order {
		known := e.probe(o)
		if known == Unknown {
			if known, _ = e.search(ply+1, &o.sum, c.Opponent()); known == Unknown {
				return Unknown, answer{}
			}
			e.record(o, known, e.nodes-before)
			if o.point != 0 {
				e.history[c][bits.TrailingZeros64(o.point)].add(known == Lost)
			}
		}
		if known == Lost {
			return Won, answer{o.at, o.point}
		}
	}
	return Lost, answer{}
}

// exhausted counts a node and reports whether the limits are reached.
func (e *endgame) exhausted() bool {
	e.nodes++
	return e.spent || e.limit > 0 && e.nodes > e.limit
}

// lookEvery is the number of moves between looks at the clock, well under a
// millisecond of them. Nodes would not do: those of thirty points take as long as
// hundreds of those of three.
const lookEvery = 32

// look counts a move and finds out now and then whether the time is up.
func (e *endgame) look() {
	if e.moves++; e.moves >= lookEvery {
		e.moves = 0
		e.spent = e.spent || e.stop.Load() || !e.until.IsZero() && !time.Now().Before(e.until)
	}
}

// list plays all moves and keeps those that bounds do not decide. It stops at
// one that wins.
func (e *endgame) list(f *frame, s *sum, c board.Colour) (answer, bool) {
	// Room for all of them at once: order points into options.
	moves := s.open[c] + 1
	f.options = slices.Grow(f.options, moves)
	for at, p := range s.pieces {
		if s.repeats(e.grid, at) {
			continue
		}
		if p.region.Count[c] == region.MaxBlocks {
			e.spent = true
			return answer{}, false
		}
		for rest := p.region.Open[c]; rest != 0; rest &= rest - 1 {
			if e.look(); e.spent {
				return answer{}, false
			}
			if move, ok := e.consider(f, s, c, at, rest&-rest); ok {
				return move, true
			}
		}
	}
	if free := s.free; c == board.Black && free > 0 || c == board.White && free < 0 {
		return e.consider(f, s, c, 0, 0)
	}
	return answer{}, false
}

// repeats reports whether an equal piece comes before.
func (s *sum) repeats(g nogo.Grid, at int) bool {
	for _, p := range s.pieces[:at] {
		p.name(g)
		s.pieces[at].name(g)
		if p.key == s.pieces[at].key {
			return true
		}
	}
	return false
}

// consider plays a move and reports whether it wins.
func (e *endgame) consider(f *frame, s *sum, c board.Colour, at int, point uint64) (answer, bool) {
	o, used := f.add(), f.used
	o.at, o.point = at, point
	o.follow(e.grid, f, s, c)
	o.total()
	switch o.bounded(c.Opponent()) {
	case Lost:
		return answer{at, point}, true
	case Won:
		f.options = f.options[:len(f.options)-1]
		f.used = used
		return answer{}, false
	}
	o.score = o.worth(c)
	if point != 0 {
		o.score += e.history[c][bits.TrailingZeros64(point)].worth()
	}
	f.order = append(f.order, o)
	return answer{}, false
}

// follow makes the option's sum.
func (o *option) follow(g nogo.Grid, f *frame, from *sum, c board.Colour) {
	o.free = from.free
	for i, p := range from.pieces {
		if i != o.at || o.point == 0 {
			o.pieces = append(o.pieces, p)
		}
	}
	if o.point == 0 {
		o.free += 2*int(c) - 1
		return
	}
	old := from.pieces[o.at]
	whole := f.take()
	old.region.Play(g, c, o.point, &whole.region)
	points := whole.region.Points()
	if points != 0 && whole.region.Component(g, points) == points {
		o.join(g, whole)
		return
	}
	for rest := points; rest != 0; {
		part := whole.region.Component(g, rest)
		rest &^= part
		p := f.take()
		whole.region.Part(part, &p.region)
		o.join(g, p)
	}
}

// join adds a piece to the sum: integers are free moves, and a piece and its
// inverse cancel.
func (o *option) join(g nogo.Grid, p *piece) {
	p.bounds = p.region.Bounds(g)
	if p.bounds.Low == p.bounds.High {
		o.free += p.bounds.Low
		return
	}
	for i, q := range o.pieces {
		p.name(g)
		q.name(g)
		if q.key == p.inverse {
			o.pieces = slices.Delete(o.pieces, i, i+1)
			return
		}
	}
	o.pieces = append(o.pieces, p)
}

// name finds the keys of a piece.
func (p *piece) name(g nogo.Grid) {
	if !p.named {
		p.key, p.inverse = p.region.Keys(g)
		p.named = true
	}
}

// worth orders moves as internal/solver/sums does: the room they leave to either side.
func (o *option) worth(c board.Colour) int {
	free, low, high := o.free, o.low, o.high
	if c == board.White {
		free, low, high = -free, -high, -low
	}
	if o.point == 0 {
		return -1 << 30
	}
	return 185*free + 50*low + 50*high + 100*o.open[c] - 210*o.open[c^1] - 100*o.contested
}

// lookUp asks the table about the options, drops those that put the same
// question or lose, and reports one that wins.
func (e *endgame) lookUp(f *frame, c board.Colour) (answer, bool) {
	open := f.order[:0]
	for _, o := range f.order {
		o.ask(e.grid, c.Opponent())
		if slices.ContainsFunc(open, func(p *option) bool { return p.key == o.key && p.n == o.n }) {
			continue
		}
		switch e.probe(o) {
		case Lost:
			return answer{o.at, o.point}, true
		case Unknown:
			open = append(open, o)
		}
	}
	f.order = open
	return answer{}, false
}

// ask puts the option in the form the table knows: the key with the mover as
// Black, and the integer in which "the mover wins" is monotone.
func (o *option) ask(g nogo.Grid, mover board.Colour) {
	var key, inverse region.Key
	for _, p := range o.pieces {
		p.name(g)
		key, inverse = key.Add(p.key), inverse.Add(p.inverse)
	}
	o.key, o.n = lockless.Key(key), o.free
	if mover == board.White {
		o.key, o.n = lockless.Key(inverse), -o.free
	}
}

// probe is what the table knows of the side to move in an option.
func (e *endgame) probe(o *option) Known {
	b, ok := e.table.Get(o.key)
	switch {
	case ok && o.n >= b.Yes:
		return Won
	case ok && o.n <= b.No:
		return Lost
	}
	return Unknown
}

// record stores what was found.
func (e *endgame) record(o *option, known Known, effort int) {
	b := lockless.Bounds{Yes: lockless.NeverYes, No: lockless.NeverNo, Effort: bits.Len(uint(effort))}
	if known == Won {
		b.Yes = o.n
	} else {
		b.No = o.n
	}
	e.table.Put(o.key, b)
}
