package player

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"time"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/nogo"
)

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
	seat
	tree      *tree
	searchers []*searcher
	on        switches
}

// NewMCTS prepares a player for one board size.
func NewMCTS(size board.Size, o MCTSOptions) (*MCTS, error) {
	m := &MCTS{seat: newSeat(size, o.Perfect)}
	if err := solver.Switch("the tree search", m.on.features(), o.Without); err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultTreeMemory
	}
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

// Move thinks within a budget. If the context ends before, the best move so far
// comes back.
func (m *MCTS) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	begin := time.Now()
	m.wake()
	if choice, done, err := m.ask(ctx, p, c, &b); done {
		return choice, err
	}
	ease := b.ease()
	ease.limit(&b, playoutsPerEvaluation)
	m.enter(p, c, ease)
	m.think(ctx, m.limits(b, begin, m.on.haste, 1), m)
	choice := m.choice()
	if ease != nil {
		ease.draw(&choice, func(s MoveStats) float64 { return float64(s.Visits) }, random(m.searchers[0].random.next()))
	}
	return choice, nil
}

// Ponder thinks about a position in the background until the context ends, or
// Move, Ponder or Close is called.
func (m *MCTS) Ponder(ctx context.Context, p nogo.Position, c board.Colour) {
	m.wake()
	if !m.on.reuse {
		return
	}
	m.background(ctx, p, c, func(ctx context.Context) {
		m.enter(p, c, nil)
		m.think(ctx, limits{}, m)
	})
}

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

// enter makes a position the root, within the tree if it is there already and the player
// is to play its best.
func (m *MCTS) enter(p nogo.Position, c board.Colour, ease *level) {
	path, known := m.between(p, c)
	switch {
	case !known || !m.on.reuse || ease != nil:
		m.tree.reset()
	case len(path) > 0:
		m.tree.descend(path)
	}
	m.reopen()
	m.position = p
	m.start.enter(p, c)
	switch {
	case ease != nil:
		m.start.sheet = nil
	case m.ends != nil:
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

// What a seat asks of a search.

func (m *MCTS) threads() int { return len(m.searchers) }

func (m *MCTS) simulate(i int) { m.searchers[i].simulate() }

func (m *MCTS) open() bool { return m.tree.root().open() }

func (m *MCTS) single() bool { return len(m.root()) == 1 }

// pace is that of playouts, of which there are many in a millisecond.
func (m *MCTS) pace() pace { return pace{clock: clockEvery, lead: leadEvery, single: 1000} }

func (m *MCTS) solver(i int) (*endgame, *uint64) { return m.searchers[i].ends, &m.searchers[i].asked }

// winning notes a move at the root that the solver has found.
func (m *MCTS) winning(cell uint16) {
	m.root()
	if won, ok := m.tree.find(m.tree.replies(m.tree.root()), cell); ok {
		m.tree.settle(won, Won)
		m.tree.settle(m.tree.top, Lost)
	}
}

// clockEvery is the number of playouts between looks at the clock, well under a
// millisecond of them; endgames in the tree look at it themselves. leadEvery is the
// number between looks at how far the best move is ahead.
const (
	clockEvery = 8
	leadEvery  = 256
)

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
