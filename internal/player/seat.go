package player

import (
	"cmp"
	"context"
	"fmt"
	"math"
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

	// Level is the strength, from 1 to Levels. 0 is full strength, as Levels is.
	Level int
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

// seat is what players that search a tree have in common: the position at the root, who is
// asked first, the endgames, the clock and the pondering.
type seat struct {
	size      board.Size
	start     start
	position  nogo.Position // at the root
	perfect   *Player
	ends      *lockless.Table // of the endgames; nil without the solver
	lost      bool            // a solver says that the position at the root is lost
	lostBound float64         // bound of the error in that, if the perfect player said so
	stop      atomic.Bool
	enough    atomic.Bool // no move can catch up any more; the solver goes on
	done      atomic.Int64

	employed int // of the threads, if it is not 0

	ponder sync.WaitGroup
	rouse  context.CancelFunc // ends the pondering
}

// search is a tree search as a seat drives it; a thread is a number.
type search interface {
	threads() int
	simulate(thread int)
	open() bool   // another visit of the root is worth while
	single() bool // there is only one move
	lead() float64
	pace() pace
	solver(thread int) (e *endgame, asked *uint64) // nil if there is none, and the nodes it took
	winning(cell uint16)                           // the solver has found a move
}

// pace says after how many playouts a thread looks at the clock and at how far the best
// move is ahead, and how many there are if there is only one move.
type pace struct{ clock, lead, single int }

func newSeat(size board.Size, perfect *Player) seat {
	return seat{size: size, start: start{terrain: newTerrain(size)}, perfect: perfect, rouse: func() {}}
}

// Employ lets only so many threads think from now on. It is not for use while Move is.
func (m *seat) Employ(threads int) { m.employed = max(1, threads) }

// ask settles the budget and reports whether a move needs no search.
func (m *seat) ask(ctx context.Context, p nogo.Position, c board.Colour, b *Budget) (Choice, bool, error) {
	m.done.Store(0)
	if b.Level < 0 || b.Level > Levels {
		return Choice{}, true, fmt.Errorf("there is no level %d: levels are 1 to %d", b.Level, Levels)
	}
	if p.Size != m.size {
		return Choice{}, true, fmt.Errorf("a player on %s was asked for a move on %s", m.size, p.Size)
	}
	if p.Legal(c).IsEmpty() {
		return Choice{}, true, ErrNoMove
	}
	*b = b.settled()
	if b.ease() != nil {
		m.lost, m.lostBound = false, 0
		return Choice{}, false, nil
	}
	choice, ok := m.perfectly(ctx, p, c, *b)
	return choice, ok, nil
}

// At the root the solver may take half of the thinking if there are at most likelyPoints
// candidates, for then it usually decides, and an eighth otherwise. A node of it costs
// about a third of a playout by lot.
const likelyPoints = 26

// limits divides a budget. A playout costs so many times what one by lot does.
func (m *seat) limits(b Budget, begin time.Time, haste bool, cost int) limits {
	l := limits{playouts: b.Playouts, haste: haste && !b.All, alone: b.ease() != nil}
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

// limits of the thinking; zero fields are none.
type limits struct {
	deadline   time.Time
	playouts   int
	solve      int // nodes of the solver at the root
	solveUntil time.Time
	alone      bool // one thread is enough, and plays the same every time
	haste      bool // stop as soon as no move can catch up with the most visited
}

// perfectly asks the perfect player, who may use half of the time.
func (m *seat) perfectly(ctx context.Context, p nogo.Position, c board.Colour, b Budget) (Choice, bool) {
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

// background thinks until the context ends or the seat is woken.
func (m *seat) background(ctx context.Context, p nogo.Position, c board.Colour, think func(context.Context)) {
	if p.Size != m.size || p.Legal(c).IsEmpty() {
		return
	}
	ctx, m.rouse = context.WithCancel(ctx)
	m.ponder.Go(func() { think(ctx) })
}

// wake ends the pondering and waits for it.
func (m *seat) wake() {
	m.rouse()
	m.ponder.Wait()
}

// Done is the number of playouts of the thinking under way, or of the last one. It
// may be asked from any goroutine.
func (m *seat) Done() int { return int(m.done.Load()) }

// between are the moves that lead from the root to a position, two at most: the order
// of more could not be told.
func (m *seat) between(p nogo.Position, c board.Colour) (path []uint16, ok bool) {
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
// catch up with the best within the limits. If there is only one move, a few playouts
// are enough to tell the chances.
func (m *seat) think(ctx context.Context, l limits, s search) {
	if few := s.pace().single; s.single() && (l.playouts == 0 || l.playouts > few) {
		l.playouts = few
	}
	m.stop.Store(false)
	m.enough.Store(false)
	m.done.Store(0)
	defer solver.Watch(ctx, &m.stop)()
	threads := min(cmp.Or(m.employed, s.threads()), s.threads())
	if l.alone {
		threads = 1
	}
	var others sync.WaitGroup
	for i := 1; i < threads; i++ {
		others.Go(func() { m.work(i, l, s) })
	}
	m.solve(l, s)
	m.work(0, l, s)
	others.Wait()
}

// solve tries to decide the root. A win ends the thinking; a loss is noted, and
// the tree looks for the move that makes it hardest.
func (m *seat) solve(l limits, s search) {
	g := &m.start
	e, asked := s.solver(0)
	if e == nil || g.sheet == nil || l == (limits{}) || !s.open() {
		return
	}
	e.until = l.solveUntil
	known, move := e.decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, l.solve)
	e.until = time.Time{}
	*asked += e.nodes
	m.lost = m.lost || known == Lost
	if known == Won {
		s.winning(move)
	}
}

// work is one thread.
func (m *seat) work(thread int, l limits, s search) {
	if e, _ := s.solver(thread); e != nil {
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
		if i%pace.clock == 0 && !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
			return
		}
		if i%pace.lead == 0 && l.haste {
			rate := float64(m.done.Load()-before) / time.Since(begin).Seconds()
			if s.lead() > m.left(l, rate) {
				m.enough.Store(true)
			}
		}
	}
}

// left is how many playouts there will be within the limits, at a rate per second.
func (m *seat) left(l limits, rate float64) float64 {
	left := math.Inf(1)
	if l.playouts > 0 {
		left = float64(l.playouts) - float64(m.done.Load())
	}
	if !l.deadline.IsZero() {
		left = min(left, rate*time.Until(l.deadline).Seconds())
	}
	return left
}
