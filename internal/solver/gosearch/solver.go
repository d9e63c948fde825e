// Package gosearch finds scores of Go by search, on boards that are too large for a
// table: of at most 36 points, under basic ko, without suicide, by area.
//
// It looks for proofs. A proof shows that one side reaches a score within a number of
// plies, or a position in which enough points are safe, whatever the other side does.
// Such a claim does not depend on what was played before, so it may be remembered by
// position, and it holds under every rule for endless games. Both bounds of a score are
// proofs, one by each side. docs/go-search.md has the argument. The package parses no
// text and prints nothing.
package gosearch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// Options of a solver. The zero value is usable.
type Options struct {
	Memory  int64    // bytes of the table; 0 means one gibibyte
	Threads int      // 0 means one for each processor
	Plies   int      // proofs may be this deep; 0 means MaxPlies
	Stones  int      // tables of stones; 0 means those that fit the memory
	Without []string // parts to switch off; see Parts
}

// Check refuses what New would refuse.
func (o Options) Check(size board.Size) error {
	if size.Points() > MaxPoints || !size.Small() {
		return fmt.Errorf("a %s board has %d points: the search of Go takes boards of up to %d", size, size.Points(), MaxPoints)
	}
	if o.Plies < 0 || o.Plies > MaxPlies {
		return fmt.Errorf("proofs of %d plies are not between 1 and %d", o.Plies, MaxPlies)
	}
	return solver.Switch("the search of Go", new(switches).features(), o.Without)
}

// Solver answers questions about one board size. It keeps its proofs from one question
// to the next. Its methods are for one goroutine at a time, except Stats.
type Solver struct {
	geo     *geometry
	table   *table
	workers []*worker
	plies   int
	on      switches
	tables  int // of stones, at most
	stones  *stones
	lacks   []*lacks // the last is the one that was asked for last
	rounds  map[query]*progress
	stop    atomic.Bool
	status  atomic.Pointer[Status]
	proven  atomic.Pointer[Answer]
}

