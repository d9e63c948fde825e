package player

import (
	"math"
	"sync/atomic"

	"tengen/board"
	"tengen/nogo"
)

// Constants of the tree search, found in self-play on 9×9.
const (
	expandVisits = 8    // a position gets children when it has been visited so often
	raveSpan     = 1000 // playouts in which a later move counts at most
	priorVisits  = 100  // what the prior counts
	explore      = 0.7  // of the confidence term, where there is no rave

	// A position that gets children is first tried to be decided, if so few
	// points are playable, in so many nodes, each of which costs about half of a
	// playout.
	decidePoints = 20
	decideNodes  = 30
)

// searcher is one thread's part of a tree search: it walks down the tree, plays
// the rest out and takes the result back up.
type searcher struct {
	playout
	prior prior
	rules rules
	tree  *tree
	start *start
	path  []*edge
	// ends is nil without the solver.
	ends *endgame
}

// rules are the parts of the search that can be switched off.
type rules struct {
	rave, priors, proofs, phases bool
}

// start is the position at the root.
type start struct {
	terrain
	field      field
	candidates []uint16 // cells open to somebody
	toPlay     uint8
	sheet      *sheet // nil as long as too much is open
}

// enter makes a position the start.
func (g *start) enter(p nogo.Position, c board.Colour) {
	g.toPlay = uint8(c)
	g.field.set(g.terrain, p)
	g.candidates = g.candidates[:0]
	for _, q := range p.Size.All() {
		if cell := g.cell(q); g.field.holds[cell] == vacant && g.field.open(g.stride, cell) != 0 {
			g.candidates = append(g.candidates, cell)
		}
	}
}

// lay provides a sheet, if there is room on one.
func (g *start) lay() {
	if g.sheet == nil || !g.sheet.covers(g.candidates) {
		g.sheet, _ = newSheet(g.terrain, g.candidates)
	}
}

// simulate adds one playout to the tree.
func (s *searcher) simulate() {
	t, stride := s.tree, s.start.stride
	s.field.copy(&s.start.field, s.start.cells)
	c := s.start.toPlay
	e := t.root()
	t.add(&e.score, oneVisit)
	s.path = append(s.path[:0], e)
	for e.known() == Unknown {
		family := t.family(e)
		if family == nil && (len(s.path) == 1 || e.visits() >= expandVisits) {
			family = s.expand(e, c)
		}
		if len(family) == 0 {
			break
		}
		e = s.choose(e, family)
		t.add(&e.score, oneVisit)
		s.field.play(stride, e.cell(), c)
		c ^= 1
		s.path = append(s.path, e)
	}
	if k := e.known(); k != Unknown {
		// e was made by the opponent of c.
		winner := c
		if k == Won {
			winner = c ^ 1
		}
		s.prove()
		s.count(winner)
		return
	}
	s.fill(s.start.candidates)
	run := (*playout).runPlain
	if s.rules.phases {
		run = (*playout).run
	}
	winner := run(&s.playout, stride, c)
	s.count(winner)
	if s.rules.rave {
		s.countLater(winner)
	}
}

// expand gives a position its children, c to move. Without any, whoever moved
// there has won. It returns nil if another thread is at it or memory is short.
func (s *searcher) expand(e *edge, c uint8) []edge {
	if !atomic.CompareAndSwapUint64(&e.children, 0, expanding) {
		return nil
	}
	f, g := &s.field, s.start
	moves := &s.shared
	moves.n = 0
	playable := s.prior.survey(g.terrain, f, g.candidates)
	for _, cell := range g.candidates {
		if s.prior.open[cell]&side(c) != 0 {
			moves.add(cell)
		}
	}
	if s.settled(e, c, moves.n, playable) {
		atomic.StoreUint64(&e.children, 0)
		return nil
	}
	n := moves.n
	first := s.tree.now.take(n)
	if first == 0 {
		atomic.StoreUint64(&e.children, 0)
		return nil
	}
	family := s.tree.now.edges[first : first+n]
	for i := range family {
		cell := moves.draw(&s.random)
		family[i] = edge{tag: uint32(cell) << 8, prior: 0.5}
		if s.rules.priors {
			family[i].prior = s.prior.of(g.terrain, f, cell, c)
		}
	}
	atomic.StoreUint64(&e.children, uint64(first)<<16|uint64(n))
	return family
}

