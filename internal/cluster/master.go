// Package cluster solves NoGo on many machines. A master holds the upper tree of a search
// and sends its leaves out as jobs. Workers solve them, keep their transposition tables from
// job to job and share what they find. They may join and leave at any time. NATS carries
// jobs, results and facts. The master keeps all decided positions in its own file.
//
// docs/cluster.md explains how it works and what a failure costs.
package cluster

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/solver"
	"tengen/internal/wholefile"
	"tengen/nogo"
	"tengen/proof"
)

// Question asks who wins a position of NoGo.
type Question struct {
	Position nogo.Position
	ToPlay   board.Colour
	EachMove bool // decide every legal move, not only the winner
	Proof    bool // make a certificate
}

// Options are those of a master.
type Options struct {
	Access
	Listen   string       // address of the server inside if there is no URL; "" is a free port of this machine
	Store    string       // file of all decided positions
	Joined   func(Access) // called when workers can join, with how to reach the server
	Share    uint64       // nodes that a fact must have cost to be shared; 0 is the default
	Budgets  tree.Budgets // zero for the default
	Progress func(Status)
	Log      *slog.Logger

	lines int // of every job of a list, for tests; 0 chooses half a second of work
	check int // one claim in this many is checked, for tests; 0 is the default
}

// Answer is the answer to a question.
type Answer struct {
	Winner      board.Colour
	Moves       []Move // with EachMove
	Certificate *proof.Certificate
	Nodes       uint64  // searched by jobs, over all runs
	ErrorBound  float64 // probability that a table mistook one position for another, at most
	Checks      Checks  // the claims that the answer rests on, unless there is a certificate
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

const (
	// defaultShare shares every fact. Most of the facts that a search looks up are small:
	// two workers that keep small ones to themselves search a third more.
	defaultShare = 1
	// crowd is the square of the number of workers from which a fact must cost two nodes to
	// be shared. Every worker receives the facts of all others, so traffic grows with the
	// square.
	crowd = 64
	// mostDoubts is how often all answers are taken back before the master gives up.
	mostDoubts = 8
)

// doubt ends a task because an answer was false, or answers contradict each other.
type doubt struct {
	why string
	// liar is the worker whose answers alone are taken back. It is "" if answers of other
	// workers may be false because of it.
	liar string
}

func (d *doubt) Error() string { return "answers contradict each other: " + d.why }

// Solve answers a question with all workers that join. When the context ends, all decided
// positions are in the store, and the same call continues from there.
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

// String identifies a question.
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
	nonce  string // of this run, or this attempt after a doubt
	stop   func()

	removeToken func() // removes the file of the token
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

// complete fills in defaults.
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

// newName makes a name that nothing else has.
func newName() string {
	var name [6]byte
	_, _ = rand.Read(name[:])
	return hex.EncodeToString(name[:])
}

// join connects to NATS, or starts a server inside, and listens to workers.
func (m *master) join(ctx context.Context) (err error) {
	if m.o.URL == "" {
		if m.inside, err = m.serve(); err != nil {
			return err
		}
		m.o.URL = m.inside.URL()
		m.handToken()
	}
	h, err := connect(ctx, m.o.Access)
	if err != nil {
		return err
	}
	h.inside = m.inside
	m.dispatcher = newDispatcher(h, m.about.Search, m.o.Log, m.o.Progress)
	m.together = m.store.together
	m.judge, m.refutation = m.blame, m.refutes
	m.examiner.sample.one = cmp.Or(m.o.check, checkOne)
	for _, name := range m.about.Banned {
		m.banned[name] = true
	}
	m.nodes, m.jobs, m.errorBound, m.before = m.about.Nodes, m.about.Jobs, m.about.Error, time.Duration(m.about.Seconds*float64(time.Second))
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

// serve starts the server inside, on the port of the last run if that is still free: workers
// of that run may be waiting there.
func (m *master) serve() (*Server, error) {
	folder := m.o.Store + ".nats"
	if m.o.Listen != "" {
		if host, _, err := net.SplitHostPort(m.o.Listen); err == nil && isLoopback(host) {
			m.makeToken()
		}
		return Listen(m.o.Listen, m.o.Token, folder)
	}
	m.makeToken()
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

// makeToken makes a token for the server inside if none is given.
func (m *master) makeToken() {
	if m.o.Token == "" {
		m.o.Token, m.o.Left = newToken(), true
	}
}

// handToken writes the token that was made to a file for other commands of this user.
func (m *master) handToken() {
	if !m.o.Left {
		return
	}
	remove, err := leaveToken(wholefile.Disk{}, m.inside.port(), m.o.Token)
	if err != nil {
		m.o.Left = false
		m.o.Log.Warn("only workers of this master can join: the token cannot be written for others", "error", err)
		return
	}
	m.removeToken = remove
}

// leave closes everything.
func (m *master) leave() {
	if m.stop != nil {
		m.stop()
	}
	if m.dispatcher != nil {
		m.examiner.close()
		m.hub.close()
	}
	if m.removeToken != nil {
		m.removeToken()
	}
	if m.inside != nil {
		m.inside.Close()
	}
	m.store.close()
}

// end notes in the store what was spent, and closes everything.
func (m *master) end() {
	if err := m.store.note(m.account()); err != nil {
		m.log.Warn("the time and nodes spent are not kept", "error", err)
	}
	m.leave()
}

// account is the header of the store, with what was spent until now.
func (m *master) account() about {
	m.about.Nodes, m.about.Jobs, m.about.Error, m.about.Seconds = m.nodes, m.jobs, m.errorBound, m.spent().Seconds()
	return m.about
}

func (m *master) spent() time.Duration { return m.before + time.Since(m.began) }

func (m *master) solve(ctx context.Context, q Question) (Answer, error) {
	for {
		a, err := m.attempt(ctx, q)
		if err == nil {
			return a, nil
		}
		if err := m.recover(err); err != nil {
			return Answer{}, err
		}
	}
}

// attempt answers a question unless a worker lies.
func (m *master) attempt(ctx context.Context, q Question) (Answer, error) {
	t, err := m.searching(q)
	if err != nil {
		return Answer{}, err
	}
	defer t.close()
	if err := m.run(ctx, t); err != nil {
		return Answer{}, err
	}
	a := t.answer()
	if q.Proof {
		if a.Certificate, err = m.prove(ctx, q, t, a.Winner); err != nil {
			return Answer{}, err
		}
	}
	a.Nodes, a.Jobs, a.ErrorBound, a.Seconds, a.Epoch = m.nodes, m.jobs, m.errorBound, m.spent().Seconds(), m.about.Epoch
	a.Banned, a.Checks = m.about.Banned, m.examiner.checks()
	if q.Proof && !q.EachMove {
		a.ErrorBound = 0 // the certificate was checked without any table
	}
	return a, nil
}

// share is how many nodes a fact must have cost to be shared.
func (m *master) share() uint64 {
	workers := uint64(len(m.workers))
	return max(m.o.Share, 2*workers*workers/crowd)
}

// alone reports whether workers import no facts of others. So it is once answers were taken
// back: then a false answer is its worker's own. The master still compares facts.
func (m *master) alone() bool { return m.about.Epoch > 0 }

// recover takes back the answers in doubt, so that the search can continue. It returns any
// error that is no doubt. While facts are shared, any answer may be false, so all are taken
// back. From then on workers import no facts, and the next false answer is its worker's own.
func (m *master) recover(err error) error {
	var d *doubt
	m.nonce = newName() // jobs of the next attempt have other names
	switch {
	case !errors.As(err, &d):
		return err
	case d.liar != "":
		m.log.Warn("answers of a worker are taken back", "worker", d.liar, "why", d.why)
		return m.store.disown(m.account(), d.liar)
	case m.about.Epoch == mostDoubts:
		return fmt.Errorf("answers contradict each other again and again, so none can be trusted: %w", err)
	}
	m.about.Epoch++
	m.log.Warn("all answers are taken back", "why", d.why, "epoch", m.about.Epoch)
	return m.store.doubt(m.account())
}

// ban bans a worker, in later runs as well.
func (m *master) ban(name, why string) {
	m.dispatcher.ban(name, why)
	if !slices.Contains(m.about.Banned, name) {
		m.about.Banned = append(slices.Clone(m.about.Banned), name)
		slices.Sort(m.about.Banned)
	}
}

// blame decides what follows from a lie. While workers import facts, it may come from a fact
// of another worker. So nobody is banned, but all answers are taken back.
func (m *master) blame(l lie) error {
	if !m.alone() {
		return &doubt{why: fmt.Sprintf("%s: %s", l.worker, l.why)}
	}
	return m.convict(l)
}

// convict bans a worker that has certainly lied. If others have imported its facts, all
// answers are taken back.
func (m *master) convict(l lie) error {
	m.ban(l.worker, l.why)
	d := &doubt{why: fmt.Sprintf("%s: %s", l.worker, l.why)}
	if m.alone() {
		d.liar = l.worker
	}
	return d
}

// refutes says what follows if workers refute a slice of a proof. Something above the slice
// is false, or they lie. Once workers do not listen to each other, the master finds out
// which, within the nodes of a job. Otherwise two that lie could have all answers taken back
// again and again.
func (m *master) refutes(j job, workers []string, why string) error {
	d := &doubt{why: why}
	if !m.alone() || j.Proof == nil {
		return d
	}
	if holds, err := m.holds(j); err != nil {
		return err
	} else if !holds {
		return d
	}
	for _, name := range workers {
		m.ban(name, "it refuted a slice of a proof that holds")
		if err := m.store.disown(m.account(), name); err != nil {
			return err
		}
		d.liar = name
	}
	return d
}

// holds reports whether all positions of a slice are won, as far as the master can find out.
func (m *master) holds(j job) (bool, error) {
	size, err := j.board()
	if err != nil {
		return false, err
	}
	x, err := j.Proof.extraction(size, 1)
	if err != nil {
		return false, err
	}
	s, err := openSearch(size, 4*checkMemory, 1)
	if err != nil {
		return false, err
	}
	defer s.Close()
	most := cmp.Or(m.o.Budgets.Most, tree.Default.Most)
	for _, code := range unpackCodes(j.Proof.Positions) {
		spent := s.Stats().Nodes
		if spent >= most {
			return false, nil
		}
		outcome, err := find(context.Background(), s, size, Key{x.Position(code).Small(), j.Proof.Winner}, most-spent)
		if err != nil || outcome != tree.Won {
			return false, err
		}
	}
	return true, nil
}

// searching is the task of deciding a position, or each of its moves: an upper tree for
// every root.
type searching struct {
	m        *master
	question Question
	size     board.Size
	roots    []Key
	trees    []*tree.Search[Key]
	decided  map[Key]tree.Outcome // by jobs, and by their results on the way
	turns    map[Key]board.Symmetry
	outliner solver.Shared // finds out which moves lead to the same sum
}

func (m *master) searching(q Question) (*searching, error) {
	t := &searching{m: m, question: q, size: q.Position.Size, decided: map[Key]tree.Outcome{}, turns: map[Key]board.Symmetry{}}
	if err := m.examiner.begin(m.alone(), table{m.search, m.about.Epoch, t.size}.String(), t.size); err != nil {
		return nil, err
	}
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

// root is the key of a position. Its orientation is kept.
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

// restore rebuilds the trees of an earlier run.
func (t *searching) restore() error {
	err := each(t.m.store, decidedBucket, func(text string, r record) error {
		var k Key
		if err := k.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("the store is damaged: %w", err)
		}
		t.decided[k] = tree.Outcome(r.Outcome)
		t.examine(k, t.decided[k], r.Worker)
		return nil
	})
	if err != nil {
		return err
	}
	opened := map[Key][]branch{}
	err = each(t.m.store, openedBucket, func(text string, o opening) error {
		var k Key
		if err := k.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("the store is damaged: %w", err)
		}
		opened[k] = o.Branches
		t.examineBranches(o.Branches, o.Worker)
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

// examine has a sample of the decided positions checked. The answer to the question itself is
// always checked, if that is cheap.
func (t *searching) examine(k Key, o tree.Outcome, worker string) {
	t.m.examiner.examine(claim{t.size, k, o, worker, slices.Contains(t.roots, k)})
}

func (t *searching) examineBranches(moves []branch, worker string) {
	for _, b := range moves {
		if b.Outcome != tree.Unknown {
			t.m.examiner.examine(claim{t.size, b.Key, b.Outcome, worker, false})
		}
	}
}

// branches are moves with their outcomes as far as they are known now.
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
	return !slices.ContainsFunc(t.trees, func(s *tree.Search[Key]) bool { return s.Outcome() == tree.Unknown })
}

func (t *searching) next() (job, bool) {
	for _, s := range t.trees {
		for {
			next, ok := s.Next()
			if !ok {
				break
			}
			id := t.id(next.Key)
			if t.m.sent[id] != nil {
				continue // another tree has sent it
			}
			j := job{ID: id, Kind: solving, Epoch: t.m.about.Epoch, Size: t.size.String(), Key: next.Key, Turn: t.turns[next.Key], Budget: next.Budget, Share: t.m.share(), Alone: t.m.alone()}
			return j, true
		}
	}
	return job{}, false
}

// id is the name of the job of a position.
func (t *searching) id(k Key) string { return fmt.Sprintf("%s-%d", k, t.m.about.Epoch) }

// news reports whether a result that nobody waits for decides a position, or opens a leaf. A
// job that was sent twice can be decided by one worker after the other has opened it.
func (t *searching) news(r result) bool {
	return r.Kind == solving && r.ID == t.id(r.Key) && slices.ContainsFunc(t.trees, func(s *tree.Search[Key]) bool {
		return r.Outcome != tree.Unknown && s.Undecided(r.Key) || r.Opened && s.Open(r.Key)
	})
}

// take keeps a result and carries it into the trees.
func (t *searching) take(r result) (idle []string, err error) {
	if r.Kind != solving || r.ID != t.id(r.Key) || r.Epoch != t.m.about.Epoch {
		return nil, nonsense("a result of kind %s, epoch %d and position %s for job %s", r.Kind, r.Epoch, r.Key, r.ID)
	}
	// Budgets grow with the nodes that workers report, so these are bounded.
	budget := t.m.o.Budgets.Most
	if s := t.m.sent[r.ID]; s != nil {
		budget = s.job.Budget
	}
	r.Nodes = min(r.Nodes, budget+overspent)
	report := tree.Report[Key]{Key: r.Key, Outcome: r.Outcome, Opened: r.Opened}
	switch {
	case r.Outcome != tree.Unknown:
		if known := t.known(r.Key); known != tree.Unknown && known != r.Outcome {
			return nil, t.settle(r, known)
		}
		t.decided[r.Key] = r.Outcome
		t.examine(r.Key, r.Outcome, r.Worker)
		err = t.m.store.put(t.m.account(), decidedBucket, r.Key.String(), record{int8(r.Outcome), r.Nodes, r.Seconds, r.Worker})
	case r.Opened:
		if err := t.checkBranches(r); err != nil {
			return nil, err
		}
		t.examineBranches(r.Branches, r.Worker)
		report.Branches = t.branches(r.Branches)
		err = t.m.store.put(t.m.account(), openedBucket, r.Key.String(), opening{r.Worker, r.Branches})
	}
	if err != nil {
		return nil, err
	}
	for _, s := range t.trees {
		s.Spent(r.Nodes)
		for _, k := range s.Done(report) {
			idle = append(idle, t.id(k))
		}
	}
	slices.Sort(idle) // the same results lead to the same messages
	// Another tree may still need a job.
	return slices.DeleteFunc(idle, func(id string) bool {
		s := t.m.sent[id]
		return s == nil || slices.ContainsFunc(t.trees, func(tr *tree.Search[Key]) bool { return tr.Needed(s.job.Key) })
	}), nil
}

// overspent is how many nodes more than its budget a job may take: a thousand for each thread.
const overspent = 1 << 17

// checkBranches makes sure that a worker has left no move out and invented none. One move
// stands for all that lead to the same sum of regions. The master finds these itself.
func (t *searching) checkBranches(r result) error {
	options, err := t.outline(r.Key)
	if err != nil {
		return err
	}
	of := map[Key]int{} // sums by number
	left := map[int]bool{}
	p := r.Key.Position(t.size).Map(t.turns[r.Key])
	for i, o := range options {
		left[i] = true
		for _, move := range append(o.Same, o.Move) {
			of[keyOf(played(p, r.Key.ToPlay, move), r.Key.ToPlay.Opponent())] = i
		}
	}
	listed := map[Key]bool{}
	turns := t.size.Symmetries()
	for _, b := range r.Branches {
		sum, legal := of[b.Key]
		if !legal || listed[b.Key] || !slices.Contains(turns, b.Turn) {
			return t.m.convict(lie{r.Worker, fmt.Sprintf("it listed a move in %s that is none, or twice", r.Key.Position(t.size))})
		}
		listed[b.Key] = true
		delete(left, sum)
	}
	if len(left) > 0 {
		return t.m.convict(lie{r.Worker, fmt.Sprintf("it left %d of %d moves out in %s", len(left), len(options), r.Key.Position(t.size))})
	}
	return nil
}

// outline lists the moves of a position as the solver groups them, turned as its job was.
func (t *searching) outline(k Key) (options []solver.Option, err error) {
	if t.outliner == nil {
		if t.outliner, err = openSearch(t.size, outlineMemory, 1); err != nil {
			return nil, err
		}
	}
	return t.outliner.Outline(solver.Query{Position: k.Position(t.size).Map(t.turns[k]), ToPlay: k.ToPlay}), nil
}

// outlineMemory is the size of a table that stays empty.
const outlineMemory = 1 << 16

// close frees memory.
func (t *searching) close() {
	if t.outliner != nil {
		t.outliner.Close()
		t.outliner = nil
	}
}

// settle finds out which worker is wrong when two results contradict each other. All answers
// are doubted if facts are shared, or if it cannot find out.
func (t *searching) settle(r result, known tree.Outcome) error {
	why := fmt.Sprintf("%s says that %s with %s to play is %s, which was %s before", r.Worker, r.Key.Position(t.size), r.Key.ToPlay, named(r.Outcome), named(known))
	if !t.m.alone() {
		return &doubt{why: why}
	}
	truth, err := settle(context.Background(), t.size, r.Key, t.m.o.Budgets.Most)
	switch {
	case err != nil:
		return err
	case truth == known:
		return t.m.convict(lie{r.Worker, why})
	case truth == r.Outcome && t.decided[r.Key] == known:
		if worker, ok := t.m.store.author(r.Key.String()); ok {
			return t.m.convict(lie{worker, why})
		}
	}
	return &doubt{why: why}
}

func (t *searching) report(s *Status) {
	s.Question, s.Phase, s.Epoch, s.Decided = t.m.about.Question, "search", t.m.about.Epoch, len(t.decided)
	s.Whole = uint64(len(t.trees))
	s.Done = s.Done && !t.question.Proof // the proof follows
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

// found enters the outcomes of the position and of its moves.
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

// known is the outcome of a position, from any of the trees or from a job.
func (t *searching) known(k Key) tree.Outcome {
	for _, tr := range t.trees {
		if outcome := tr.Known(k); outcome != tree.Unknown {
			return outcome
		}
	}
	return t.decided[k]
}

// line names the moves that look best. Keys stand for all orientations, so the moves are
// played on the position of the question.
func (t *searching) line(tr *tree.Search[Key]) string {
	const most = 8
	p, toPlay := t.question.Position, t.question.ToPlay
	keys := append([]Key{t.roots[slices.Index(t.trees, tr)]}, tr.Line()...)
	if !t.question.EachMove || keyOf(p, toPlay) == keys[0] {
		keys = keys[1:]
	}
	var names []string
	for _, next := range keys[:min(len(keys), most)] {
		for move := range p.Legal(toPlay).Points() {
			if after := played(p, toPlay, move); keyOf(after, toPlay.Opponent()) == next {
				p, toPlay = after, toPlay.Opponent()
				names = append(names, t.size.Name(move))
				break
			}
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
