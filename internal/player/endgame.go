package player

import (
	"math"
	"math/bits"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/lockless"
	"tengen/internal/region"
	"tengen/internal/region/sum"
	"tengen/internal/solver"
	"tengen/internal/yield"
	"tengen/nogo"
)

// endgame decides positions of boards of any size whose open points fit on a sheet.
// It is boolean negamax over sums of regions, as in internal/solver/sums and on the
// same sums. But it is for a player: it is called often, with a limited number of
// nodes, on boards that do not fit in a machine word.
type endgame struct {
	table     *lockless.Table
	survey    survey
	sums      sum.Builder
	frames    []*frame
	root      sum.Sum
	fresh     sum.Pool // the parts of the root
	nodes     uint64
	valued    uint64        // positions of small regions that were evaluated; never reset
	published atomic.Uint64 // nodes as of the last look at the clock, for others to read
	limit     uint64        // nodes at which to give up; 0 for none
	moves     int           // considered since the last look at the clock
	stop      *atomic.Bool
	until     time.Time // when to give up; zero for never
	spent     bool

	history [2][64]solver.Experience // results of moves at a point of the sheet
}

// exactPoints is the largest region that is evaluated exactly. Ends of games have
// many small regions: this halves both the nodes and the time. Each region is
// evaluated once and not counted as nodes, so that a limit of nodes means the same
// early and late.
const exactPoints = 5

// frame is one ply of the search.
type frame struct {
	moves    []solver.Move // At is the child
	children []sum.Sum
	fresh    sum.Pool // the parts that are new in the children
}

func newEndgame(t *lockless.Table, stop *atomic.Bool) *endgame {
	e := &endgame{table: t, stop: stop}
	e.sums = sum.NewBuilder(nogo.Grid{}, sum.Options{Exact: exactPoints, Bounds: true, Split: true, Cancel: true}, &e.valued)
	return e
}

// frame is the empty frame of a ply.
func (e *endgame) frame(ply int) *frame {
	for len(e.frames) <= ply {
		e.frames = append(e.frames, new(frame))
	}
	f := e.frames[ply]
	f.fresh.Used, f.moves = 0, f.moves[:0]
	return f
}

// decide reports whether c, to move on a field, wins, and by which cell. It returns
// Unknown if a region is too large or the limits are reached.
func (e *endgame) decide(t terrain, m *sheet, f *field, candidates []uint16, c uint8, nodes int) (game.Known, uint16) {
	e.nodes, e.limit, e.spent, e.sums.Grid = 0, uint64(nodes), false, m.grid
	e.survey.look(t, f, candidates)
	e.root.Clear()
	e.fresh.Used = 0
	var private [2]uint16
	for e.survey.next(candidates) {
		if cell := e.survey.part[0]; len(e.survey.part) == 1 && e.survey.open[cell] != both {
			owner := e.survey.open[cell] >> 1
			e.root.Free[owner]++
			private[owner] = cell
			continue
		}
		p := e.fresh.Take()
		if !e.survey.write(m, &p.Region) {
			return game.Unknown, 0
		}
		// Add keeps regions that cancel: the caller needs a move, and a cancelled
		// region has none.
		e.sums.Add(p, &e.root)
	}
	e.root.Finish()
	switch outcome, point := e.search(0, &e.root, board.Colour(c)); {
	case outcome == solver.Lost:
		return game.Lost, 0
	case outcome == solver.Unknown:
		return game.Unknown, 0
	case point == 0:
		return game.Won, private[c]
	default:
		return game.Won, m.cell[bits.TrailingZeros64(point)]
	}
}

