package player

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/net"
	"tengen/internal/solver"
	"tengen/nogo"
)

func (s *switches) ofNetwork() []solver.Feature {
	return []solver.Feature{
		{Name: "priors", On: &s.priors}, // of moves, by the network
		{Name: "reuse", On: &s.reuse},   // of the graph, from one move to the next
		{Name: "proofs", On: &s.proofs},
		{Name: "solver", On: &s.solver}, // of endgames
		{Name: "haste", On: &s.haste},   // stopping when no move can catch up
		{Name: "transpositions", On: &s.transpositions},
	}
}

// NetworkParts names the parts of Network that TreeOptions.Without can switch off.
func NetworkParts() []string { return solver.Names(new(switches).ofNetwork()) }

// Network is a player by tree search with moves and values from a trained network: PUCT on
// a graph of positions, with proofs and exact endgames.
//
// It is for one goroutine at a time. With one thread, the same seed and only a limit on the
// playouts it makes the same choices every time. A playout ends with an evaluation by the
// network, an endgame search, or a known result.
type Network struct {
	treePlayer
	limit    int64 // bytes of the graph
	seed     uint64
	visitors []*visitor
	past     float64 // bound of the errors in earlier graphs

	// One lock guards the graph. An evaluation takes a hundred times as long as a walk, and
	// does not hold the lock.
	lock  sync.Mutex
	graph *graph
	full  bool
}

// NewNetwork prepares a player for a board size, which the network must know.
func NewNetwork(size board.Size, o TreeOptions) (*Network, error) {
	m := &Network{seed: o.Seed}
	if err := m.init("the search by the network", m, m.on.ofNetwork(), size, &o); err != nil {
		return nil, err
	}
	spots := spotsOf(m.start.terrain)
	for range o.Threads {
		eval, err := net.Embedded().NewEvaluator(size, 1, o.Path)
		if err != nil {
			return nil, errors.Join(err, m.Close())
		}
		m.visitors = append(m.visitors, &visitor{m: m, eval: eval, spots: spots, ends: m.newEndgame()})
	}
	// During a copy of the graph there are two graphs, and the arrays of a growing graph
	// are half empty.
	m.limit = o.Memory / 4
	m.forget()
	return m, nil
}

func (m *Network) release() { m.graph, m.visitors = nil, nil }

// run searches, and then checks the chosen move with the solver.
func (m *Network) run(ctx context.Context, l limits, b Budget) {
	check := m.reserve(&l, b)
	m.think(ctx, l)
	if check != (limits{}) {
		m.check(ctx, check)
	}
}

// checkShare is the part of a budget with which the solver checks the chosen move, where it
// is likely to decide.
const checkShare = 8

// reserve sets aside the budget for that check, or nothing if there is nothing to check.
func (m *Network) reserve(l *limits, b Budget) (check limits) {
	if m.start.sheet == nil || b.All || len(m.start.candidates) > likelyPoints {
		return limits{}
	}
	check.solve = l.solve * 4 / checkShare
	if b.Time > 0 {
		check.deadline = l.deadline
		l.deadline = l.deadline.Add(-b.Time / checkShare)
	}
	return check
}

// check gives the position after the chosen move to the solver as long as there are nodes
// and time left. A winning reply is found more easily than a proof that none exists. If
// there is a winning reply, the next best move becomes the choice.
func (m *Network) check(ctx context.Context, l limits) {
	g, v := &m.start, m.visitors[0]
	v.ends.until = l.deadline
	defer func() { v.ends.until = time.Time{} }()
	defer solver.Watch(ctx, &m.stop)()
	for nodes := l.solve; !m.stop.Load() && !m.lost; {
		best := slices.MinFunc(m.replies(m.graph.root), better)
		if best.known != game.Unknown {
			return
		}
		v.begin()
		v.field.play(g.stride, best.cell, v.side)
		v.side ^= 1
		known := v.decide(nodes)
		if known == game.Unknown {
			return
		}
		m.settle(best.cell, after(known))
		if l.solve > 0 {
			if nodes -= int(v.ends.nodes); nodes <= 0 {
				return
			}
		}
	}
}

// Path names the instructions that evaluate.
func (m *Network) Path() net.Path { return m.visitors[0].eval.Path() }

