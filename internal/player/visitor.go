package player

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"tengen/game"
	"tengen/internal/net"
)

const (
	// The endgame search gets leafNodes nodes for a new position of at most leafPoints
	// playable points, before the network evaluates it. A hundred nodes cost about as much
	// as an evaluation.
	leafPoints = 20
	leafNodes  = 60

	// The endgame search gets a position again at its againVisits-th visit, and each time
	// the visits have grown fourfold, with againNodes nodes per visit.
	againVisits = 16
	againNodes  = 25
)

// visitor is one thread of the search with the network: it walks through the graph to a
// new position, evaluates it, and takes the value back.
type visitor struct {
	m     *Network
	eval  *net.Evaluator
	spots [][cells]uint16
	view  [1]net.View
	out   [1]net.Output
	ends  *endgame // nil without the solver
	asked uint64   // nodes of its searches

	field field
	open  [cells]sides
	moves []link
	path  []step
	key   uint64 // Zobrist key of the position at the end of the path
	side  uint8  // to move there
}

// step is a position on a path and the link taken.
type step struct{ at, link uint32 }

// spotsOf maps cells to points of the network, counted row by row from the top left, for
// each symmetry of a board.
func spotsOf(t terrain) (all [][cells]uint16) {
	for _, sym := range t.size.Symmetries() {
		var spots [cells]uint16
		for _, q := range t.size.All() {
			image := t.size.Map(sym, q)
			spots[t.cell(q)] = uint16((t.size.Rows-1-t.size.Row(image))*t.size.Cols + t.size.Col(image))
		}
		all = append(all, spots)
	}
	return all
}

// begin puts the visitor at the root.
func (v *visitor) begin() {
	g := &v.m.start
	v.field.copy(&g.field, g.cells)
	v.path, v.key, v.side = v.path[:0], g.key, g.toPlay
}

// simulate adds one playout to the graph.
func (v *visitor) simulate() {
	m := v.m
	v.begin()
	m.lock.Lock()
	defer m.lock.Unlock()
	if at := v.walk(); at == 0 {
		m.lock.Unlock()
		n, links := v.judge(true)
		m.lock.Lock()
		v.enter(n, links)
	}
	v.back()
}

// walk follows the best links. At a new position it returns 0. It also stops at a position
// with a known result, and at a position that other paths have visited more often than
// this one.
func (v *visitor) walk() uint32 {
	m := v.m
	g := m.graph
	for at := g.root; ; {
		if g.nodes[at].known != game.Unknown || g.nodes[at].n == 0 {
			return at
		}
		v.again(at)
		i, ok := g.choose(at)
		if !ok || g.nodes[at].known != game.Unknown {
			return at
		}
		l := &g.links[i]
		l.away++
		v.path = append(v.path, step{at, i})
		v.field.play(m.start.stride, l.cell, v.side)
		v.key ^= keys.stone[v.side][l.cell] ^ keys.turn
		v.side ^= 1
		if l.child == 0 && g.index != nil {
			l.child = g.index[v.key]
		}
		at = l.child
		if at == 0 || g.nodes[at].visits > l.visits+uint32(l.away) {
			return at
		}
	}
}

// again gives a position with many visits to the endgame search once more. The lock is
// released meanwhile.
func (v *visitor) again(at uint32) {
	m, n := v.m, &v.m.graph.nodes[at]
	visits := int(n.visits)
	if v.ends == nil || m.start.sheet == nil || len(v.path) == 0 || visits < againVisits<<(2*n.tried) {
		return
	}
	n.tried = uint8(bits.Len(uint(visits/againVisits))+1) / 2
	nodes := againNodes * visits
	_, contested := v.survey()
	if float64(contested) > 2*math.Log(0.4*float64(nodes)) {
		return
	}
	m.lock.Unlock()
	known := v.decide(nodes)
	m.lock.Lock()
	if known != game.Unknown {
		n := &m.graph.nodes[at]
		n.known, n.mean = known, result(known)
	}
}

