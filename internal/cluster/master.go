// Package cluster solves NoGo on many machines. A master holds the upper tree of a search
// and gives its leaves out as jobs; workers solve them with warm tables, tell each other
// what they have learned, and come and go as they like. NATS carries jobs, results and
// facts; everything that is decided is in a file of the master's own.
//
// docs/cluster.md tells how it works and what is lost when what dies.
package cluster

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/solver"
	"tengen/internal/solver/sums"
	"tengen/nogo"
	"tengen/proof"
)

// Question is what a cluster is asked about a position of NoGo.
type Question struct {
	Position nogo.Position
	ToPlay   board.Colour
	EachMove bool // decide every legal move, not only the winner
	Proof    bool // put a certificate together
}

// Options are those of a master.
type Options struct {
	Access
	Listen   string       // where the server inside listens if there is no URL; "" is a free port of this machine
	Store    string       // file that keeps what is decided
	Joined   func(Access) // called when workers may come, with how they get there
	Share    uint64       // nodes from which workers tell each other what they found; 0 is the default
	Budgets  tree.Budgets // zero for the default
	Progress func(Status)
	Log      *slog.Logger

	lines int // of every job of a list, for tests; 0 is as many as take half a second
}

// Answer is what came of a question.
type Answer struct {
	Winner      board.Colour
	Moves       []Move // with EachMove
	Certificate *proof.Certificate
	Nodes       uint64  // searched by jobs, over all runs
	ErrorBound  float64 // probability that a table mistook one position for another, at most
	Seconds     float64
	Jobs        uint64
	Positions   int // of the upper tree
	Epoch       int // how often answers were taken back
	Banned      []string
}

// Move is a move and who wins after it.
type Move struct {
	Move   board.Point
	Winner board.Colour
}

// Takes reports whether a board can be solved by a cluster.
func Takes(size board.Size) bool { return sums.Takes(size) && min(size.Rows, size.Cols) > 1 }

const (
	// defaultShare has every fact travel: most of what a search looks up is small, and two
	// workers without it search a third more.
	defaultShare = 1
	// crowd is the square of the number of workers at which facts must cost two nodes to
	// travel. Every worker hears all others, so that the traffic grows with the square.
	crowd = 64
	// checkOne is how many answers there are for one that the master finds again itself;
	// only those that took it at most checkMost nodes. It gives up after twice as many, for
	// nobody gets a job meanwhile.
	checkOne  = 24
	checkMost = 200_000
	// mostDoubts is how often answers are taken back before the master gives up.
	mostDoubts = 8
)

// errDoubt ends a task whose answers contradict each other.
var errDoubt = errors.New("answers contradict each other")

// Solve answers a question with all workers that are there. When the context ends, what
// is decided is in the store, and the same call goes on from there.
func Solve(ctx context.Context, q Question, o Options) (Answer, error) {
	if !Takes(q.Position.Size) {
		return Answer{}, fmt.Errorf("a cluster solves boards of at least two rows and columns and at most 48 points, rows × (columns + 1) being at most 64, not %s; single rows are for solve nogo", q.Position.Size)
	}
	if err := q.Position.Validate(); err != nil {
		return Answer{}, err
	}
	m, err := begin(ctx, q.String(), o)
	if err != nil {
		return Answer{}, err
	}
	defer m.end()
	return m.solve(ctx, q)
}

// String tells questions apart.
func (q Question) String() string {
	each := ""
	if q.EachMove {
		each = ", each move"
	}
	return fmt.Sprintf("nogo %s, %s to play%s", q.Position, q.ToPlay, each)
}

// master is one question under way.
type master struct {
	*dispatcher
	store  *store
	about  about
	o      Options
	inside *Server
	nonce  string // of this run
	stop   func()
}

// begin opens the store and joins NATS.
func begin(ctx context.Context, question string, o Options) (*master, error) {
	o.complete()
	nonce := newName()
	s, a, err := openStore(o.Store, question, nonce)
	if err != nil {
		return nil, err
	}
	m := &master{store: s, about: a, o: o, nonce: nonce}
	if err := m.join(ctx); err != nil {
		m.leave()
		return nil, err
	}
	if o.Joined != nil {
		o.Joined(m.o.Access)
	}
	return m, nil
}

