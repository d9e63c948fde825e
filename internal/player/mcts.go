package player

import (
	"context"

	"tengen/board"
	"tengen/game"
	"tengen/internal/solver"
)

func (s *switches) ofMCTS() []solver.Feature {
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

// MCTSParts names the parts of MCTS that TreeOptions.Without can switch off.
func MCTSParts() []string { return solver.Names(new(switches).ofMCTS()) }

// MCTS is a player by Monte-Carlo tree search. Moves in the tree are chosen by RAVE with
// priors and first-play urgency, or by plain UCT without RAVE. Threads share one tree
// and spread over it by virtual losses. Transpositions share their children.
//
// It is for one goroutine at a time. With one thread, the same seed and a limit on the
// playouts alone it makes the same choices every time.
type MCTS struct {
	treePlayer
	tree      *tree
	searchers []*searcher
}

// NewMCTS prepares a player for one board size.
func NewMCTS(size board.Size, o TreeOptions) (*MCTS, error) {
	m := new(MCTS)
	if err := m.init("the tree search", m, m.on.ofMCTS(), size, &o); err != nil {
		return nil, err
	}
	m.tree = newTree(o.Memory/4*3, o.Threads > 1, m.on.transpositions)
	for i := range o.Threads {
		s := &searcher{
			playout: playout{random: random(o.Seed<<8 + uint64(i))},
			on:      m.on,
			tree:    m.tree,
			start:   &m.start,
			ends:    m.newEndgame(),
		}
		if m.on.appraisal {
			s.prior.appraisal = learned()
		}
		m.searchers = append(m.searchers, s)
	}
	return m, nil
}

func (m *MCTS) release() { m.tree, m.searchers = nil, nil }

// reroot makes start the root, and keeps the part of the tree below it if there is one.
func (m *MCTS) reroot(path []uint16, follows, keep bool) {
	switch {
	case !follows || !keep:
		m.tree.reset()
	case len(path) > 0:
		m.tree.descend(path)
	}
	// The root needs a move: its result counts only together with a move that shows it.
	m.tree.settle(m.tree.top, game.Unknown)
	for _, e := range m.tree.family(m.tree.root()) {
		if e.known() == game.Won {
			m.tree.settle(m.tree.top, game.Lost)
		}
	}
	if m.tree.family(m.tree.root()) == nil && !m.expand() {
		// The kept tree has filled the memory.
		m.tree.reset()
		m.expand()
	}
}

func (m *MCTS) expand() bool {
	s := m.searchers[0]
	s.field.copy(&m.start.field, m.start.cells)
	s.path = append(s.path[:0], m.tree.top)
	s.key = m.start.key
	return s.expand(m.tree.top, m.start.toPlay) != nil
}

func (m *MCTS) threads() int { return len(m.searchers) }

func (m *MCTS) run(ctx context.Context, l limits, _ Budget) { m.think(ctx, l) }

func (m *MCTS) simulate(i int) { m.searchers[i].simulate() }

func (m *MCTS) open() bool { return m.tree.root().open() }

// pace is the pace of playouts: many take place in a millisecond. Endgames in the tree
// look at the clock themselves.
func (m *MCTS) pace() pace { return pace{clock: 8, lead: 256, single: 1000, cost: 1} }

func (m *MCTS) endgame(i int) (*endgame, *uint64) { return m.searchers[i].ends, &m.searchers[i].asked }

func (m *MCTS) bound() float64 { return m.tree.bound() }

func (m *MCTS) lot() random { return random(m.searchers[0].random.next()) }

func (m *MCTS) settle(cell uint16, known game.Known) {
	if at, ok := m.tree.find(m.tree.replies(m.tree.root()), cell); ok {
		m.tree.settle(at, known)
		if known == game.Won {
			m.tree.settle(m.tree.top, game.Lost)
		}
	}
}

func (m *MCTS) root() uint32 { return m.tree.top }

func (m *MCTS) replies(position uint32) []reply {
	f := m.tree.replies(&m.tree.now.edges[position])
	if f == nil {
		return nil
	}
	replies := make([]reply, f.n)
	for i := range replies {
		at := f.first + uint32(i)
		e := &m.tree.now.edges[at]
		replies[i] = reply{cell: e.cell(), known: e.known(), visits: e.visits(), prior: float64(e.expected()), share: e.share(), after: at}
	}
	return replies
}