// settled decides the position an edge leads to, c to move: without a move c has
// lost, and late positions are worth a short search.
func (s *searcher) settled(e *edge, c uint8, moves, playable int) bool {
	g := s.start
	switch {
	case moves == 0:
		if s.rules.proofs {
			e.settle(Won)
		}
		return true
	case s.ends == nil || g.sheet == nil || playable > decidePoints || len(s.path) == 1:
		return false
	}
	known, _ := s.ends.decide(g.terrain, g.sheet, &s.field, g.candidates, c, decideNodes)
	switch known {
	case Won:
		e.settle(Lost)
	case Lost:
		e.settle(Won)
	}
	return known != Unknown
}

// choose picks the child to visit next, never one that is known to lose while
// there is another.
func (s *searcher) choose(e *edge, family []edge) *edge {
	confidence := float32(math.Sqrt(math.Log(float64(e.visits() + 1))))
	best, most := &family[0], float32(math.Inf(-1))
	for i := range family {
		child := &family[i]
		switch child.known() {
		case Won:
			return child
		case Lost:
			continue
		}
		if v := s.urgency(child, confidence); v > most {
			best, most = child, v
		}
	}
	return best
}

// urgency is the win share expected of a child, out of its own visits, the
// playouts that had its move later and the prior. Playouts that had the move
// later keep trying what was visited little; without them, what is known less of
// is worth more.
func (s *searcher) urgency(e *edge, confidence float32) float32 {
	score := atomic.LoadUint64(&e.score)
	n, wins := float32(score>>32), float32(uint32(score))
	weight := n
	if s.rules.priors {
		weight += priorVisits
		wins += priorVisits * e.prior
	}
	if s.rules.rave {
		rave := atomic.LoadUint64(&e.rave)
		r := float32(rave >> 32)
		scale := raveSpan / (raveSpan + r)
		weight += r * scale
		wins += float32(uint32(rave)) * scale
	}
	if weight == 0 {
		return math.MaxFloat32
	}
	if s.rules.rave {
		return wins / weight
	}
	return wins/weight + explore*confidence/float32(math.Sqrt(float64(weight)))
}

// count gives the win to the moves of the winner. A visit counts as lost until
// then, which keeps other threads from going the same way.
func (s *searcher) count(winner uint8) {
	mover := s.start.toPlay ^ 1
	for _, e := range s.path {
		if mover == winner {
			s.tree.add(&e.score, 1)
		}
		mover ^= 1
	}
}

// countLater tells the children of the positions on the path how the playout
// went in which their move was made later, by the same side: the stone is there.
func (s *searcher) countLater(winner uint8) {
	c := s.start.toPlay
	for _, e := range s.path {
		x := uint64(oneVisit)
		if c == winner {
			x++
		}
		family := s.tree.family(e)
		for i := range family {
			if s.field.holds[family[i].cell()&cellMask] == c {
				s.tree.add(&family[i].rave, x)
			}
		}
		c ^= 1
	}
}

// prove takes a known result up the path: a move is lost if it allows one won
// reply, and won if all replies are lost.
func (s *searcher) prove() {
	for i := len(s.path) - 2; i >= 0 && s.rules.proofs; i-- {
		child, parent := s.path[i+1].known(), s.path[i]
		switch {
		case child == Won:
			parent.settle(Lost)
		case child == Lost && allLost(s.tree.family(parent)):
			parent.settle(Won)
		default:
			return
		}
	}
}

func allLost(family []edge) bool {
	for i := range family {
		if family[i].known() != Lost {
			return false
		}
	}
	return true
}