// complete puts defaults in.
func (o *Options) complete() {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Share == 0 {
		o.Share = defaultShare
	}
	if o.Budgets == (tree.Budgets{}) {
		o.Budgets = tree.Default
	}
}

// newName is one that nothing else has.
func newName() string {
	var name [6]byte
	_, _ = rand.Read(name[:])
	return hex.EncodeToString(name[:])
}

// join reaches NATS, or starts a server inside, and listens to workers.
func (m *master) join(ctx context.Context) (err error) {
	if m.o.URL == "" {
		if m.inside, err = m.serve(); err != nil {
			return err
		}
		m.o.URL = m.inside.URL()
	}
	h, err := connect(ctx, m.o.Access)
	if err != nil {
		return err
	}
	m.dispatcher = newDispatcher(h, m.about.Search, m.o.Log, m.o.Progress)
	for _, name := range m.about.Banned {
		m.banned[name] = true
	}
	m.nodes, m.jobs, m.error, m.before = m.about.Nodes, m.about.Jobs, m.about.Error, time.Duration(m.about.Seconds*float64(time.Second))
	listening, cancel := context.WithCancel(ctx)
	stop, err := m.listen(listening)
	m.stop = func() {
		cancel()
		if err == nil {
			stop()
		}
	}
	return err
}

// serve starts the server inside, where it was before if that is still free: workers of
// the run before may be waiting there.
func (m *master) serve() (*Server, error) {
	folder := m.o.Store + ".nats"
	if m.o.Listen != "" {
		return Listen(m.o.Listen, m.o.Token, folder)
	}
	if m.about.Port != 0 {
		if s, err := Listen(net.JoinHostPort("127.0.0.1", strconv.Itoa(m.about.Port)), m.o.Token, folder); err == nil {
			return s, nil
		}
	}
	s, err := Listen("127.0.0.1:0", m.o.Token, folder)
	if err != nil {
		return nil, err
	}
	m.about.Port = s.port()
	return s, m.store.note(m.about)
}

// leave gives everything back.
func (m *master) leave() {
	if m.stop != nil {
		m.stop()
	}
	if m.dispatcher != nil {
		m.hub.close()
	}
	if m.inside != nil {
		m.inside.Close()
	}
	m.store.close()
}

// end leaves everything as the next run wants to find it.
func (m *master) end() {
	if err := m.store.note(m.account()); err != nil {
		m.log.Warn("what was spent is not kept", "error", err)
	}
	m.leave()
}

// account is what the store is about, with what was spent until now.
func (m *master) account() about {
	m.about.Nodes, m.about.Jobs, m.about.Error, m.about.Seconds = m.nodes, m.jobs, m.error, m.spent().Seconds()
	return m.about
}

func (m *master) spent() time.Duration { return m.before + time.Since(m.began) }

func (m *master) solve(ctx context.Context, q Question) (Answer, error) {
	for {
		t, err := m.searching(q)
		if err != nil {
			return Answer{}, err
		}
		err = m.run(ctx, t)
		if err == nil {
			a := t.answer()
			if q.Proof {
				a.Certificate, err = m.prove(ctx, q, t, a.Winner)
			}
			if err == nil {
				a.Nodes, a.Jobs, a.ErrorBound, a.Seconds, a.Epoch = m.nodes, m.jobs, m.error, m.spent().Seconds(), m.about.Epoch
				a.Banned = m.about.Banned
				return a, nil
			}
		}
		if !errors.Is(err, errDoubt) {
			return Answer{}, err
		}
		if err := m.doubt(err); err != nil {
			return Answer{}, err
		}
	}
}

// share is the effort from which facts travel; none does when answers have been doubted.
func (m *master) share() uint64 {
	if m.about.Epoch > 0 {
		return 0
	}
	workers := uint64(len(m.workers))
	return max(m.o.Share, 2*workers*workers/crowd)
}

// doubt takes all answers back: after a false one nobody knows what else is false, for
// facts travel. From now on they do not, so that the next false answer names its author.
func (m *master) doubt(why error) error {
	if m.about.Epoch == mostDoubts {
		return fmt.Errorf("answers contradict each other again and again, so none can be trusted: %w", why)
	}
	m.about.Epoch++
	m.log.Warn("all answers are taken back", "why", why, "epoch", m.about.Epoch)
	return m.store.doubt(m.account())
}