// Slow reports the evaluations per second if the processor has no vector instructions for
// which there are kernels.
func (m *Network) Slow() (perSecond float64, slow bool) {
	if m.Path() != net.Portable {
		return 0, false
	}
	m.wake()
	v, begin := m.visitors[0], time.Now()
	v.eval.Evaluate(v.view[:], v.out[:])
	return 1 / time.Since(begin).Seconds(), true
}

// Ownership is the expected owner of each point at the end of the game, from -1 for the
// opponent of c to 1 for c, who is to move. Points are counted row by row from the top
// left.
func (m *Network) Ownership(p nogo.Position, c board.Colour) []float64 {
	if p.Size != m.size {
		return nil
	}
	m.wake()
	var ends net.Ends
	view := net.Look(p, c)
	m.visitors[0].eval.Ends(&view, &ends)
	owns := make([]float64, p.Size.Points())
	for i := range owns {
		owns[i] = float64(ends[0][i] - ends[1][i])
	}
	return owns
}

func (m *Network) forget() {
	m.graph, m.past = newGraph(m.on.transpositions, m.on.proofs), 0
}

// reroot makes start the root, and keeps the graph if it has that position.
func (m *Network) reroot(path []uint16, follows, keep bool) {
	m.full = false
	m.graph.root = m.known(path, follows)
	switch {
	case m.graph.root == 0 || !keep:
		m.forget()
	case m.graph.bytes() > m.limit/2:
		m.past += m.graph.bound()
		m.graph = m.graph.keep()
	}
	if m.graph.bytes() > m.limit*3/4 {
		m.forget()
	}
	if m.graph.root == 0 {
		v := m.visitors[0]
		v.begin()
		n, links := v.judge(false)
		m.graph.root = m.graph.add(n, links)
	}
	// The root needs a move: its result counts only together with a move that shows it.
	root := &m.graph.nodes[m.graph.root]
	root.known, root.mean = game.Unknown, root.own
	m.graph.refresh(m.graph.root)
}

// known is the number of the root's position if the graph has it with its moves.
func (m *Network) known(path []uint16, follows bool) (at uint32) {
	g := m.graph
	if g.index != nil {
		at = g.index[m.start.key]
	} else if at = g.root; !follows || at == 0 {
		return 0
	} else {
		for _, cell := range path {
			l := g.find(at, cell)
			if l == nil || l.child == 0 {
				return 0
			}
			at = l.child
		}
	}
	if g.nodes[at].n == 0 {
		return 0 // an endgame search has decided it
	}
	return at
}

func (m *Network) threads() int { return len(m.visitors) }

func (m *Network) simulate(i int) { m.visitors[i].simulate() }

func (m *Network) open() bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.graph.nodes[m.graph.root].known == game.Unknown && !m.full
}

func (m *Network) pace() pace {
	return pace{clock: 1, lead: 16, single: 16, cost: playoutsPerEvaluation, priorVisits: 1}
}

func (m *Network) endgame(i int) (*endgame, *uint64) { return m.visitors[i].ends, &m.visitors[i].asked }

func (m *Network) bound() float64 { return m.past + m.graph.bound() }

func (m *Network) lot() random { return random(m.start.key ^ m.seed) }

func (m *Network) settle(cell uint16, known game.Known) {
	m.lock.Lock()
	defer m.lock.Unlock()
	g := m.graph
	l := g.find(g.root, cell)
	if l == nil {
		return
	}
	then := after(known)
	if l.child == 0 {
		key := m.start.key ^ keys.stone[m.start.toPlay][cell] ^ keys.turn
		l.child = g.add(node{key: key, own: result(then)}, nil)
	}
	g.nodes[l.child].known, g.nodes[l.child].mean = then, result(then)
	if known == game.Won {
		g.nodes[g.root].known = game.Won // also where proofs are switched off
	}
	g.refresh(g.root)
}

func (m *Network) root() uint32 { return m.graph.root }

func (m *Network) replies(position uint32) []reply {
	m.lock.Lock()
	defer m.lock.Unlock()
	links := m.graph.from(position)
	replies := make([]reply, len(links))
	unvisited := float64(1+m.graph.nodes[position].mean) / 2
	for i := range links {
		l := &links[i]
		replies[i] = reply{cell: l.cell, known: m.graph.knownAfter(l), visits: int(l.visits), prior: float64(l.prior), share: unvisited, after: l.child}
		if l.child != 0 {
			replies[i].share = float64(1+m.graph.worth(l)) / 2
		}
	}
	return replies
}