// survey records who may play where. It counts the points open to anybody and those open
// to both sides.
func (v *visitor) survey() (playable, contested int) {
	g := &v.m.start
	clear(v.open[:g.cells])
	for _, cell := range g.candidates {
		if v.field.holds[cell] == vacant {
			v.open[cell] = v.field.open(g.stride, cell)
		}
		switch v.open[cell] {
		case 0:
		case both:
			contested++
			fallthrough
		default:
			playable++
		}
	}
	return playable, contested
}

// decide runs the endgame search on the position at the end of the path.
func (v *visitor) decide(nodes int) game.Known {
	g := &v.m.start
	known, _ := v.ends.decide(g.terrain, g.sheet, &v.field, g.candidates, v.side, nodes)
	v.asked += v.ends.nodes
	return known
}

// judge evaluates the position at the end of the path. A side without a move has lost. If
// solve is true, an endgame search may decide it. Otherwise the network evaluates it.
func (v *visitor) judge(solve bool) (node, []link) {
	m := v.m
	n := node{key: v.key}
	playable, _ := v.survey()
	v.moves = v.moves[:0]
	for _, cell := range m.start.candidates {
		if v.open[cell]&side(v.side) != 0 {
			v.moves = append(v.moves, link{cell: cell})
		}
	}
	if len(v.moves) == 0 {
		n.known, n.own = game.Lost, -1
		return n, nil
	}
	if solve && v.ends != nil && m.start.sheet != nil && playable <= leafPoints {
		if n.known = v.decide(leafNodes); n.known != game.Unknown {
			n.own = result(n.known)
			return n, nil
		}
	}
	v.evaluate(&n)
	return n, v.moves
}

// evaluate runs the network. The board is turned or mirrored, depending on a hash of the
// position and the seed.
func (v *visitor) evaluate(n *node) {
	g := &v.m.start
	r := random(v.key ^ v.m.seed*0x9e3779b97f4a7c15)
	spots := &v.spots[r.below(len(v.spots))]
	size := g.size
	// A symmetry of the board keeps its shape.
	for _, q := range size.All() {
		cell := g.cell(q)
		spot := int(spots[cell])
		v.view[0].Set(spot/size.Cols, spot%size.Cols, v.kind(cell))
	}
	v.eval.Evaluate(v.view[:], v.out[:])
	out := &v.out[0]
	n.own = out.Value
	most := float32(math.Inf(-1))
	for i := range v.moves {
		l := &v.moves[i]
		if l.prior = out.Logits[spots[l.cell]]; !v.m.on.priors {
			l.prior = 0
		}
		most = max(most, l.prior)
	}
	var sum float32
	for i := range v.moves {
		l := &v.moves[i]
		l.prior = float32(math.Exp(float64(l.prior - most)))
		sum += l.prior
	}
	for i := range v.moves {
		v.moves[i].prior /= sum
	}
	slices.SortStableFunc(v.moves, func(a, b link) int { return cmp.Compare(b.prior, a.prior) })
}

// kind is the network's kind of a cell.
func (v *visitor) kind(cell uint16) net.Kind {
	switch v.field.holds[cell] {
	case v.side:
		return net.Own
	case vacant:
	default:
		return net.Other
	}
	switch v.open[cell] {
	case both:
		return net.Both
	case side(v.side):
		return net.OnlyMine
	case 0:
		return net.Nobody
	}
	return net.OnlyTheirs
}

// enter adds an evaluated position to the graph, as long as there is memory.
func (v *visitor) enter(n node, links []link) {
	m := v.m
	if m.graph.bytes() > m.limit {
		m.full = true
		return
	}
	at := m.graph.add(n, links)
	last := v.path[len(v.path)-1]
	if l := &m.graph.links[last.link]; l.child == 0 {
		l.child = at
	}
}

// back counts the visit on the path, starting from its end.
func (v *visitor) back() {
	g := v.m.graph
	for _, s := range slices.Backward(v.path) {
		l := &g.links[s.link]
		l.away--
		if l.child != 0 {
			l.visits++
		}
		g.refresh(s.at)
	}
	if len(v.path) == 0 {
		g.refresh(g.root)
	}
}