// ban sends a worker away for good.
func (m *master) ban(name, why string) {
	m.dispatcher.ban(name, why)
	m.about.Banned = slices.Sorted(maps.Keys(m.banned))
}

// searching is the task of deciding a position, or each of its moves: an upper tree for
// every root.
type searching struct {
	m        *master
	question Question
	size     board.Size
	roots    []Key
	trees    []*tree.Search[Key]
	decided  map[Key]tree.Outcome // by jobs, and by what jobs found on the way
	turns    map[Key]board.Symmetry
	checks   checker
}

func (m *master) searching(q Question) (*searching, error) {
	t := &searching{m: m, question: q, size: q.Position.Size, decided: map[Key]tree.Outcome{}, turns: map[Key]board.Symmetry{}, checks: checker{size: q.Position.Size, all: m.about.Epoch > 0}}
	t.roots = []Key{t.root(q.Position, q.ToPlay)}
	if moves := q.Position.Legal(q.ToPlay); q.EachMove && !moves.IsEmpty() {
		t.roots = nil
		for move := range moves.Points() {
			if k := t.root(played(q.Position, q.ToPlay, move), q.ToPlay.Opponent()); !slices.Contains(t.roots, k) {
				t.roots = append(t.roots, k)
			}
		}
	}
	for _, k := range t.roots {
		t.trees = append(t.trees, tree.NewSearch(k, m.o.Budgets))
	}
	return t, t.restore()
}

// root is the key of a position, whose orientation is kept.
func (t *searching) root(p nogo.Position, c board.Colour) Key {
	k := keyOf(p, c)
	t.turn(k, k.turnTo(p))
	return k
}

// turn keeps the orientation in which the search first came to a position.
func (t *searching) turn(k Key, turn board.Symmetry) {
	if _, ok := t.turns[k]; !ok {
		t.turns[k] = turn
	}
}

func played(p nogo.Position, c board.Colour, move board.Point) nogo.Position {
	p.Stones[c].Add(move)
	return p
}

// restore builds the trees of an earlier run again.
func (t *searching) restore() error {
	err := each(t.m.store, decidedBucket, func(text string, r record) error {
		var k Key
		if err := k.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("the store is damaged: %w", err)
		}
		t.decided[k] = tree.Outcome(r.Outcome)
		return nil
	})
	if err != nil {
		return err
	}
	opened := map[Key][]branch{}
	err = each(t.m.store, openedBucket, func(text string, moves []branch) error {
		var k Key
		if err := k.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("the store is damaged: %w", err)
		}
		opened[k] = moves
		return nil
	})
	if err != nil {
		return err
	}
	for i, s := range t.trees {
		s.Spent(t.m.nodes)
		todo := []Key{t.roots[i]}
		seen := map[Key]bool{}
		for len(todo) > 0 {
			k := todo[0]
			todo = todo[1:]
			if seen[k] {
				continue
			}
			seen[k] = true
			if outcome := t.decided[k]; outcome != tree.Unknown {
				s.Decide(k, outcome)
				continue
			}
			if moves, ok := opened[k]; ok {
				s.Expand(k, t.branches(moves))
				for _, b := range moves {
					todo = append(todo, b.Key)
				}
			}
		}
	}
	return nil
}

// branches are moves with all that is known of them now.
func (t *searching) branches(moves []branch) []tree.Branch[Key] {
	list := make([]tree.Branch[Key], len(moves))
	for i, b := range moves {
		t.turn(b.Key, b.Turn)
		list[i] = tree.Branch[Key]{Key: b.Key, Outcome: b.Outcome}
		if known := t.decided[b.Key]; known != tree.Unknown {
			list[i].Outcome = known
		}
	}
	return list
}

func (t *searching) ahead() int { return 0 }

func (t *searching) done() bool {
	for _, s := range t.trees {
		if s.Outcome() == tree.Unknown {
			return false
		}
	}
	return true
}

