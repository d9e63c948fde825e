package player

import (
	"math"
	"math/bits"
	"sync/atomic"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// Constants of the tree search, found in play on 9×9.
const (
	// A position gets children after expandVisits visits, or more if memory is short. It
	// is studied after studyVisits visits, which is a power of 2.
	expandVisits = 4
	studyVisits  = 8

	// First-play urgency: a move begins with firstWeight playouts of even result, so
	// that moves without a visit can be compared with the others. The prior counts as
	// priorWeight more.
	firstWeight = 20
	priorWeight = 10

	// With RAVE n visits count as visitBonus·√n additional wins. This keeps the search
	// from leaving a move too soon.
	visitBonus = 0.4

	// appraised is the share of a playout's reward that the appraisal decides.
	appraised = 0.4

	explore = 0.7 // the constant of UCT's confidence term, where there is no RAVE

	// When a position is studied for the first time and has at most decidePoints
	// playable points, the endgame search tries to decide it in decideNodes nodes. A
	// node costs about half of a playout.
	decidePoints = 20
	decideNodes  = 30
)

// searcher is one thread of a tree search: it walks down the tree, plays the rest out
// and takes the result back up.
type searcher struct {
	playout
	prior prior
	on    switches
	tree  *tree
	start *start
	path  []uint32 // edges
	key   uint64   // Zobrist key of the position at its end
	// ends is nil without the solver.
	ends  *endgame
	asked uint64 // nodes of its searches
}

// start is the position at the root.
type start struct {
	terrain
	field      field
	candidates []uint16 // cells open to somebody
	toPlay     uint8
	key        uint64 // Zobrist key
	sheet      *sheet // nil while too many points are open
}

// zobrist has a random number for every stone on every cell and one for the side to
// move. The Zobrist key of a position is the exclusive or of the numbers that apply.
type zobrist struct {
	stone [2][cells]uint64
	turn  uint64
}

var keys = newZobrist()

func newZobrist() *zobrist {
	k, r := new(zobrist), random(1)
	for c := range k.stone {
		for i := range k.stone[c] {
			k.stone[c][i] = r.next()
		}
	}
	k.turn = r.next()
	return k
}

// enter makes a position the start.
func (g *start) enter(p nogo.Position, c board.Colour) {
	g.toPlay = uint8(c)
	g.key = uint64(c) * keys.turn
	for side, stones := range p.Stones {
		for q := range stones.Points() {
			g.key ^= keys.stone[side][g.cell(q)]
		}
	}
	g.field.set(g.terrain, p)
	g.candidates = g.candidates[:0]
	for _, q := range p.Size.All() {
		if cell := g.cell(q); g.field.holds[cell] == vacant && g.field.open(g.stride, cell) != 0 {
			g.candidates = append(g.candidates, cell)
		}
	}
}

// lay makes a sheet, if the open points fit on one.
func (g *start) lay() {
	if g.sheet == nil || !g.sheet.covers(g.candidates) {
		g.sheet, _ = newSheet(g.terrain, g.candidates)
	}
}

// simulate adds one playout to the tree.
func (s *searcher) simulate() {
	e, c := s.walk()
	winner, won := c, tally(reward)
	switch e.known() {
	case game.Won:
		// The opponent of c made the move e.
		s.prove()
		winner = c ^ 1
	case game.Lost:
		s.prove()
	default:
		winner, won = s.try(e, c)
	}
	s.count(winner, won)
}

// try plays out the position after e. It returns the winner and his reward, which
// includes the appraisal of the position. c is to move.
func (s *searcher) try(e *edge, c uint8) (winner uint8, won tally) {
	black := s.appraise(e, c)
	s.fill(s.start.candidates)
	if s.on.phases {
		if s.on.spending && s.random.below(2) == 0 {
			s.spend(s.start.stride)
		}
		winner = s.run(s.start.stride, c, s.lastMoves(c))
		won = rewards[min(s.own[winner].n, surely)]
	} else {
		winner, won = s.runPlain(s.start.stride, c), reward
	}
	if s.prior.appraisal != nil {
		if winner != uint8(board.Black) {
			black = 1 - black
		}
		won = tally((1-appraised)*float32(won) + appraised*reward*black)
	}
	return winner, won
}

// appraise is Black's chance by the appraisal after e, c to move. It is computed once
// and kept for later visits.
func (s *searcher) appraise(e *edge, c uint8) float32 {
	a := s.prior.appraisal
	if a == nil {
		return 0
	}
	black := math.Float32frombits(atomic.LoadUint32(&e.black))
	if black == 0 {
		s.prior.view.look(s.start.terrain, &s.field)
		black = a.share(&s.prior.view, c)
		atomic.StoreUint32(&e.black, math.Float32bits(black))
	}
	return black
}

// walk goes down the tree to its end or to a known result. It returns the last edge and
// the side to move. A visit counts as lost from here until its result comes back: a
// virtual loss, which sends other threads elsewhere.
func (s *searcher) walk() (*edge, uint8) {
	t, stride, c := s.tree, s.start.stride, s.start.toPlay
	s.field.copy(&s.start.field, s.start.cells)
	s.later = [2]cellSet{}
	s.key = s.start.key
	at := t.top
	e := t.root()
	visits := t.add(&e.score, onePlayout).playouts()
	s.path = append(s.path[:0], at)
	for e.known() == game.Unknown {
		replies := t.replies(e)
		switch {
		case replies == nil && s.on.transpositions && s.adopt(at):
			replies = t.replies(e)
		case replies == nil && (len(s.path) == 1 || visits >= expandVisits && visits >= expandVisits<<t.now.shortage()):
			replies = s.expand(at, c)
		case replies != nil && len(s.path) == 1:
			s.estimate(replies, c)
		case replies != nil && due(visits) && s.study(at, replies, visits, c):
			return e, c
		}
		if replies == nil {
			break
		}
		at = s.choose(e, replies)
		e = &t.now.edges[at]
		visits = t.add(&e.score, onePlayout).playouts()
		if t.shared {
			t.learn(at, onePlayout)
		}
		s.field.play(stride, e.cell(), c)
		s.later[c].add(e.cell())
		s.key ^= keys.stone[c][e.cell()] ^ keys.turn
		c ^= 1
		s.path = append(s.path, at)
	}
	return e, c
}

// lastMoves are the last moves of either side on the path, c to move.
func (s *searcher) lastMoves(c uint8) (last [2]uint16) {
	edges := s.tree.now.edges
	if n := len(s.path); n > 1 {
		last[c^1] = edges[s.path[n-1]].cell()
		if n > 2 {
			last[c] = edges[s.path[n-2]].cell()
		}
	}
	return last
}

// adopt finds transpositions: a position that already has children, on another path,
// shares them. Positions are compared only by their Zobrist keys. Among two million
// positions two have the same key with a chance of one in ten million; store.bound has
// the chance for any number.
func (s *searcher) adopt(at uint32) bool {
	number := s.tree.now.find(s.key)
	return number != 0 && atomic.CompareAndSwapUint32(&s.tree.now.edges[at].children, 0, number)
}

// expand gives a position its children, c to move. If there are none, the side that
// moved there has won. It returns nil if another thread is expanding the position or
// memory is short.
func (s *searcher) expand(at uint32, c uint8) *family {
	t, f, g := s.tree, &s.field, s.start
	e := &t.now.edges[at]
	if !atomic.CompareAndSwapUint32(&e.children, 0, expanding) {
		return nil
	}
	var moves cellSet
	n := 0
	for _, cell := range g.candidates {
		if f.holds[cell] == vacant && f.open(g.stride, cell)&side(c) != 0 {
			moves.add(cell)
			n++
		}
	}
	number := uint32(0)
	if n > 0 {
		number = t.now.take(n)
	} else if s.on.proofs {
		t.settle(at, game.Won)
	}
	if number == 0 {
		atomic.StoreUint32(&e.children, 0)
		return nil
	}
	family := &t.now.families[number]
	family.moves = moves
	i := family.first
	for w, rest := range moves {
		for ; rest != 0; rest &= rest - 1 {
			cell := uint32(w<<6 + bits.TrailingZeros64(rest))
			t.now.edges[i] = edge{tag: cell << 8, prior: math.Float32bits(0.5)}
			t.now.mix[i] = firstWeight * (onePlayout + reward/2)
			t.now.urgency[i] = urgency(i, t.now.mix[i])
			i++
		}
	}
	if s.on.transpositions {
		family.key = s.key
		t.now.file(number)
	}
	atomic.StoreUint32(&e.children, number)
	if len(s.path) == 1 {
		s.estimate(family, c)
	}
	return family
}

// due reports whether a position is studied at this number of visits: at studyVisits,
// and again each time the visits have grown fourfold.
func due(visits int) bool {
	n := uint(visits)
	return n >= studyVisits && n&(n-1) == 0 && (bits.Len(n)-bits.Len(studyVisits))%2 == 0
}

// study tries to decide a position, c to move, and reports whether it did. If not, it
// gives the moves their priors, unless they have them already.
func (s *searcher) study(at uint32, replies *family, visits int, c uint8) bool {
	g := s.start
	if nodes := s.worthTrying(visits); nodes > 0 {
		known, _ := s.ends.decide(g.terrain, g.sheet, &s.field, g.candidates, c, nodes)
		s.asked += uint64(s.ends.nodes)
		switch known {
		case game.Won:
			s.tree.settle(at, game.Lost)
			return true
		case game.Lost:
			s.tree.settle(at, game.Won)
			return true
		}
	}
	s.estimate(replies, c)
	return false
}

// worthTrying is the number of nodes to spend on deciding a position with this number of
// visits; 0 means not to try. A position with k points open to both sides takes about
// 10·exp(k/2) nodes, and sometimes a quarter of that is enough.
func (s *searcher) worthTrying(visits int) int {
	g, nodes := s.start, visits/2
	switch {
	case s.ends == nil || g.sheet == nil:
		return 0
	case visits == studyVisits:
		if s.prior.survey(g.terrain, &s.field, g.candidates) <= decidePoints {
			return decideNodes
		}
		return 0
	case float64(s.contested()) > 2*math.Log(0.4*float64(nodes)):
		return 0
	}
	return nodes
}

// contested is the number of points open to both sides.
func (s *searcher) contested() (n int) {
	for _, cell := range s.start.candidates {
		if s.field.holds[cell] == vacant && s.field.open(s.start.stride, cell) == both {
			n++
		}
	}
	return n
}

// estimate gives moves of c their priors, once.
func (s *searcher) estimate(replies *family, c uint8) {
	if !s.on.priors || atomic.LoadUint32(&replies.studied) != 0 || !atomic.CompareAndSwapUint32(&replies.studied, 0, 1) {
		return
	}
	t, g := s.tree, s.start
	s.prior.look(g.terrain, &s.field, g.candidates)
	for i := replies.first; i < replies.first+replies.n; i++ {
		e := &t.now.edges[i]
		prior := s.prior.of(g.terrain, &s.field, e.cell(), c)
		atomic.StoreUint32(&e.prior, math.Float32bits(prior))
		t.learn(i, weigh(prior))
	}
}

// weigh turns a prior into a tally of virtual playouts.
func weigh(prior float32) tally { return priorWeight * (onePlayout + tally(prior*reward)) }

// choose picks the child to visit next, by RAVE or else by UCT. A child that is known to
// lose is never picked while there is another.
func (s *searcher) choose(e *edge, replies *family) uint32 {
	if s.on.rave {
		return s.tree.mostUrgent(replies)
	}
	return s.mostUncertain(e, replies)
}

// mostUncertain chooses by UCT: the average reward of a move plus a confidence term that
// is larger for fewer visits. The prior counts as visits; without priors a move that had
// no visit comes before all others. The loop begins at a random move, so that equal
// moves have equal chances.
func (s *searcher) mostUncertain(parent *edge, replies *family) uint32 {
	confidence := explore * math.Sqrt(math.Log(float64(parent.visits()+1)))
	best, most := replies.first, math.Inf(-1)
	i := replies.first + uint32(s.random.below(int(replies.n)))
	for range replies.n {
		if i++; i == replies.first+replies.n {
			i = replies.first
		}
		e := &s.tree.now.edges[i]
		switch e.known() {
		case game.Won:
			return i
		case game.Lost:
			continue
		}
		score := e.score.load()
		if s.on.priors {
			score += weigh(e.expected())
		}
		v := math.Inf(1)
		if score != 0 {
			v = float64(score.share()) + confidence/math.Sqrt(float64(score.playouts()))
		}
		if v > most {
			best, most = i, v
		}
	}
	return best
}

// count adds a playout to the edges of the path: the winner gets a reward, the loser the
// rest of it. This replaces the virtual loss of walk.
func (s *searcher) count(winner uint8, won tally) {
	t := s.tree
	mover := s.start.toPlay ^ 1
	for _, i := range s.path {
		result, got := tally(0), reward-won
		if mover == winner {
			result, got = reward, won
		}
		n := t.add(&t.now.edges[i].score, result).playouts()
		if !t.shared {
			got += onePlayout
		}
		t.learn(i, got+bonus(n)-bonus(n-1))
		mover ^= 1
	}
	if s.on.rave {
		s.countLater(winner, won)
	}
}

// bonus is the bonus of n visits.
func bonus(n int) tally { return tally(visitBonus * reward * math.Sqrt(float64(n))) }

// countLater is the update of RAVE (all moves as first): a child of a position on the
// path also counts the playout if the same side made its move later on.
func (s *searcher) countLater(winner uint8, won tally) {
	t := s.tree
	words := (s.start.cells + 63) / 64
	c := s.start.toPlay
	for _, at := range s.path {
		got := won
		if c != winner {
			got = reward - won
		}
		replies := t.replies(&t.now.edges[at])
		if replies == nil {
			break
		}
		later, first := &s.later[c], replies.first
		for w, moves := range replies.moves[:words] {
			for rest := moves & later[w]; rest != 0; rest &= rest - 1 {
				t.learn(first+uint32(bits.OnesCount64(moves&(rest&-rest-1))), onePlayout+got)
			}
			first += uint32(bits.OnesCount64(moves))
		}
		c ^= 1
	}
}

// surely is the largest margin that counts.
const surely = 15

// rewards are the rewards of winners, by the number of moves they have left. Half a
// reward is even, and a win by one move is worth three quarters of a sure win. Playouts
// are too rough to decide a close game.
var rewards = func() (r [surely + 1]tally) {
	for margin := range r {
		lead := math.Tanh((float64(margin) + 0.5) / 4)
		r[margin] = tally(math.Round(reward * (0.75 + 0.25*lead)))
	}
	return r
}()

// prove takes a known result up the path, as in MCTS-Solver: a move is lost if it
// allows one won reply, and won if all replies are lost.
func (s *searcher) prove() {
	edges := s.tree.now.edges
	for i := len(s.path) - 2; i >= 0 && s.on.proofs; i-- {
		child, parent := edges[s.path[i+1]].known(), s.path[i]
		switch {
		case child == game.Won:
			s.tree.settle(parent, game.Lost)
		case child == game.Lost && allLost(s.tree.family(&edges[parent])):
			s.tree.settle(parent, game.Won)
		default:
			return
		}
	}
}

func allLost(family []edge) bool {
	for i := range family {
		if family[i].known() != game.Lost {
			return false
		}
	}
	return true
}
