package player

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/net"
	"tengen/internal/solver"
	"tengen/nogo"
)

// networkSwitches are the parts of the search by the network that can be switched off.
type networkSwitches struct {
	priors, reuse, proofs, solver, haste, transpositions bool
}

func (s *networkSwitches) features() []solver.Feature {
	return []solver.Feature{
		{Name: "priors", On: &s.priors}, // the network's word on moves
		{Name: "reuse", On: &s.reuse},   // of what was searched, from one move to the next
		{Name: "proofs", On: &s.proofs},
		{Name: "solver", On: &s.solver}, // of endgames
		{Name: "haste", On: &s.haste},   // stopping when no move can catch up
		{Name: "transpositions", On: &s.transpositions},
	}
}

// NetworkParts names what NetworkOptions.Without can switch off.
func NetworkParts() []string { return solver.Names(new(networkSwitches).features()) }

// NetworkOptions of a search by the network. The zero value is usable.
type NetworkOptions struct {
	Seed    uint64
	Threads int   // 0 for one for each processor
	Memory  int64 // bytes; 0 for DefaultTreeMemory
	Without []string
	Path    net.Path // "" for the fastest

	// Perfect is asked first; it may be nil. What it does not know the search does.
	Perfect *Player
}

// Network is a player by tree search whose moves and values come from a trained network:
// PUCT on a graph of positions, with proofs and exact endgames.
//
// It is for one goroutine at a time. With one thread, the same seed and a limit on the
// playouts alone it makes the same choices every time: a playout is an evaluation by the
// network, by an endgame search, or by what is known already.
type Network struct {
	seat
	on       networkSwitches
	limit    int64 // bytes of the graph
	seed     uint64
	visitors []*visitor
	past     float64 // bound of the errors in what was left behind

	// One lock guards the graph. An evaluation takes a hundred times as long as a walk, and
	// is made without it.
	lock  sync.Mutex
	graph *graph
	full  bool
}

// NewNetwork prepares a player for a board size, which the network must know.
func NewNetwork(size board.Size, o NetworkOptions) (*Network, error) {
	m := &Network{seat: newSeat(size, o.Perfect), seed: o.Seed}
	if err := solver.Switch("the search by the network", m.on.features(), o.Without); err != nil {
		return nil, err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultTreeMemory
	}
	spots := spotsOf(m.start.terrain)
	for range o.Threads {
		eval, err := net.Embedded().NewEvaluator(size, 1, o.Path)
		if err != nil {
			return nil, err
		}
		m.visitors = append(m.visitors, &visitor{m: m, eval: eval, spots: spots})
	}
	if m.on.solver {
		ends, err := lockless.New(o.Memory / 4)
		if err != nil {
			return nil, err
		}
		m.ends = ends
		for _, v := range m.visitors {
			v.ends = newEndgame(ends, &m.stop)
		}
	}
	// While what is worth keeping is copied there are two graphs, and the arrays of a graph
	// that grows are half empty.
	m.limit = o.Memory / 4
	m.forget()
	return m, nil
}

// Move thinks within a budget. If the context ends before, the best move so far comes back.
func (m *Network) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, error) {
	begin := time.Now()
	m.wake()
	if choice, done, err := m.ask(ctx, p, c, &b); done {
		return choice, err
	}
	ease := b.ease()
	ease.limit(&b, 1)
	m.enter(p, c, ease)
	l := m.limits(b, begin, m.on.haste, playoutsPerEvaluation)
	check := m.reserve(&l, b)
	m.think(ctx, l, m)
	if check != (limits{}) {
		m.check(ctx, check)
	}
	choice := m.choice()
	// What the network thinks of a move without any visit counts as one.
	ease.draw(&choice, func(s MoveStats) float64 { return float64(s.Visits) + s.Prior }, random(m.start.key^m.seed))
	return choice, nil
}

// checkShare is the part of a budget with which the solver looks at the move that was
// chosen, where it is likely to decide.
const checkShare = 8

// reserve keeps what there is for that, nothing if there is nothing to look at.
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
// and time left: a reply that wins is found more easily than all that a win takes. If there
// is one, the next best move is the choice.
func (m *Network) check(ctx context.Context, l limits) {
	g, v := &m.start, m.visitors[0]
	v.ends.until = l.deadline
	defer func() { v.ends.until = time.Time{} }()
	defer solver.Watch(ctx, &m.stop)()
	for nodes := l.solve; !m.stop.Load() && !m.lost; {
		best := slices.MinFunc(m.graph.from(m.graph.root), m.better)
		if m.graph.knownAfter(&best) != Unknown {
			return
		}
		v.begin()
		v.field.play(g.stride, best.cell, v.side)
		v.side ^= 1
		known := v.decide(nodes)
		if known == Unknown {
			return
		}
		m.settle(best.cell, known)
		if l.solve > 0 {
			if nodes -= int(v.ends.nodes); nodes <= 0 {
				return
			}
		}
	}
}

// playoutsPerEvaluation is what an evaluation costs, in playouts by lot.
const playoutsPerEvaluation = 30