// New prepares a solver.
func New(size board.Size, o Options) (*Solver, error) {
	if err := o.Check(size); err != nil {
		return nil, err
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Plies == 0 {
		o.Plies = MaxPlies
	}
	s := &Solver{geo: newGeometry(size), plies: o.Plies, rounds: map[query]*progress{}}
	if err := solver.Switch("the search of Go", s.on.features(), o.Without); err != nil {
		return nil, err
	}
	if s.on.stones {
		s.tables = cmp.Or(o.Stones, Stones(size, o.Memory))
	}
	var err error
	if s.table, err = newTable(o.Memory); err != nil {
		return nil, err
	}
	var shared *busy
	if o.Threads > 1 {
		shared = new(busy)
	}
	for i := range o.Threads {
		w := s.newWorker(i, newLore())
		w.busy = shared
		s.workers = append(s.workers, w)
	}
	s.status.Store(&Status{})
	known := All(size)
	s.proven.Store(&known)
	return s, nil
}

// newWorker makes a worker. Each worker has its own order of moves, so that they do not
// all search the same line.
func (s *Solver) newWorker(number int, known *lore) *worker {
	w := &worker{
		geo: s.geo, table: s.table, safety: newSafety(s.geo), on: s.on, stop: &s.stop,
		frames: make([]frame, MaxPlies+1), cells: make([]frame, roomPlies+1),
		settled: make([]uint64, 1<<settledBits), lore: known,
	}
	size := s.geo.size
	for _, q := range size.All() {
		middle := 100 - 5*(distance(size.Row(q), size.Rows)+distance(size.Col(q), size.Cols))
		for c := range w.order {
			w.order[c][q] = middle + int(mix(uint64(number)<<32|uint64(c)<<16|uint64(q))%uint64(1+3*number))
		}
	}
	for i := range w.killers {
		w.killers[i] = [2]uint8{noMove, noMove}
	}
	return w
}

// distance is twice the distance from the middle.
func distance(at, length int) int { return max(2*at-length+1, length-1-2*at) }

// Close frees the memory.
func (s *Solver) Close() { s.table.memory.Free() }

// Grow gives the solver a larger table with all entries of the present one. No other
// method may run meanwhile.
func (s *Solver) Grow(memory int64) error {
	larger, err := newTable(memory)
	if err != nil {
		return err
	}
	s.table.copyTo(larger)
	s.table.memory.Free()
	s.table = larger
	for _, w := range s.workers {
		w.table = larger
		if h := w.holder; h != nil {
			h.w.table, h.other.table = larger, larger
		}
	}
	return nil
}

// Save writes the proofs that cost at least a few nodes. Load reads them into a solver
// of the same board.
func (s *Solver) Save(w io.Writer) error { return s.table.save(w, 3) }

// Load reads what Save wrote.
func (s *Solver) Load(r io.Reader) error { return s.table.load(r) }

// Status describes the round that a search is in.
type Status struct {
	Prover board.Colour
	Goal   int
	Plies  int // depth of the round
	Width  int // number of the prover's moves that are searched to this depth
	// counting is the table of stones that the search waits for, nil if it waits for none.
	counting *stones
}

// Stats are counts of the work so far. They may be read while a search runs.
type Stats struct {
	Nodes    uint64 // states searched
	Stored   uint64 // entries of the table in use
	Capacity uint64
	Bytes    int64
	Status   Status
	Proven   Answer // bounds so far in the last call of Solve
}

// Stats may be called while a question is being answered.
func (s *Solver) Stats() Stats {
	st := Stats{Stored: s.table.stored.Load(), Capacity: s.table.capacity(), Bytes: s.table.bytes(), Status: *s.status.Load(), Proven: *s.proven.Load()}
	for _, w := range s.workers {
		st.Nodes += w.shared.Load()
	}
	return st
}

// Question is a claim: the prover's area will be larger than the other side's by at
// least the goal.
type Question struct {
	Position weiqi.Position
	Prover   board.Colour
	Goal     int
}

// Verdict says whether a claim is proven.
type Verdict int8

// The verdicts. A claim is refuted if the other side proves the contrary. It is held if the
// other side can keep the prover from the goal for ever, by an endless game if need be. So
// there is no proof of a held claim; there may be one of the contrary, not found yet.
const (
	Open    Verdict = 0
	Proven  Verdict = 1
	Refuted Verdict = -1
	Held    Verdict = 2
)

// query is a question as the search sees it.
type query struct {
	state
	goal int
}

// progress holds the stages of a question.
type progress struct {
	stages  [len(widths)]stage
	counted bool   // stones are
	holdAt  uint64 // nodes of the stages, when it is next asked whether the claim is held
	held    bool
	lost    bool // it is not held, so it has a proof
	tries   int  // to hold it, since all stages were done
}

// count leaves the last stage alone and begins it again, since many states are cut now.
func (p *progress) count() {
	if p.counted {
		return
	}
	first, last := &p.stages[0], &p.stages[len(p.stages)-1]
	first.nodes, first.done = p.nodes(), true
	*last, p.counted = stage{}, true
}

// stage is a series of rounds of one width, each a ply deeper.
type stage struct {
	plies int  // of the last round that ended
	deep  bool // the next one is deepStep plies deeper
	nodes uint64
	done  bool
}

// width says how many of the prover's moves are searched to full depth: the first ones
// in order. The others are searched less deep, by less plies.
type width struct{ moves, less int }

// widths has the width of each stage. In the last stage all moves get full depth.
var widths = [...]width{{3, 6}, {MaxPoints + 1, 0}}

func (s *Solver) query(q Question) (query, error) {
	p := q.Position
	if p.Size != s.geo.size {
		return query{}, fmt.Errorf("a solver for %s was asked about a %s board", s.geo.size, p.Size)
	}
	if err := p.Validate(); err != nil {
		return query{}, err
	}
	x := query{goal: q.Goal, state: state{
		own: p.Stones[q.Prover][0], other: p.Stones[q.Prover.Opponent()][0],
		reply: p.ToPlay != q.Prover, passed: p.Passes > 0,
	}}
	if p.Ko != board.NoPoint {
		x.ko = 1 << p.Ko
	}
	return x, nil
}

// ErrNodes reports that a search has used its nodes.
var ErrNodes = solver.ErrBudget

// Prove looks for a proof of a claim and of its contrary, and asks whether the claim is held.
// It returns Open if the context ends, if the nodes are used up (0 means no limit), or if
// every proof is longer than the solver's limit of plies.
func (s *Solver) Prove(ctx context.Context, q Question, nodes uint64) (Verdict, error) {
	x, err := s.query(q)
	if err != nil {
		return Open, err
	}
	points := s.geo.points
	switch {
	case q.Goal <= -points:
		return Proven, nil
	case q.Goal > points:
		return Refuted, nil
	}
	w := s.workers[0]
	w.aim(x.goal)
	if q.Position.Over() {
		return Verdict(w.scored(&x.state)), nil
	}
	if v := w.static(&x.state); v != notYet {
		return Verdict(v), nil
	}
	key, sym := s.geo.key(&x.state)
	switch known, _ := s.table.get(key, x.goal, 0); {
	case known.win <= s.plies:
		return Proven, nil
	case known.never:
		return Refuted, nil
	}
	if s.byMove(&x, key, sym) {
		return Proven, nil
	}
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	return s.run(ctx, x, q.Prover, nodes)
}

// byMove reports whether the prover is to move and has a move to a position of which the
// table has a proof. It notes that proof.
func (s *Solver) byMove(x *query, key uint64, sym uint8) bool {
	if x.reply {
		return false
	}
	w := s.workers[0]
	f := &w.frames[0]
	w.list(&x.state, f, noMove, 0)
	for i := range f.children {
		k := &f.children[i]
		if k.move == pass && x.passed {
			continue
		}
		w.number(k)
		if known, _ := s.table.get(k.key, x.goal, 0); known.win < s.plies {
			move := k.move
			if move < pass {
				move = s.geo.image[sym][move]
			}
			s.table.put(key, x.goal, 0, fact{win: known.win + 1, fail: -1, move: move}, 1)
			return true
		}
	}
	return false
}

// first is the move of a claim that the search tries first.
func (s *Solver) first(q Question) board.Point {
	x, err := s.query(q)
	if err != nil {
		return board.NoPoint
	}
	w := s.workers[0]
	w.on.killers = false // they change from call to call
	f := &w.frames[0]
	w.list(&x.state, f, noMove, 0)
	w.on.killers = s.on.killers
	if k := pick(f.children); k.move != pass {
		return board.Point(k.move)
	}
	return weiqi.Pass
}

// count makes the table of stones of a claim, if there is room for it. If it is stopped, the
// next call goes on.
func (s *Solver) count(ctx context.Context, prover board.Colour, goal int) error {
	want := s.geo.wanted(goal)
	if s.tables == 0 || s.tables == 1 && want != s.geo.points {
		return nil
	}
	if t := s.counted(goal); t != nil {
		s.lacks = append(slices.DeleteFunc(s.lacks, func(other *lacks) bool { return other == t }), t)
		return nil
	}
	if s.stones == nil {
		s.stones = newStones(s.geo)
	}
	s.status.Store(&Status{Prover: prover, Goal: goal, counting: s.stones})
	if err := s.stones.count(ctx, s.geo, len(s.workers)); err != nil {
		return err
	}
	var need []uint8
	switch {
	case s.tables == 1: // the stones are not needed again
		ctx = context.WithoutCancel(ctx)
		need = s.stones.holds
	case len(s.lacks) < s.tables-1:
		need = make([]uint8, len(s.stones.holds))
	default:
		need = s.lacks[0].need
		s.lacks = s.lacks[1:]
	}
	t, ok := s.stones.claim(ctx, want, need, len(s.workers))
	if !ok {
		return ctx.Err()
	}
	s.lacks = append(s.lacks, t)
	return nil
}

// counted is the table of stones for a goal, nil if there is none.
func (s *Solver) counted(goal int) *lacks {
	for _, t := range s.lacks {
		if t.want == s.geo.wanted(goal) {
			return t
		}
	}
	return nil
}

// whole is the table of stones for all points, nil if there is none.
func (s *Solver) whole() *lacks { return s.counted(s.geo.points) }

// Counting reports that the search waits for the table of stones, of which a share is
// complete.
func (s Status) Counting() (share float64, waits bool) {
	if s.counting == nil {
		return 0, false
	}
	return 1 - float64(s.counting.left.Load())/float64(len(s.counting.holds)), true
}

// run continues a question with its next round, until it is decided or a limit is
// reached.
func (s *Solver) run(ctx context.Context, x query, prover board.Colour, nodes uint64) (Verdict, error) {
	p := s.rounds[x]
	if p == nil {
		p = new(progress)
		for i := range p.stages {
			p.stages[i].done = i+1 < len(p.stages) && !s.on.width
		}
		s.rounds[x] = p
	}
	unlimited := nodes == 0
	if unlimited {
		nodes = math.MaxInt64
	}
	for !p.held {
		if unlimited || p.next() < 0 {
			if v, err := s.holdNext(ctx, x, prover, p); v != Open || err != nil {
				return v, err
			}
		}
		if x.goal == s.geo.points || p.nodes() >= 1<<s.geo.points/countShare {
			if err := s.count(ctx, prover, x.goal); err != nil {
				return Open, err
			}
		}
		if s.counted(x.goal) != nil {
			p.count()
		}
		strides := p.counted || x.goal == s.geo.points
		at := p.next()
		switch {
		case at < 0 && p.lost:
			return Proven, nil
		case at < 0 && (!s.on.hold || p.tries > lastTries):
			return Open, nil
		case at < 0:
			continue
		}
		st := &p.stages[at]
		plies := st.plies + 1
		if st.deep {
			plies = st.plies + max(deepStep, st.plies/deepShare) - 1
		}
		if strides && x.reply == (plies%2 != 0) {
			plies++ // the prover moves last, unless the game ends by two passes
		}
		plies = min(plies, s.plies)
		s.status.Store(&Status{Prover: prover, Goal: x.goal, Plies: plies, Width: widths[at].moves})
		v, used := s.round(ctx, x, at, plies, nodes)
		st.nodes += used
		nodes -= min(nodes, used)
		switch {
		case v != notYet:
			return Verdict(v), nil
		case ctx.Err() != nil:
			return Open, ctx.Err()
		case used > 0 && nodes == 0:
			v, err := s.holdNext(ctx, x, prover, p)
			if v == Open && err == nil {
				err = ErrNodes
			}
			return v, err
		}
		st.deep = strides && st.nodes > cutRounds
		if st.plies = plies; plies >= s.plies {
			st.done = true
		}
	}
	return Held, nil
}

// A claim must have cost some nodes before it is asked whether it is held. The question takes
// a share of these nodes beside them, at most holdMost, and comes again after twice as many.
// When the rounds are longer than proofs usually are, the share is the whole. When all rounds
// are done it comes a few times more, always with twice the nodes.
const (
	holdFrom     = 1000 // nodes
	holdShare    = 8
	holdAllShare = 16 // for a claim of all points
	holdMost     = 1 << 23
	lastTries    = 10
)

// holdNext asks whether a claim is held, if it is time to.
func (s *Solver) holdNext(ctx context.Context, x query, prover board.Colour, p *progress) (Verdict, error) {
	spent := p.nodes()
	share := spent
	switch last := p.stages[len(p.stages)-1]; {
	case !s.on.hold || p.lost:
		return Open, nil
	case p.next() < 0:
		share = max(spent, holdFrom) << p.tries
		p.tries++
	case spent < max(p.holdAt, holdFrom):
		return Open, nil
	case last.plies >= 2*s.geo.points:
	case x.goal == s.geo.points:
		share = spent / holdAllShare
	default:
		share = spent / holdShare
	}
	v, err := s.hold(ctx, x, prover, min(share, holdMost))
	if err != nil {
		return Open, err
	}
	switch v {
	case held:
		p.held = true
		return Held, nil
	case reached:
		p.lost = true
	case never:
		return Refuted, nil
	}
	if err := ctx.Err(); err != nil {
		return Open, err
	}
	p.holdAt = 2 * spent
	return Open, nil
}

// In the first rounds of a claim whose stones are counted nearly everything is cut. The
// rounds after them are deepStep plies apart, or a share of the plies if that is more. A claim
// of less than all points must have cost some nodes before its stones are counted, one for
// countShare sets: it may be easy.
const (
	cutRounds  = 2000 // nodes
	deepStep   = 6
	deepShare  = 6
	countShare = 1024
)

// spent is the number of nodes that a claim has cost so far.
func (s *Solver) spent(q Question) (nodes uint64) {
	if x, err := s.query(q); err == nil && s.rounds[x] != nil {
		nodes = s.rounds[x].nodes()
	}
	return nodes
}

// nodes is what the stages have cost.
func (p *progress) nodes() (n uint64) {
	for _, st := range p.stages {
		n += st.nodes
	}
	return n
}

// next is the stage of the next round: the widest that has cost no more nodes than the
// narrower stage before it. It is -1 if all stages are done.
func (p *progress) next() int {
	for i := len(p.stages) - 1; i > 0; i-- {
		if !p.stages[i].done && (p.stages[i-1].done || p.stages[i].nodes <= p.stages[i-1].nodes) {
			return i
		}
	}
	if p.stages[0].done {
		return -1
	}
	return 0
}

// round searches to a number of plies on all threads. The first thread with a result
// ends it.
func (s *Solver) round(ctx context.Context, x query, stage, plies int, nodes uint64) (v outcome, used uint64) {
	key, sym := s.geo.key(&x.state)
	share := nodes/uint64(len(s.workers)) + 1
	before := s.nodes()
	const undecided = 2 // differs from never, reached and 0, the result of a stopped worker
	var decided atomic.Int64
	result := solver.Race(ctx, &s.stop, len(s.workers), func(i int) int {
		w := s.workers[i]
		s.prepare(w, x.goal, stage)
		if plies >= s.plies && w.stones != nil {
			// No deeper round follows that would cut less.
			w.round, w.stones = w.round+exact, nil
		}
		w.limit = w.nodes + min(share, math.MaxInt64)
		v := w.win(&x.state, key, sym, plies, 0)
		w.shared.Store(w.nodes)
		switch {
		case v != notYet:
			decided.Store(int64(v))
			return int(v)
		case w.halted():
			return 0
		}
		return undecided
	})
	used = s.nodes() - before
	if v := decided.Load(); v != 0 {
		result = int(v) // whatever a thread has returned that came to the end without it
	}
	if result == undecided {
		return notYet, used
	}
	if result == 0 && ctx.Err() == nil {
		used = max(used, nodes)
	}
	return outcome(result), used
}

// prepare sets a worker to a goal and a stage. Failures are remembered by the number of
// the stage: they hold for every question with that goal and that width.
func (s *Solver) prepare(w *worker, goal, stage int) {
	w.aim(goal)
	w.round, w.width, w.stones = uint16(stage+1), widths[stage], s.counted(goal)
}

func (s *Solver) nodes() (n uint64) {
	for _, w := range s.workers {
		n += w.nodes
	}
	return n
}

var errNoProof = errors.New("the search has no proof of this position")

// exact marks the failures of a search that counts no stones. Such a search finds shorter
// proofs than the others. The last round is one.
const exact = 100

// Winning finds a move that proves a claim, with the prover to move. It also returns the
// number of plies within which the goal is reached, at most limit. The claim must be
// proven already. There may be no move but those to avoid.
func (s *Solver) Winning(ctx context.Context, q Question, limit int, avoid ...board.Point) (board.Point, int, error) {
	x, err := s.query(q)
	if err != nil {
		return board.NoPoint, 0, err
	}
	if x.reply {
		return board.NoPoint, 0, errors.New("it is not the prover's turn")
	}
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	w := s.workers[0]
	w.limit = math.MaxInt64
	limit = min(limit, MaxPlies)
	if len(avoid) > 0 {
		w.limit = w.nodes + otherNodes
		limit = min(limit, s.plies-2)
	}
	s.prepare(w, x.goal, 0)
	for _, plies := range []int{1, s.known(&x)} {
		if plies > limit {
			continue
		}
		if move, ok := w.winning(&x.state, plies, avoid); ok {
			return move, plies, nil
		}
	}
	for stage := range widths {
		s.prepare(w, x.goal, stage)
		w.round += exact
		w.stones = nil
		for plies := 1; plies <= limit; plies++ {
			if move, ok := w.winning(&x.state, plies, avoid); ok {
				return move, plies, nil
			}
			if ctx.Err() != nil {
				return board.NoPoint, 0, ctx.Err()
			}
			if w.halted() {
				return board.NoPoint, 0, errNoProof
			}
		}
	}
	return board.NoPoint, 0, errNoProof
}

// otherNodes bounds the search for a move other than those to avoid.
const otherNodes = 1 << 20

// known is the number of plies of the proof in the table, or noWin.
func (s *Solver) known(x *query) int {
	key, _ := s.geo.key(&x.state)
	fact, _ := s.table.get(key, x.goal, 0)
	return fact.win
}

// winning is a move by which the goal is reached within a number of plies, none of those
// to avoid.
func (w *worker) winning(s *state, plies int, avoid []board.Point) (board.Point, bool) {
	key, sym := w.geo.key(s)
	if w.win(s, key, sym, plies, 1) != reached {
		return board.NoPoint, false
	}
	known, _ := w.table.get(key, w.goal, w.round)
	first := known.move
	if first < pass {
		first = w.geo.from[sym][first]
	}
	f := &w.frames[0]
	w.list(s, f, first, 0)
	for i := range f.children {
		if k := &f.children[i]; k.move == first {
			f.children[0], f.children[i] = f.children[i], f.children[0]
		}
	}
	for i := range f.children {
		k := &f.children[i]
		move := board.Point(k.move)
		if k.move == pass {
			move = weiqi.Pass
		}
		if slices.Contains(avoid, move) {
			continue
		}
		if k.move == pass && s.passed {
			if w.scored(&k.state) == reached {
				return move, true
			}
			continue
		}
		if w.shows(k, plies-1) {
			return move, true
		}
	}
	return board.NoPoint, false
}

// shows reports whether a move reaches the goal within d plies, by what is known or by a
// search.
func (w *worker) shows(k *child, d int) bool {
	if w.number(k); w.static(&k.state) == reached {
		return true
	}
	if known, _ := w.table.get(k.key, w.goal, 0); known.win <= d {
		return true
	}
	v, decided := w.glance(k, d)
	if !decided {
		v = w.win(&k.state, k.key, k.sym, d, 1)
	}
	return v == reached
}
