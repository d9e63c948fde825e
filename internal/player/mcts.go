package player

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Budget limits the thinking about one move. A zero field is no such limit;
// without any, DefaultTime is.
type Budget struct {
	Time     time.Duration
	Playouts int

	// All says to use the whole budget even if the choice can no longer change, as an
	// analysis does: it will go on thinking, or asks about the other moves too.
	All bool
}

// DefaultTime is what a move gets if nothing is said.
const DefaultTime = time.Second

// settled is the budget with the default in place of no limit at all.
func (b Budget) settled() Budget {
	if b.Time <= 0 && b.Playouts <= 0 {
		b.Time = DefaultTime
	}
	return b
}

// switches are the parts of the tree search that can be switched off.
type switches struct {
	rave, priors, reuse, proofs, solver, phases, spending, appraisal, haste, transpositions bool
}

func (s *switches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "rave", On: &s.rave},
		{Name: "priors", On: &s.priors},
		{Name: "reuse", On: &s.reuse}, // of the tree, from one move to the next
		{Name: "proofs", On: &s.proofs},
		{Name: "solver", On: &s.solver}, // of endgames
		{Name: "phases", On: &s.phases}, // of a playout
		{Name: "spending", On: &s.spending},
		{Name: "appraisal", On: &s.appraisal},
		{Name: "haste", On: &s.haste}, // stopping when no move can catch up
		{Name: "transpositions", On: &s.transpositions},
	}
}

// MCTSParts names what MCTSOptions.Without can switch off.
func MCTSParts() []string { return solver.Names(new(switches).features()) }

// MCTSOptions of a tree search. The zero value is usable.
type MCTSOptions struct {
	Seed    uint64
	Threads int   // 0 for one for each processor
	Memory  int64 // bytes; 0 for DefaultTreeMemory
	Without []string

	// Perfect is asked first; it may be nil. What it does not know the tree does.
	Perfect *Player
}

// DefaultTreeMemory has room for about ten seconds of thought.
const DefaultTreeMemory = 512 << 20

// MCTS is a player by Monte-Carlo tree search. Moves in the tree are chosen by RAVE with
// priors and first-play urgency, or by plain UCT without RAVE; threads share one tree and
// keep apart by virtual losses; transpositions share their children.
//
// It is for one goroutine at a time. With one thread, the same seed and a limit on the
// playouts alone it makes the same choices every time.
type MCTS struct {
	size      board.Size
	tree      *tree
	searchers []*searcher
	employed  int // of the searchers, if it is not 0
	start     start
	position  nogo.Position // at the root
	on        switches
	perfect   *Player
	ends      *lockless.Table // of the endgames; nil without the solver
	lost      bool            // a solver says that the position at the root is lost
	lostBound float64         // bound of the error in that, if the perfect player said so
	stop      atomic.Bool
	enough    atomic.Bool // no move can catch up any more; the solver goes on
	done      atomic.Int64

	ponder sync.WaitGroup
	rouse  context.CancelFunc // ends the pondering
}

// NewMCTS prepares a player for one board size.
func NewMCTS(size board.Size, o MCTSOptions) (*MCTS, error) {
	m := &MCTS{size: size, perfect: o.Perfect, rouse: func() {}}
	if err := solver.Switch("the tree search", m.on.features(), o.Without); err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultTreeMemory
	}
	m.start.terrain = newTerrain(size)
	if m.on.solver {
		ends, err := lockless.New(o.Memory / 4)
		if err != nil {
			return nil, err
		}
		m.ends = ends
	}
	m.tree = newTree(o.Memory/4*3, o.Threads > 1, m.on.transpositions)
	for i := range o.Threads {
		s := &searcher{
			playout: playout{random: random(o.Seed<<8 + uint64(i))},
			on:      m.on,
			tree:    m.tree,
			start:   &m.start,
		}
		if m.ends != nil {
			s.ends = newEndgame(m.ends, &m.stop)
		}
		if m.on.appraisal {
			s.prior.appraisal = learned()
		}
		m.searchers = append(m.searchers, s)
	}
	return m, nil
}

// Employ lets only so many threads think from now on. It is not for use while Move is.
func (m *MCTS) Employ(threads int) { m.employed = max(1, min(threads, len(m.searchers))) }

// Move thinks within a budget. If the context ends before, the best move so far
// comes back.
func (m *MCTS) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	begin := time.Now()
	m.wake()
	m.done.Store(0)
	if p.Size != m.size {
		return Choice{}, fmt.Errorf("a player on %s was asked for a move on %s", m.size, p.Size)
	}
	if p.Legal(c).IsEmpty() {
		return Choice{}, ErrNoMove
	}
	b = b.settled()
	if choice, ok := m.perfectly(ctx, p, c, b); ok {
		return choice, nil
	}
	m.enter(p, c)
	m.think(ctx, m.limits(b, begin))
	return m.choice(), nil
}

// At the root the solver may take half of the thinking if there are at most likelyPoints
// candidates, for then it usually decides, and an eighth otherwise. A node of it costs
// about a third of a playout.
const likelyPoints = 26

