package cluster

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"

	"tengen/board"
	"tengen/internal/cluster/tree"
	"tengen/internal/solver"
)

const (
	// checkOne: the master checks one claim or slice in this many itself. It gives up a check
	// of a claim after checkMost nodes.
	checkOne  = 24
	checkMost = 200_000
	// mostWaiting is how many claims wait to be checked. When more come, the master does not
	// keep up, and a random one of them is left out. All that wait are checked before an
	// answer is given, which takes two minutes at most.
	mostWaiting = 64
	// checkMemory is the size of the master's own table.
	checkMemory = 64 << 20
)

// claim is the outcome of a position as a worker gives it, in any kind of message.
type claim struct {
	size    board.Size
	key     Key // need not be canonical
	outcome tree.Outcome
	worker  string
	always  bool // check it even if it is not in the sample
}

// lie is a false claim or a false fact.
type lie struct {
	worker, why string
}

// sample chooses what the master checks itself. A secret chooses, so that a liar cannot know
// it. The choice depends neither on the worker nor on the time.
type sample struct {
	one    int // chosen: one thing in this many
	secret [16]byte
}

func newSample(one int) sample {
	s := sample{one: one}
	_, _ = rand.Read(s.secret[:])
	return s
}

// has reports whether a thing is in the sample.
func (s *sample) has(thing string) bool {
	if s.one <= 1 {
		return true
	}
	sum := sha256.Sum256(append(s.secret[:], thing...))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.one) == 0
}

// examiner checks a sample of the claims, beside everything else, with a table that nobody
// else writes to. It counts its own nodes: the nodes that a worker reports decide nothing.
type examiner struct {
	sample sample
	inline bool // check at once, for simulations

	mu      sync.Mutex
	all     bool   // check every claim: a worker has lied
	table   string // the facts to compare belong to it
	run     int    // counts calls of begin: claims of an earlier one are dropped
	running bool
	waiting []claim
	lies    []lie
	count   Checks
	nodes   uint64
	wake    chan struct{} // there is a lie, or no claim waits any more

	open   sync.RWMutex // held to change the solver
	size   board.Size
	solver solver.Shared

	ctx    context.Context
	cancel context.CancelFunc
	side   sync.WaitGroup
}

// Checks counts the claims of workers and those that the master has checked.
type Checks struct {
	Claims  uint64 `json:"claims"`  // an answer may rest on them
	Checked uint64 `json:"checked"` // of them, those that the master has confirmed
}

func newExaminer(one int) *examiner {
	e := &examiner{sample: newSample(one), wake: make(chan struct{}, 1)}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	return e
}

// close ends the check that is under way.
func (e *examiner) close() {
	e.cancel()
	e.side.Wait()
	e.open.Lock()
	defer e.open.Unlock()
	if e.solver != nil {
		e.solver.Close()
		e.solver = nil
	}
}

// begin drops all claims and their count. The task then examines the claims that it keeps:
// they may have waited when another worker was banned or when the master was killed. Facts of
// the table, if it is not "", are compared from now on.
func (e *examiner) begin(all bool, table string, size board.Size) error {
	e.mu.Lock()
	e.run++
	e.all, e.table, e.waiting, e.lies, e.count = all, table, nil, nil, Checks{}
	e.mu.Unlock()
	if table == "" {
		return nil
	}
	_, err := e.solverOf(size)
	return err
}

// chosen reports whether claims about a position are checked.
func (e *examiner) chosen(size board.Size, k Key) bool {
	e.mu.Lock()
	all := e.all
	e.mu.Unlock()
	return all || e.sample.has(size.String()+k.String())
}

// examine has a claim checked if it is in the sample.
func (e *examiner) examine(c claim) {
	chosen := searchable(c.size) && (c.always || e.chosen(c.size, c.key))
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count.Claims++
	switch {
	case !chosen:
	case e.inline:
		e.mu.Unlock()
		e.check(c, e.run)
		e.mu.Lock()
	case len(e.waiting) >= mostWaiting && !c.always:
		if i := mathrand.IntN(len(e.waiting)); !e.waiting[i].always {
			e.waiting[i] = c
		}
	default:
		e.waiting = append(e.waiting, c)
		if !e.running {
			e.running = true
			e.side.Go(e.work)
		}
	}
}