// search finds whether c, to move, wins a sum, and by which point.
func (e *endgame) search(ply int, s *sum.Sum, c board.Colour) (solver.Outcome, uint64) {
	if e.exhausted() {
		return solver.Unknown, 0
	}
	f := e.frame(ply)
	if point, ok := e.list(f, s, c); ok {
		return solver.Won, point
	}
	if e.spent {
		return solver.Unknown, 0
	}
	solver.Sort(f.moves)
	if point, ok := e.lookUp(f, c); ok {
		return solver.Won, point
	}
	for i := range f.moves {
		m := &f.moves[i]
		outcome := solver.Probe(e.table, m.Question())
		if outcome == solver.Unknown {
			before := e.nodes
			if outcome, _ = e.search(ply+1, &f.children[m.At], c.Opponent()); outcome == solver.Unknown {
				return solver.Unknown, 0
			}
			e.table.Put(m.Key, solver.Fact(int(m.N), outcome, e.nodes-before))
			if m.Point != 0 {
				e.history[c][bits.TrailingZeros64(m.Point)].Add(outcome == solver.Lost, sum.HistorySpan, sum.HistoryWeight)
			}
		}
		if outcome == solver.Lost {
			return solver.Won, m.Point
		}
	}
	return solver.Lost, 0
}

// exhausted counts a node and reports whether the limits are reached.
func (e *endgame) exhausted() bool {
	e.nodes++
	return e.spent || e.limit > 0 && e.nodes > e.limit
}

// lookEvery is the number of moves between two looks at the clock, well under a
// millisecond. A number of nodes would not do: a node with thirty points takes as
// long as hundreds of nodes with three.
const lookEvery = 32

// look counts a move and checks from time to time whether the time is up.
func (e *endgame) look() {
	if e.moves++; e.moves >= lookEvery {
		e.moves = 0
		e.published.Store(e.nodes)
		yield.Now()
		e.spent = e.spent || e.stop.Load() || !e.until.IsZero() && !time.Now().Before(e.until)
	}
}

// list plays all moves and keeps those that bounds do not decide. It stops at
// one that wins.
func (e *endgame) list(f *frame, s *sum.Sum, c board.Colour) (uint64, bool) {
	if moves := s.Open[c] + 1; len(f.children) < moves {
		f.children = make([]sum.Sum, moves)
	}
	for at, p := range s.Parts() {
		if e.sums.Repeats(s, at) {
			continue
		}
		if p.Region.Count[c] == region.MaxBlocks {
			e.spent = true
			return 0, false
		}
		for rest := p.Region.Open[c]; rest != 0; rest &= rest - 1 {
			if e.look(); e.spent {
				return 0, false
			}
			if point := rest & -rest; e.consider(f, s, c, at, point) {
				return point, true
			}
		}
	}
	return 0, s.Free[c] > s.Free[c^1] && e.consider(f, s, c, 0, 0)
}

// consider lists a move unless it is decided, and reports whether it wins.
func (e *endgame) consider(f *frame, s *sum.Sum, c board.Colour, at int, point uint64) bool {
	child, used := &f.children[len(f.moves)], f.fresh.Used
	e.sums.Follow(s, at, c, point, child, &f.fresh)
	switch child.Decided(c.Opponent()) {
	case solver.Lost:
		return true
	case solver.Won:
		f.fresh.Used = used
		return false
	}
	score := int32(math.MinInt32) // free moves last
	if point != 0 {
		score = int32(child.Room(c)) + e.history[c][bits.TrailingZeros64(point)].Earned
	}
	f.moves = append(f.moves, solver.Move{At: int8(len(f.moves)), Point: point, Score: score})
	return false
}

// lookUp looks up the listed moves in the table. It drops moves that lose or lead to
// the same question, and reports one that wins.
func (e *endgame) lookUp(f *frame, c board.Colour) (uint64, bool) {
	open := f.moves[:0]
	for _, m := range f.moves {
		q := e.sums.Plain(&f.children[m.At], c.Opponent())
		if solver.Asks(open, q) {
			continue
		}
		m.Key, m.N = q.Key, int8(q.N)
		switch solver.Probe(e.table, q) {
		case solver.Lost:
			return m.Point, true
		case solver.Unknown:
			open = append(open, m)
		}
	}
	f.moves = open
	return 0, false
}