func (t *searching) next() (job, bool) {
	for _, s := range t.trees {
		for {
			next, ok := s.Next()
			if !ok {
				break
			}
			id := fmt.Sprintf("%s-%d", next.Key, t.m.about.Epoch)
			if t.m.sent[id] != nil {
				continue // another tree has sent it
			}
			j := job{ID: id, Kind: solving, Epoch: t.m.about.Epoch, Size: t.size.String(), Key: next.Key, Turn: t.turns[next.Key], Budget: next.Budget, Share: t.m.share()}
			return j, true
		}
	}
	return job{}, false
}

// take keeps a result and carries it into the trees.
func (t *searching) take(r result) (idle []string, err error) {
	if r.Epoch != t.m.about.Epoch || r.Kind != solving {
		return nil, nil
	}
	if r.Failure != "" {
		return nil, fmt.Errorf("worker %s cannot do a job: %s", r.Worker, r.Failure)
	}
	report := tree.Report[Key]{Key: r.Key, Outcome: r.Outcome, Opened: r.Opened}
	switch {
	case r.Outcome != tree.Unknown:
		if known := t.decided[r.Key]; known != tree.Unknown && known != r.Outcome {
			return nil, fmt.Errorf("%w: %s says %d of %s, which was %d before", errDoubt, r.Worker, r.Outcome, r.Key.Position(t.size), known)
		}
		if err := t.check(r); err != nil {
			return nil, err
		}
		t.decided[r.Key] = r.Outcome
		err = t.m.store.put(t.m.account(), decidedBucket, r.Key.String(), record{int8(r.Outcome), r.Nodes, r.Seconds, r.Worker, t.checks.chosen(r)})
	case r.Opened:
		if err := t.checkBranches(r); err != nil {
			return nil, err
		}
		report.Branches = t.branches(r.Branches)
		err = t.m.store.put(t.m.account(), openedBucket, r.Key.String(), r.Branches)
	}
	if err != nil {
		return nil, err
	}
	for _, s := range t.trees {
		s.Spent(r.Nodes)
		for _, k := range s.Done(report) {
			idle = append(idle, fmt.Sprintf("%s-%d", k, t.m.about.Epoch))
		}
	}
	slices.Sort(idle) // the same results lead to the same messages
	// A job that one tree does without may be another's.
	return slices.DeleteFunc(idle, func(id string) bool {
		s := t.m.sent[id]
		return s == nil || slices.ContainsFunc(t.trees, func(tr *tree.Search[Key]) bool { return tr.Needed(s.job.Key) })
	}), nil
}

// checkBranches makes sure that a worker has left no move out and invented none.
func (t *searching) checkBranches(r result) error {
	want := map[Key]bool{}
	for move := range r.Key.Position(t.size).Legal(r.Key.ToPlay).Points() {
		want[r.Key.After(t.size, move)] = true
	}
	for _, b := range r.Branches {
		if !want[b.Key] {
			return t.blame(r.Worker, fmt.Sprintf("it made up a move in %s", r.Key.Position(t.size)))
		}
		delete(want, b.Key)
	}
	// Moves whose regions are the same game stand for each other; those left out must be
	// no better than one that is there, which the certificate shows.
	return nil
}

// check finds one answer in so many again.
func (t *searching) check(r result) error {
	if !t.checks.chosen(r) {
		return nil
	}
	outcome, err := t.checks.again(r.Key)
	if err != nil || outcome == tree.Unknown || outcome == r.Outcome {
		return err
	}
	return t.blame(r.Worker, fmt.Sprintf("it answered %d for %s with %s to play, which is %d", r.Outcome, r.Key.Position(t.size), r.Key.ToPlay, outcome))
}

// blame bans a worker if its answers were its own, and has everything found again.
func (t *searching) blame(worker, why string) error {
	if t.m.about.Epoch > 0 || t.m.share() == 0 {
		t.m.ban(worker, why)
	}
	return fmt.Errorf("%w: %s: %s", errDoubt, worker, why)
}

