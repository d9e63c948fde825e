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
	"tengen/game"
	"tengen/internal/lockless"
	"tengen/internal/net"
	"tengen/internal/solver"
	"tengen/internal/yield"
	"tengen/nogo"
)

// Budget limits the search for one move. A zero field means no such limit. If all are zero,
// DefaultTime applies.
type Budget struct {
	Time     time.Duration
	Playouts int

	// All says to use the whole budget even if the choice can no longer change. An analysis
	// does that: it goes on searching, or needs the other moves too.
	All bool

	// Level is the strength, from 1 to Levels. Both 0 and Levels mean full strength.
	Level int
}

// DefaultTime is the time for a move if the budget has no limit.
const DefaultTime = time.Second

// settled is the budget, with DefaultTime if it has no limit.
func (b Budget) settled() Budget {
	if b.Time <= 0 && b.Playouts <= 0 {
		b.Time = DefaultTime
	}
	return b
}

// switches are the parts of a tree search that can be switched off. Network has some of them.
type switches struct {
	rave, priors, reuse, proofs, solver, phases, spending, appraisal, haste, transpositions bool
}

// TreeOptions of a player by tree search. The zero value is usable.
type TreeOptions struct {
	Seed    uint64
	Threads int   // 0 for one for each processor
	Memory  int64 // bytes; 0 for DefaultTreeMemory
	Without []string

	// Path names the instructions with which Network evaluates; "" for the fastest.
	Path net.Path

	// Perfect, if not nil, is asked first. The search answers the rest.
	Perfect *Player
}

// DefaultTreeMemory has room for about ten seconds of search.
const DefaultTreeMemory = 512 << 20

// treePlayer is the code that MCTS and Network share: the position at the root, the perfect
// player that is asked first, the endgames, the clock, the pondering and the choice.
type treePlayer struct {
	search   search
	on       switches
	size     board.Size
	start    start
	position nogo.Position // at the root
	perfect  *Player
	ends     *lockless.Table // of the endgames; nil without the solver

	lost      bool    // a solver says that the position at the root is lost
	lostBound float64 // bound of the error in that, if the perfect player said so
	stop      atomic.Bool
	enough    atomic.Bool // no move can catch up any more; the solver goes on
	done      atomic.Int64

	mostThreads int // 0 for all

	ponder sync.WaitGroup
	rouse  context.CancelFunc // ends the pondering
}

// search is a tree search that a treePlayer runs. Threads and positions are numbers.
type search interface {
	threads() int
	pace() pace
	endgame(thread int) (e *endgame, asked *uint64) // nil without the solver; the nodes it took

	reroot(path []uint16, follows, keep bool) // makes start the root; path leads there from the old one
	run(ctx context.Context, l limits, b Budget)
	simulate(thread int)
	open() bool                           // another visit of the root is worth while
	settle(cell uint16, known game.Known) // notes the result of a move at the root, for the side that makes it
	root() uint32                         // the position at the root
	replies(position uint32) []reply      // the moves of a position
	bound() float64                       // the chance that two positions have the same key, at most
	lot() random                          // for a level that draws its move
	release()
}

// reply is a move in the tree.
type reply struct {
	cell   uint16
	known  game.Known // for the side that makes the move
	visits int
	prior  float64
	share  float64 // of the visits that were won, or the chance of the position without any
	after  uint32  // the position that it leads to
}

// better orders replies, the best first: a won move before an open one, an open one before
// a lost one, then by visits and priors.
func better(a, b reply) int {
	rank := [...]int{game.Unknown: 1, game.Won: 2, game.Lost: 0}
	return cmp.Or(cmp.Compare(rank[b.known], rank[a.known]), cmp.Compare(b.visits, a.visits), cmp.Compare(b.prior, a.prior))
}

// pace holds the costs of a playout. clock is the number of playouts between two looks at
// the clock, lead the number between two checks of the best move's lead, and single the
// number of playouts if there is only one move. cost is the cost in random playouts.
// priorVisits is the number of visits that a prior counts for when a level draws a move.
type pace struct {
	clock, lead, single, cost int
	priorVisits               float64
}

// playoutsPerEvaluation is the cost of an evaluation by the network, in random playouts.
const playoutsPerEvaluation = 30

// init prepares everything but the search itself.
func (m *treePlayer) init(name string, s search, features []solver.Feature, size board.Size, o *TreeOptions) error {
	m.search, m.size, m.perfect, m.rouse = s, size, o.Perfect, func() {}
	m.start = start{terrain: newTerrain(size)}
	if err := solver.Switch(name, features, o.Without); err != nil {
		return err
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = DefaultTreeMemory
	}
	if !m.on.solver {
		return nil
	}
	ends, err := lockless.New(o.Memory / 4)
	m.ends = ends
	return err
}

// newEndgame is an endgame search for one thread, nil without the solver.
func (m *treePlayer) newEndgame() *endgame {
	if m.ends == nil {
		return nil
	}
	return newEndgame(m.ends, &m.stop)
}

// SetThreads limits the threads of the next searches. It must not be called during Move.
func (m *treePlayer) SetThreads(threads int) { m.mostThreads = max(1, threads) }

