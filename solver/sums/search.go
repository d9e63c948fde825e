package sums

import (
	"math/bits"
	"sync/atomic"

	"tengen/board"
	"tengen/nogo"
	"tengen/nogo/region"
	"tengen/table"
)

const (
	cacheSize = 1 << 16
	maxPly    = region.MaxPoints + 2
)

// rules are the switches of a search.
type rules struct {
	limited      bool
	keepInverses bool
	noEarly      bool
	noHistory    bool
	noStatic     bool
	noTable      bool
}

type cached struct {
	raw region.Key
	facts
}

// move is a candidate: where it is played, and what it leads to.
type move struct {
	key   table.Key // of the question it puts to the opponent
	n     int8
	at    int8
	point uint64
	score int32
}

// frame is one ply of the stack.
type frame struct {
	sum   sum
	moves [region.MaxPoints]move
	count int
	reply uint64 // the move that last refuted a move at this ply
}

// worker is one goroutine's search. Workers share the table and nothing else.
type worker struct {
	grid    nogo.Grid
	table   *table.Thresholds
	rules   rules
	exact   int
	cache   []cached
	values  map[region.Key]value
	frames  [maxPly]frame
	local   [maxExact + 2][2]sum
	scratch [maxExact + 2]region.Region
	trial   sum
	level   int
	history [2][64]int32
	nodes   uint64
	locals  uint64
	probes  uint64
	sink    uint64
	stop    *atomic.Bool
	weights *weights
}

func newWorker(grid nogo.Grid, t *table.Thresholds, exact int, stop *atomic.Bool) *worker {
	return &worker{
		grid: grid, table: t, exact: exact, stop: stop, weights: &defaultWeights,
		cache: make([]cached, cacheSize), values: make(map[region.Key]value),
	}
}

// probe is +1 if the table knows that the mover wins, −1 if he loses.
func (w *worker) probe(k table.Key, n int) int {
	w.probes++
	b, ok := w.table.Get(k)
	switch {
	case !ok:
		return 0
	case n >= b.Yes:
		return 1
	case n <= b.No:
		return -1
	}
	return 0
}

func (w *worker) store(k table.Key, n int, win bool, effort uint64) {
	b := table.Bounds{Yes: table.NeverYes, No: table.NeverNo, Effort: bits.Len64(effort)}
	if win {
		b.Yes = n
	} else {
		b.No = n
	}
	w.table.Put(k, b)
}

// search reports whether c, to move in the sum of the ply's frame, wins.
func (w *worker) search(ply int, c board.Colour) bool {
	w.nodes++
	before := w.nodes
	f := &w.frames[ply]
	k, n := f.sum.question(c)
	win := w.expand(ply, c) || w.try(ply, c)
	w.store(k, n, win, w.nodes-before+1)
	return win
}

// expand lists the moves that bounds and table leave open, best first, and
// reports true if one of them is known to win.
func (w *worker) expand(ply int, c board.Colour) bool {
	f := &w.frames[ply]
	s := &f.sum
	f.count = 0
	for at := range s.count {
		if s.repeats(at) {
			continue
		}
		for rest := s.parts[at].region.Open[c]; rest != 0; rest &= rest - 1 {
			point := rest & -rest
			w.follow(s, at, c, point, &w.trial)
			switch w.trial.summary.decided(c.Opponent()) {
			case -1:
				return true
			case 1:
				continue
			}
			m := move{at: int8(at), point: point}
			k, n := w.trial.question(c.Opponent())
			m.key, m.n = k, int8(n)
			if f.has(&m) {
				continue
			}
			w.sink += w.table.Touch(k)
			m.score = w.score(f, s, c, &m)
			f.moves[f.count] = m
			f.count++
		}
	}
	if w.early(f) {
		return true
	}
	f.sort()
	return false
}

// repeats reports whether an equal region comes before.
func (s *sum) repeats(at int) bool {
	for i := range at {
		if s.parts[i].key == s.parts[at].key {
			return true
		}
	}
	return false
}

func (f *frame) has(m *move) bool {
	for i := range f.count {
		if f.moves[i].key == m.key && f.moves[i].n == m.n {
			return true
		}
	}
	return false
}

// early looks every move up before any is searched.
func (w *worker) early(f *frame) bool {
	k := 0
	for i := range f.count {
		switch w.probe(f.moves[i].key, int(f.moves[i].n)) {
		case -1:
			return true
		case 1:
			continue
		}
		f.moves[k] = f.moves[i]
		k++
	}
	f.count = k
	return false
}

// sort puts the highest score first; lists are short.
func (f *frame) sort() {
	for i := 1; i < f.count; i++ {
		m := f.moves[i]
		j := i
		for ; j > 0 && f.moves[j-1].score < m.score; j-- {
			f.moves[j] = f.moves[j-1]
		}
		f.moves[j] = m
	}
}

// try searches the moves in order.
func (w *worker) try(ply int, c board.Colour) bool {
	f := &w.frames[ply]
	for i := range f.count {
		m := &f.moves[i]
		outcome := 0
		if i > 0 {
			outcome = w.probe(m.key, int(m.n))
		}
		if outcome == 0 {
			w.follow(&f.sum, int(m.at), c, m.point, &w.frames[ply+1].sum)
			outcome = -1
			if w.search(ply+1, c.Opponent()) {
				outcome = 1
			}
		}
		if outcome < 0 {
			f.reply = m.point
			w.reward(c, m.point, f.sum.summary.points)
			return true
		}
	}
	return false
}