func (t *searching) report(s *Status) {
	s.Question, s.Phase, s.Epoch, s.Decided = t.m.about.Question, "search", t.m.about.Epoch, len(t.decided)
	s.Whole = uint64(len(t.trees))
	s.Done = s.Done && !t.question.Proof // which follows
	t.found(s)
	for _, tr := range t.trees {
		s.Positions += tr.Len()
		if tr.Outcome() != tree.Unknown {
			s.Part++
			continue
		}
		if s.Line == "" {
			s.Chance = tr.Chance()
			s.Line = t.line(tr)
		}
	}
}

// found says what is decided of the position and of its moves.
func (t *searching) found(s *Status) {
	q := t.question
	s.Position, s.ToPlay = q.Position.String(), q.ToPlay.String()
	won := false
	for move := range q.Position.Legal(q.ToPlay).Points() {
		m := MoveStatus{Move: t.size.Name(move)}
		switch t.known(keyOf(played(q.Position, q.ToPlay, move), q.ToPlay.Opponent())) {
		case tree.Lost:
			m.Winner, won = q.ToPlay.String(), true
		case tree.Won:
			m.Winner = q.ToPlay.Opponent().String()
		}
		s.Moves = append(s.Moves, m)
	}
	switch {
	case won || t.known(keyOf(q.Position, q.ToPlay)) == tree.Won:
		s.Winner = q.ToPlay.String()
	case t.done():
		s.Winner = q.ToPlay.Opponent().String()
	}
}

// known is what any of the trees or a job has found of a position.
func (t *searching) known(k Key) tree.Outcome {
	for _, tr := range t.trees {
		if outcome := tr.Known(k); outcome != tree.Unknown {
			return outcome
		}
	}
	return t.decided[k]
}

// line spells the moves that look best from a root on.
func (t *searching) line(tr *tree.Search[Key]) string {
	var names []string
	at := t.roots[slices.Index(t.trees, tr)]
	for _, next := range tr.Line() {
		for move := range at.Position(t.size).Legal(at.ToPlay).Points() {
			if at.After(t.size, move) == next {
				names = append(names, t.size.Name(move))
				break
			}
		}
		at = next
		if len(names) == 8 {
			break
		}
	}
	return strings.Join(names, " ")
}

// answer reads the trees when all are decided.
func (t *searching) answer() Answer {
	a := Answer{}
	winner := func(k Key) board.Colour {
		for i, root := range t.roots {
			if root == k && t.trees[i].Outcome() == tree.Won {
				return k.ToPlay
			}
		}
		return k.ToPlay.Opponent()
	}
	for _, s := range t.trees {
		a.Positions += s.Len()
	}
	q := t.question
	if !q.EachMove {
		a.Winner = winner(t.roots[0])
		return a
	}
	a.Winner = q.ToPlay.Opponent()
	for move := range q.Position.Legal(q.ToPlay).Points() {
		w := winner(keyOf(played(q.Position, q.ToPlay, move), q.ToPlay.Opponent()))
		a.Moves = append(a.Moves, Move{move, w})
		if w == q.ToPlay {
			a.Winner = w
		}
	}
	return a
}

// checker finds answers again with a table that nobody else writes to.
type checker struct {
	size board.Size
	all  bool // not a sample: somebody has told lies

	nodes uint64 // that it took
	times int
}

// chosen reports whether an answer is to be found again. A sample does not depend on who
// answered, or when.
func (c *checker) chosen(r result) bool {
	if r.Nodes > checkMost {
		return false
	}
	sum := fnv.New32a()
	sum.Write([]byte(r.Key.String()))
	return c.all || sum.Sum32()%checkOne == 0
}

// again is the outcome, unknown if it takes too long.
func (c *checker) again(k Key) (tree.Outcome, error) {
	s, err := sums.New(c.size, sums.Options{Memory: 64 << 20, Threads: 1})
	if err != nil {
		return tree.Unknown, err
	}
	defer s.Close()
	found, err := s.SolveWithin(context.Background(), solver.Query{Position: k.Position(c.size), ToPlay: k.ToPlay}, 2*checkMost)
	c.nodes += s.Stats().Nodes
	c.times++
	switch {
	case errors.Is(err, solver.ErrBudget):
		return tree.Unknown, nil
	case err != nil:
		return tree.Unknown, err
	case found.Winner == k.ToPlay:
		return tree.Won, nil
	}
	return tree.Lost, nil
}