// limits divides a budget.
func (m *MCTS) limits(b Budget, begin time.Time) limits {
	l := limits{playouts: b.Playouts, haste: m.on.haste && !b.All}
	share, nodes := time.Duration(8), b.Playouts/4
	if len(m.start.candidates) <= likelyPoints {
		share, nodes = 2, 2*b.Playouts
	}
	if b.Playouts > 0 {
		l.solve = max(nodes, 1)
	}
	if b.Time > 0 {
		l.deadline, l.solveUntil = begin.Add(b.Time), begin.Add(b.Time/share)
	}
	return l
}

// limits of the thinking; zero fields are none.
type limits struct {
	deadline   time.Time
	playouts   int
	solve      int // nodes of the solver at the root
	solveUntil time.Time
	haste      bool // stop as soon as no move can catch up with the most visited
}

// perfectly asks the perfect player, who may use half of the time.
func (m *MCTS) perfectly(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, bool) {
	m.lost, m.lostBound = false, 0
	if m.perfect == nil {
		return Choice{}, false
	}
	m.perfect.Think = b.Time / 2
	choice, err := m.perfect.Move(ctx, p, c)
	if err != nil {
		return Choice{}, false
	}
	// A certificate knows that a position is lost, but not how to make it hard.
	m.lost, m.lostBound = choice.Known == Lost, choice.ErrorBound
	return choice, choice.Known == Won || m.lost && choice.Source == Search
}

// Ponder thinks about a position in the background until the context ends, or
// Move, Ponder or Close is called.
func (m *MCTS) Ponder(ctx context.Context, p nogo.Position, c board.Colour) {
	m.wake()
	if p.Size != m.size || !m.on.reuse || p.Legal(c).IsEmpty() {
		return
	}
	ctx, m.rouse = context.WithCancel(ctx)
	m.ponder.Go(func() {
		m.enter(p, c)
		m.think(ctx, limits{})
	})
}

// wake ends the pondering and waits for it.
func (m *MCTS) wake() {
	m.rouse()
	m.ponder.Wait()
}

// Done is the number of playouts of the thinking under way, or of the last one. It
// may be asked from any goroutine.
func (m *MCTS) Done() int { return int(m.done.Load()) }

// Close ends the pondering and gives the memory back.
func (m *MCTS) Close() error {
	m.wake()
	m.tree = nil
	m.searchers = nil
	if m.ends != nil {
		m.ends.Close()
		m.ends = nil
	}
	return nil
}

// enter makes a position the root, within the tree if it is there already.
func (m *MCTS) enter(p nogo.Position, c board.Colour) {
	path, known := m.between(p, c)
	switch {
	case !known || !m.on.reuse:
		m.tree.reset()
	case len(path) > 0:
		m.tree.descend(path)
	}
	m.reopen()
	m.position = p
	m.start.enter(p, c)
	if m.ends != nil {
		m.start.lay()
	}
}

// reopen forgets how the root was decided unless a move says so: the root is
// asked for a move, and a result without one is of no use.
func (m *MCTS) reopen() {
	m.tree.settle(m.tree.top, Unknown)
	for _, e := range m.tree.family(m.tree.root()) {
		if e.known() == Won {
			m.tree.settle(m.tree.top, Lost)
		}
	}
}

// between are the moves that lead from the root to a position, two at most: the order
// of more could not be told.
func (m *MCTS) between(p nogo.Position, c board.Colour) (path []uint16, ok bool) {
	mover := board.Colour(m.start.toPlay)
	for range 2 {
		added := p.Stones[mover].Minus(m.position.Stones[mover])
		if p.Size != m.position.Size || added.IsEmpty() {
			break
		}
		for q := range added.Points() {
			path = append(path, m.start.cell(q))
		}
		mover = mover.Opponent()
	}
	return path, reaches(m.position, board.Colour(m.start.toPlay), path, m.start.terrain, p, c)
}

// reaches reports whether moves lead from one position to another.
func reaches(from nogo.Position, toPlay board.Colour, path []uint16, t terrain, p nogo.Position, c board.Colour) bool {
	for _, cell := range path {
		from.Stones[toPlay].Add(t.point(cell))
		toPlay = toPlay.Opponent()
	}
	return from == p && toPlay == c
}

// clockEvery is the number of playouts between looks at the clock, well under a
// millisecond of them; endgames in the tree look at it themselves.
const clockEvery = 8

// think runs all threads until a limit is reached, the root is decided, or no move can
// catch up with the best within the limits. If there is only one move, a few playouts
// are enough to tell the chances.
func (m *MCTS) think(ctx context.Context, l limits) {
	const forSingle = 1000
	if len(m.root()) == 1 && (l.playouts == 0 || l.playouts > forSingle) {
		l.playouts = forSingle
	}
	m.stop.Store(false)
	m.enough.Store(false)
	m.done.Store(0)
	defer solver.Watch(ctx, &m.stop)()
	var others sync.WaitGroup
	for _, s := range m.searchers[1:cmp.Or(m.employed, len(m.searchers))] {
		others.Go(func() { m.work(s, l) })
	}
	m.solve(m.searchers[0], l)
	m.work(m.searchers[0], l)
	others.Wait()
}