// Move searches within a budget. If the context ends first, it returns the best move so
// far.
func (m *treePlayer) Move(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (game.Choice, error) {
	begin := time.Now()
	m.wake()
	if choice, done, err := m.ask(ctx, p, c, &b); done {
		return choice, err
	}
	ease, pace := b.ease(), m.search.pace()
	ease.limit(&b, playoutsPerEvaluation/pace.cost)
	m.enter(p, c, ease)
	m.search.run(ctx, m.limits(b, begin), b)
	choice := m.choice()
	if ease != nil {
		ease.draw(&choice, func(s game.MoveStats) float64 { return float64(s.Visits) + pace.priorVisits*s.Prior }, m.search.lot())
	}
	return choice, nil
}

// Ponder searches a position in the background until the context ends, or Move, Ponder or
// Close is called.
func (m *treePlayer) Ponder(ctx context.Context, p nogo.Position, c board.Colour) {
	m.wake()
	if !m.on.reuse || p.Size != m.size || p.Legal(c).IsEmpty() {
		return
	}
	ctx, m.rouse = context.WithCancel(ctx)
	m.ponder.Go(func() {
		m.enter(p, c, nil)
		m.think(ctx, limits{})
	})
}

// Close ends the pondering and frees the memory.
func (m *treePlayer) Close() error {
	m.wake()
	m.search.release()
	if m.ends != nil {
		m.ends.Close()
		m.ends = nil
	}
	return nil
}

// enter makes a position the root. The search keeps its tree only for full strength.
func (m *treePlayer) enter(p nogo.Position, c board.Colour, ease *level) {
	path, follows := m.between(p, c)
	m.position = p
	m.start.enter(p, c)
	switch {
	case ease != nil:
		m.start.sheet = nil
	case m.ends != nil:
		m.start.lay()
	}
	m.search.reroot(path, follows, m.on.reuse && ease == nil)
}

// ask settles the budget and returns true if the move needs no search.
func (m *treePlayer) ask(ctx context.Context, p nogo.Position, c board.Colour, b *Budget) (game.Choice, bool, error) {
	m.done.Store(0)
	if b.Level < 0 || b.Level > Levels {
		return game.Choice{}, true, fmt.Errorf("there is no level %d: levels are 1 to %d", b.Level, Levels)
	}
	if p.Size != m.size {
		return game.Choice{}, true, fmt.Errorf("a player on %s was asked for a move on %s", m.size, p.Size)
	}
	if p.Legal(c).IsEmpty() {
		return game.Choice{}, true, ErrNoMove
	}
	*b = b.settled()
	if b.ease() != nil {
		m.lost, m.lostBound = false, 0
		return game.Choice{}, false, nil
	}
	choice, ok := m.perfectly(ctx, p, c, *b)
	return choice, ok, nil
}

// At the root the solver may take half of the budget if there are at most likelyPoints
// candidates, because then it usually decides the position. Otherwise it may take an
// eighth. A node of it costs about a third of a random playout.
const likelyPoints = 26

// limits divides a budget.
func (m *treePlayer) limits(b Budget, begin time.Time) limits {
	l := limits{playouts: b.Playouts, haste: m.on.haste && !b.All, alone: b.ease() != nil}
	cost := m.search.pace().cost
	share, nodes := time.Duration(8), cost*b.Playouts/4
	if len(m.start.candidates) <= likelyPoints {
		share, nodes = 2, 2*cost*b.Playouts
	}
	if b.Playouts > 0 {
		l.solve = max(nodes, 1)
	}
	if b.Time > 0 {
		l.deadline, l.solveUntil = begin.Add(b.Time), begin.Add(b.Time/share)
	}
	return l
}

// limits are the limits of a search; a zero field means no limit.
type limits struct {
	deadline   time.Time
	playouts   int
	solve      int // nodes of the solver at the root
	solveUntil time.Time
	alone      bool // one thread is enough, and plays the same every time
	haste      bool // stop as soon as no move can catch up with the most visited
}

// perfectly asks the perfect player, which may use half of the time.
func (m *treePlayer) perfectly(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (game.Choice, bool) {
	m.lost, m.lostBound = false, 0
	if m.perfect == nil {
		return game.Choice{}, false
	}
	m.perfect.Think = b.Time / 2
	choice, err := m.perfect.Move(ctx, p, c)
	if err != nil {
		return game.Choice{}, false
	}
	// A certificate shows that a position is lost, but not which move resists best.
	m.lost, m.lostBound = choice.Known == game.Lost, choice.ErrorBound
	return choice, choice.Known == game.Won || m.lost && choice.Source == game.FromSearch
}

// wake ends the pondering and waits for it.
func (m *treePlayer) wake() {
	m.rouse()
	m.ponder.Wait()
}

// Done is the number of playouts of the present search, or of the last one. Any goroutine
// may call it.
func (m *treePlayer) Done() int { return int(m.done.Load()) }

// between are the moves that lead from the root to a position, two at most. For more moves
// the order would be unknown.
func (m *treePlayer) between(p nogo.Position, c board.Colour) (path []uint16, ok bool) {
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

// think runs all threads until a limit is reached, the root is decided, or no move can
// catch up with the best within the limits. If there is only one move, a few playouts are
// enough to estimate the chances.
func (m *treePlayer) think(ctx context.Context, l limits) {
	s := m.search
	if few := s.pace().single; len(s.replies(s.root())) == 1 && (l.playouts == 0 || l.playouts > few) {
		l.playouts = few
	}
	m.stop.Store(false)
	m.enough.Store(false)
	m.done.Store(0)
	defer solver.Watch(ctx, &m.stop)()
	threads := min(cmp.Or(m.mostThreads, s.threads()), s.threads())
	if l.alone {
		threads = 1
	}
	var others sync.WaitGroup
	for i := 1; i < threads; i++ {
		others.Go(func() { m.work(i, l) })
	}
	m.solve(l)
	m.work(0, l)
	others.Wait()
}

// solve tries to decide the root. A win ends the search. A loss is noted, and the tree
// search looks for the move that makes it hardest.
func (m *treePlayer) solve(l limits) {
	g := &m.start
	e, asked := m.search.endgame(0)
	if e == nil || g.sheet == nil || l == (limits{}) || !m.search.open() {
		return
	}
	e.until = l.solveUntil
	known, move := e.decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, l.solve)
	e.until = time.Time{}
	*asked += e.nodes
	m.lost = m.lost || known == game.Lost
	if known == game.Won {
		m.search.settle(move, game.Won)
	}
}

// work runs one thread.
func (m *treePlayer) work(thread int, l limits) {
	s := m.search
	if e, _ := s.endgame(thread); e != nil {
		e.until = l.deadline
		defer func() { e.until = time.Time{} }()
	}
	pace, begin, before := s.pace(), time.Now(), m.done.Load()
	for i := 1; !m.stop.Load() && !m.enough.Load() && s.open(); i++ {
		if done := m.done.Add(1); l.playouts > 0 && done > int64(l.playouts) {
			m.done.Add(-1)
			return
		}
		s.simulate(thread)
		yield.Now()
		if i%pace.clock == 0 && !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
			return
		}
		if i%pace.lead == 0 && l.haste {
			rate := float64(m.done.Load()-before) / time.Since(begin).Seconds()
			if float64(m.lead()) > m.left(l, rate) {
				m.enough.Store(true)
			}
		}
	}
}

// left is the number of playouts that remain within the limits, at a rate per second.
func (m *treePlayer) left(l limits, rate float64) float64 {
	left := math.Inf(1)
	if l.playouts > 0 {
		left = float64(l.playouts) - float64(m.done.Load())
	}
	if !l.deadline.IsZero() {
		left = min(left, rate*time.Until(l.deadline).Seconds())
	}
	return left
}

// lead is the number of visits by which the most visited move is ahead of the next.
func (m *treePlayer) lead() int {
	first, second := 0, 0
	for _, r := range m.search.replies(m.search.root()) {
		if r.known != game.Lost {
			first, second = max(first, r.visits), max(second, min(first, r.visits))
		}
	}
	return first - second
}

// choice is the move to play after a search: one that is known to win, or else the most
// visited of those that are not known to lose.
func (m *treePlayer) choice() game.Choice {
	replies := m.search.replies(m.search.root())
	slices.SortStableFunc(replies, better)
	ch := game.Choice{Source: game.FromPlayouts, Playouts: m.Done()}
	for _, r := range replies {
		ch.Moves = append(ch.Moves, game.MoveStats{
			Move: m.start.point(r.cell), Visits: r.visits, WinShare: r.share, Prior: r.prior, Known: r.known, Line: m.line(r),
		})
	}
	best := ch.Moves[0]
	ch.Move, ch.WinShare, ch.Line, ch.Known = best.Move, best.WinShare, best.Line, best.Known
	if m.lost {
		ch.Known = game.Lost
	}
	if ch.Known != game.Unknown {
		ch.Source = game.FromSearch
	}
	if ch.Known != game.Unknown || slices.ContainsFunc(ch.Moves, func(m game.MoveStats) bool { return m.Known != game.Unknown }) {
		ch.ErrorBound = m.errorBound()
	}
	return ch
}

// line is the principal variation from a move on, ten moves at most.
func (m *treePlayer) line(r reply) []board.Point {
	const enough = 10
	line := []board.Point{m.start.point(r.cell)}
	for len(line) < enough {
		replies := m.search.replies(r.after)
		if len(replies) == 0 {
			break
		}
		if r = slices.MinFunc(replies, better); r.visits == 0 {
			break
		}
		line = append(line, m.start.point(r.cell))
	}
	return line
}

// errorBound bounds the probability that a known result of the search is wrong.
func (m *treePlayer) errorBound() float64 {
	bound := m.search.bound()
	for i := range m.search.threads() {
		_, asked := m.search.endgame(i)
		bound += endgameBound(*asked, m.ends)
	}
	if m.lost {
		bound += m.lostBound
	}
	return bound
}