// Ponder thinks about a position in the background until the context ends, or
// Move, Ponder or Close is called.
func (m *Network) Ponder(ctx context.Context, p nogo.Position, c board.Colour) {
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
func (m *Network) Close() error {
	m.wake()
	m.graph, m.visitors = nil, nil
	if m.ends != nil {
		m.ends.Close()
		m.ends = nil
	}
	return nil
}

// Path names the instructions that evaluate.
func (m *Network) Path() net.Path { return m.visitors[0].eval.Path() }

// Slow reports how many evaluations there are in a second if the processor has none of the
// vector instructions that there are kernels for.
func (m *Network) Slow() (perSecond float64, slow bool) {
	if m.Path() != net.Portable {
		return 0, false
	}
	m.wake()
	v, begin := m.visitors[0], time.Now()
	v.eval.Evaluate(v.view[:], v.out[:])
	return 1 / time.Since(begin).Seconds(), true
}

// Ownership is whose stone is expected on each point at the end, from -1, one of the
// opponent of c, to 1, one of c, who is to move. Points are counted row by row from the top
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

// enter makes a position the root, within the graph if it is there already and the player
// is to play its best.
func (m *Network) enter(p nogo.Position, c board.Colour, ease *level) {
	path, follows := m.between(p, c)
	m.position = p
	m.start.enter(p, c)
	switch {
	case ease != nil:
		m.start.sheet = nil
	case m.ends != nil:
		m.start.lay()
	}
	m.full = false
	m.graph.root = m.known(path, follows)
	switch {
	case m.graph.root == 0 || !m.on.reuse || ease != nil:
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
	m.reopen()
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

// reopen forgets how the root was decided unless a move says so: the root is asked for a
// move, and a result without one is of no use.
func (m *Network) reopen() {
	root := &m.graph.nodes[m.graph.root]
	root.known, root.mean = Unknown, root.own
	m.graph.refresh(m.graph.root)
}

// What a seat asks of a search.

func (m *Network) threads() int { return len(m.visitors) }

func (m *Network) simulate(i int) { m.visitors[i].simulate() }

func (m *Network) open() bool {
	m.lock.Lock()
	defer m.lock.Unlock()
	return m.graph.nodes[m.graph.root].known == Unknown && !m.full
}

func (m *Network) single() bool { return len(m.graph.from(m.graph.root)) == 1 }

func (m *Network) pace() pace { return pace{clock: 1, lead: 16, single: 16} }

func (m *Network) solver(i int) (*endgame, *uint64) { return m.visitors[i].ends, &m.visitors[i].asked }

// winning notes a move at the root that the solver has found.
func (m *Network) winning(cell uint16) {
	m.settle(cell, Lost)
	m.lock.Lock()
	defer m.lock.Unlock()
	root := &m.graph.nodes[m.graph.root]
	root.known, root.mean = Won, 1
}

// settle notes what is known of the position after a move at the root.
func (m *Network) settle(cell uint16, known Known) {
	m.lock.Lock()
	defer m.lock.Unlock()
	g := m.graph
	l := g.find(g.root, cell)
	if l == nil {
		return
	}
	if l.child == 0 {
		key := m.start.key ^ keys.stone[m.start.toPlay][cell] ^ keys.turn
		l.child = g.add(node{key: key, own: result(known)}, nil)
	}
	g.nodes[l.child].known, g.nodes[l.child].mean = known, result(known)
	g.refresh(g.root)
}

// lead is by how many visits the most visited move is ahead of the next.
func (m *Network) lead() float64 {
	m.lock.Lock()
	defer m.lock.Unlock()
	first, second := uint32(0), uint32(0)
	for _, l := range m.graph.from(m.graph.root) {
		if m.graph.knownAfter(&l) != Lost {
			first, second = max(first, l.visits), max(second, min(first, l.visits))
		}
	}
	return float64(first - second)
}

// errorBound is the probability that something that the search knows is wrong, at most.
func (m *Network) errorBound() float64 {
	bound := m.past + m.graph.bound()
	for _, v := range m.visitors {
		bound += endgameBound(v.asked, m.ends)
	}
	if m.lost {
		bound += m.lostBound
	}
	return bound
}

// choice is the move to make after thinking: one that is known to win, or else the most
// visited of those that are not known to lose.
func (m *Network) choice() Choice {
	links := slices.Clone(m.graph.from(m.graph.root))
	slices.SortStableFunc(links, m.better)
	ch := Choice{Source: Playouts, Playouts: m.Done()}
	for i := range links {
		ch.Moves = append(ch.Moves, m.stats(&links[i]))
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

// better orders links, the best first.
func (m *Network) better(a, b link) int {
	rank := func(l *link) int { return [...]int{Unknown: 1, Won: 2, Lost: 0}[m.graph.knownAfter(l)] }
	return cmp.Or(cmp.Compare(rank(&b), rank(&a)), cmp.Compare(b.visits, a.visits), cmp.Compare(b.prior, a.prior))
}

func (m *Network) stats(l *link) MoveStats {
	s := MoveStats{Move: m.start.point(l.cell), Visits: int(l.visits), Prior: float64(l.prior), Known: m.graph.knownAfter(l), Line: m.line(l)}
	if l.child != 0 {
		s.WinShare = float64(1+m.graph.worth(l)) / 2
	}
	return s
}

// line follows the best moves.
func (m *Network) line(l *link) []board.Point {
	const enough = 10
	line := []board.Point{m.start.point(l.cell)}
	for l.child != 0 && len(line) < enough {
		links := m.graph.from(l.child)
		if len(links) == 0 {
			break
		}
		next := slices.MinFunc(links, m.better)
		if next.visits == 0 {
			break
		}
		l = &next
		line = append(line, m.start.point(l.cell))
	}
	return line
}