// solve tries to decide the root. A win ends the thinking; a loss is noted, and
// the tree looks for the move that makes it hardest.
func (m *MCTS) solve(s *searcher, l limits) {
	g, e := &m.start, s.ends
	if e == nil || g.sheet == nil || l == (limits{}) || m.tree.root().known() != Unknown {
		return
	}
	e.until = l.solveUntil
	known, move := e.decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, l.solve)
	e.until = time.Time{}
	s.asked += uint64(e.nodes)
	m.lost = m.lost || known == Lost
	if known == Won {
		m.root()
		if won, ok := m.tree.find(m.tree.replies(m.tree.root()), move); ok {
			m.tree.settle(won, Won)
			m.tree.settle(m.tree.top, Lost)
		}
	}
}

// root are the moves at the root.
func (m *MCTS) root() []edge {
	if family := m.tree.family(m.tree.root()); family != nil {
		return family
	}
	if !m.expand() {
		// What was kept has filled the memory.
		m.tree.reset()
		m.expand()
	}
	return m.tree.family(m.tree.root())
}

func (m *MCTS) expand() bool {
	s := m.searchers[0]
	s.field.copy(&m.start.field, m.start.cells)
	s.path = append(s.path[:0], m.tree.top)
	s.key = m.start.key
	return s.expand(m.tree.top, m.start.toPlay) != nil
}

func (m *MCTS) work(s *searcher, l limits) {
	if s.ends != nil {
		s.ends.until = l.deadline
		defer func() { s.ends.until = time.Time{} }()
	}
	begin, before := time.Now(), m.done.Load()
	for i := 1; !m.stop.Load() && !m.enough.Load() && m.tree.root().open(); i++ {
		if done := m.done.Add(1); l.playouts > 0 && done > int64(l.playouts) {
			m.done.Add(-1)
			return
		}
		s.simulate()
		if i%clockEvery == 0 && !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
			return
		}
		if i%leadEvery == 0 && l.haste {
			rate := float64(m.done.Load()-before) / time.Since(begin).Seconds()
			if m.lead() > m.left(l, rate) {
				m.enough.Store(true)
			}
		}
	}
}

// leadEvery is the number of playouts between looks at how far the best move is ahead.
const leadEvery = 256

// lead is by how many visits the most visited move is ahead of the next.
func (m *MCTS) lead() float64 {
	first, second := 0, 0
	family := m.tree.family(m.tree.root())
	for i := range family {
		if e := &family[i]; e.known() != Lost {
			n := e.visits()
			first, second = max(first, n), max(second, min(first, n))
		}
	}
	return float64(first - second)
}

// left is how many playouts there will be within the limits, at a rate per second.
func (m *MCTS) left(l limits, rate float64) float64 {
	left := math.Inf(1)
	if l.playouts > 0 {
		left = float64(l.playouts) - float64(m.done.Load())
	}
	if !l.deadline.IsZero() {
		left = min(left, rate*time.Until(l.deadline).Seconds())
	}
	return left
}

// choice is the move to make after thinking: one that is known to win, or else
// the most visited of those that are not known to lose.
func (m *MCTS) choice() Choice {
	family := slices.Clone(m.root())
	slices.SortStableFunc(family, func(a, b edge) int {
		return cmp.Or(cmp.Compare(rank(&b), rank(&a)), cmp.Compare(b.visits(), a.visits()), cmp.Compare(b.expected(), a.expected()))
	})
	ch := Choice{Source: Playouts, Playouts: int(m.done.Load())}
	for i := range family {
		e := &family[i]
		ch.Moves = append(ch.Moves, MoveStats{
			Move: m.start.point(e.cell()), Visits: e.visits(), WinShare: e.share(), Prior: float64(e.expected()), Known: e.known(),
			Line: m.line(e),
		})
	}
	best := ch.Moves[0]
	ch.Move, ch.WinShare, ch.Line, ch.Known = best.Move, best.WinShare, best.Line, best.Known
	if m.lost {
		ch.Known = Lost
	}
	if ch.Known != Unknown {
		ch.Source = Search
	}
	if ch.Known != Unknown || slices.ContainsFunc(ch.Moves, func(m MoveStats) bool { return m.Known != Unknown }) {
		ch.ErrorBound = m.errorBound()
	}
	return ch
}

// rank puts won moves before open ones and those before lost ones.
func rank(e *edge) int { return [...]int{Unknown: 1, Won: 2, Lost: 0}[e.known()] }

// line follows the most visited moves.
func (m *MCTS) line(e *edge) []board.Point {
	const enough = 10
	line := []board.Point{m.start.point(e.cell())}
	for family := m.tree.family(e); len(family) > 0 && len(line) < enough; family = m.tree.family(e) {
		e = &family[0]
		for i := range family {
			if c := &family[i]; cmp.Or(cmp.Compare(rank(c), rank(e)), cmp.Compare(c.visits(), e.visits())) > 0 {
				e = c
			}
		}
		if e.visits() == 0 {
			break
		}
		line = append(line, m.start.point(e.cell()))
	}
	return line
}