// work checks one claim after the other until none waits.
func (e *examiner) work() {
	for {
		e.mu.Lock()
		if len(e.waiting) == 0 || e.ctx.Err() != nil {
			e.running = false
			e.mu.Unlock()
			e.rouse()
			return
		}
		c, run := e.waiting[0], e.run
		e.waiting = e.waiting[1:]
		e.mu.Unlock()
		e.check(c, run)
	}
}

func (e *examiner) rouse() {
	select {
	case e.wake <- struct{}{}:
	default:
	}
}

// busy reports whether claims are still being checked.
func (e *examiner) busy() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.running || len(e.lies) > 0
}

// check solves the position of a claim and compares the outcome.
func (e *examiner) check(c claim, run int) {
	outcome, err := e.solve(c)
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case err != nil || outcome == tree.Unknown || run != e.run:
	case outcome == c.outcome:
		e.count.Checked++
	default:
		e.accuse(c.worker, fmt.Sprintf("it answered %s for %s with %s to play, which is %s", named(c.outcome), c.key.Position(c.size), c.key.ToPlay, named(outcome)))
	}
}

// accuse keeps a lie until found takes it, one for each worker.
func (e *examiner) accuse(worker, why string) {
	for _, l := range e.lies {
		if l.worker == worker {
			return
		}
	}
	if len(e.lies) < mostWaiting {
		e.lies = append(e.lies, lie{worker, why})
	}
	e.rouse()
}

// found takes a lie, if there is one.
func (e *examiner) found() (lie, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.lies) == 0 {
		return lie{}, false
	}
	l := e.lies[0]
	e.lies = e.lies[1:]
	return l, true
}

// checks is the count so far.
func (e *examiner) checks() Checks {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.count
}

// solve finds the outcome of the position of a claim. It is unknown if that takes too long.
func (e *examiner) solve(c claim) (tree.Outcome, error) {
	s, err := e.solverOf(c.size)
	if err != nil {
		return tree.Unknown, err
	}
	before := s.Stats().Nodes
	outcome, err := find(e.ctx, s, c.size, c.key, checkMost)
	e.mu.Lock()
	e.nodes += s.Stats().Nodes - before
	e.mu.Unlock()
	return outcome, err
}

// find solves a position within a number of nodes, or leaves it unknown.
func find(ctx context.Context, s solver.Shared, size board.Size, k Key, nodes uint64) (tree.Outcome, error) {
	found, err := s.SolveWithin(ctx, solver.Query{Position: k.Position(size), ToPlay: k.ToPlay}, nodes)
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

// settle solves a position on which two workers disagree, within a number of nodes. It has
// its own table, for claims are checked meanwhile.
func settle(ctx context.Context, size board.Size, k Key, nodes uint64) (tree.Outcome, error) {
	s, err := openSearch(size, 4*checkMemory, 1)
	if err != nil {
		return tree.Unknown, err
	}
	defer s.Close()
	return find(ctx, s, size, k, nodes)
}

// solverOf is the solver of a board. It keeps its table from claim to claim: the master has
// found everything in it itself.
func (e *examiner) solverOf(size board.Size) (solver.Shared, error) {
	if e.solver != nil && e.size == size {
		return e.solver, nil
	}
	e.open.Lock()
	defer e.open.Unlock()
	if e.solver != nil {
		e.solver.Close()
		e.solver = nil
	}
	s, err := openSearch(size, checkMemory, 1)
	if err != nil {
		return nil, err
	}
	e.size, e.solver = size, s
	return s, nil
}

// compare looks for facts that contradict the master's own table. Other facts cannot be
// checked: a fact does not say which position it is about.
func (e *examiner) compare(worker, table string, facts []byte) {
	e.open.RLock()
	defer e.open.RUnlock()
	e.mu.Lock()
	ours := e.table == table
	e.mu.Unlock()
	if !ours || e.solver == nil || !e.solver.Disputes(facts) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.table == table {
		e.accuse(worker, "it shared false facts")
	}
}

func named(o tree.Outcome) string {
	switch o {
	case tree.Won:
		return "won"
	case tree.Lost:
		return "lost"
	}
	return "unknown"
}
