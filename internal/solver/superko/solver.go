// Package superko solves Go under superko on small boards: exact area scores from
// any position with any history, every move's score, and lines of best play.
//
// It is MTD(f) over a threshold search with iterative deepening. Because of
// graph-history interaction a proof is stored with its reason: the boards that must have
// occurred earlier, and those that must not. The proof then holds after every history
// that meets the reason. The theorems of Weninger and Hayward on boards of one row can
// be switched on to prune the search. docs/superko.md explains the ideas. The package
// parses no text and prints nothing.
package superko

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// Options of a solver. The zero value of all but Rules is usable.
type Options struct {
	Rules   weiqi.Rules // positional or situational superko, without suicide
	Memory  int64       // about this many bytes in all; 0 means one gibibyte
	Threads int         // 0 means one for each processor
	With    []string    // parts to switch on, AllParts and AllTheorems among them
	Without []string    // parts to switch off
	Record  bool        // record all proofs, so that Prove can list one
}

// settle fills in defaults.
func (o *Options) settle() {
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
}

// Check returns the error that New would return, before any work, and the memory that
// New would take.
func (o Options) Check(size board.Size) (Footprint, error) {
	o.settle()
	if o.Rules.Ko == weiqi.Basic || o.Rules.Suicide {
		return Footprint{}, fmt.Errorf("the superko solver plays psk or ssk, not %s", o.Rules)
	}
	f, err := NewFootprint(size, o.Rules, o.Threads)
	if err != nil {
		return f, err
	}
	on, err := o.switches(size)
	switch {
	case err != nil:
		return f, err
	case o.Record && on.theorems():
		return f, errors.New("a certificate rests on the rules alone: leave out the theorems and the conjecture")
	case o.Record && !on.facts:
		return f, errors.New("a certificate needs the part tt: without it the proof is too long")
	}
	if f.Bytes > o.Memory {
		return f, &TooSmall{size, f, o.Memory}
	}
	return f, nil
}

// TooSmall is the error of a memory limit that does not hold the boards.
type TooSmall struct {
	Size board.Size
	Footprint
	Memory int64
}

func (e *TooSmall) Error() string {
	return fmt.Sprintf("the %d boards of %s and what threads need take %d bytes before anything is remembered, and the limit is %d", e.Boards, e.Size, e.Bytes, e.Memory)
}

// Solver answers questions about one board size. It keeps its proofs from one question
// to the next.
type Solver struct {
	size     board.Size
	graph    *graph
	on       switches
	facts    *facts
	record   *record // nil without
	attempts *attempts
	workers  []*worker
	active   int // number of workers that run; 0 means all
	stop     atomic.Bool
	bounds   atomic.Pointer[bounds]
	solving  sync.Mutex
}

// New prepares a solver. For a large board the graph takes seconds; the context can stop
// it.
func New(ctx context.Context, size board.Size, o Options) (*Solver, error) {
	footprint, err := o.Check(size)
	if err != nil {
		return nil, err
	}
	o.settle()
	s := &Solver{size: size}
	s.on, _ = o.switches(size) // checked above
	inner := size
	if size.Cols == 1 {
		inner = board.Size{Rows: 1, Cols: size.Rows}
	}
	if s.graph, err = newGraph(ctx, inner, o.Rules, s.on.knowledge, footprint.Boards); err != nil {
		return nil, err
	}
	s.facts = newFacts(s.graph, (o.Memory-footprint.Bytes)/4*3) // the rest is for garbage
	if o.Record {
		s.record = new(record)
	}
	s.attempts = newAttempts(4 * len(s.graph.boards))
	th := newTheory(s.graph, s.on)
	var m *solver.Marks
	if o.Threads > 1 {
		m = new(solver.Marks)
	}
	for range o.Threads {
		s.workers = append(s.workers, s.newWorker(th, m))
	}
	return s, nil
}

func (s *Solver) newWorker(th *theory, m *solver.Marks) *worker {
	g := s.graph
	keys := 4 * len(g.boards)
	return &worker{
		graph: g, theory: th, facts: s.facts, attempts: s.attempts, on: s.on, marks: m, record: s.record, stop: &s.stop,
		history: history{seen: make([]uint8, g.ids())},
		learned: make([]experience, keys*slots),
	}
}

// Stats are counts of the work so far.
type Stats struct {
	Nodes  uint64 // states searched
	Stored uint64 // proofs remembered
	Bytes  int64  // memory they take
	Room   int64  // memory they may take
	Sweeps uint64 // number of times that proofs were forgotten to free memory
	Depth  int    // plies of the present iteration

	// These describe the present question, or the last one: the bounds proven so far,
	// Black minus White, and the score being tested. Black is asked whether it gets at
	// least this score, White whether it can hold Black to at most this score.
	Low, High int
	Asked     int
	ToPlay    board.Colour
}

// Stats may be called while a question is being answered.
func (s *Solver) Stats() Stats {
	st := Stats{
		Stored: s.facts.stored.Load(), Bytes: s.facts.bytes.Load(), Room: s.facts.limit, Sweeps: s.facts.sweeps.Load(),
		Low: -s.graph.points, High: s.graph.points,
	}
	for _, w := range s.workers {
		st.Nodes += w.counts.nodes.Load()
		st.Depth = max(st.Depth, int(w.counts.depth.Load()))
	}
	if b := s.bounds.Load(); b != nil {
		st.Low, st.High = b.black()
		st.Asked, st.ToPlay = b.asked(), b.toPlay
	}
	return st
}

// Answer bounds the score of a position, Black minus White.
type Answer struct {
	Low, High int
	// Conjectural says that a proof may depend on the 1–2 conjecture.
	Conjectural bool
}

// Exact reports whether the score is known.
func (a Answer) Exact() bool { return a.Low == a.High }

// Solve finds the score of a position. If it is stopped, the answer has the bounds
// proven so far.
func (s *Solver) Solve(ctx context.Context, q Question) (Answer, error) {
	return s.SolveWithin(ctx, q, Answer{Low: -s.graph.points, High: s.graph.points})
}

// SolveWithin finds the score of a position with known bounds.
func (s *Solver) SolveWithin(ctx context.Context, q Question, known Answer) (Answer, error) {
	s.solving.Lock()
	defer s.solving.Unlock()
	r, err := s.root(q)
	if err != nil {
		return known, err
	}
	return s.solve(ctx, r, known)
}

// solve finds the score of a root with known bounds.
func (s *Solver) solve(ctx context.Context, r root, known Answer) (Answer, error) {
	if r.over {
		score := int(s.graph.scores[r.key.state()>>1])
		return Answer{Low: score, High: score}, nil
	}
	b := s.newBounds(r)
	b.know(known)
	s.run(ctx, r, b)
	a := Answer{Conjectural: s.guessed()}
	a.Low, a.High = b.black()
	if !a.Exact() {
		return a, solver.Interrupted(ctx)
	}
	return a, nil
}

// SetThreads limits the workers of the next searches. It must not be called during one.
func (s *Solver) SetThreads(threads int) { s.active = max(1, min(threads, len(s.workers))) }

// run lets the workers narrow the bounds until they meet.
func (s *Solver) run(ctx context.Context, r root, b *bounds) {
	s.bounds.Store(b)
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	var wg sync.WaitGroup
	for _, w := range s.workers[:cmp.Or(s.active, len(s.workers))] {
		wg.Go(func() { w.narrow(r, b) })
	}
	wg.Wait()
}

func (s *Solver) guessed() bool {
	return slices.ContainsFunc(s.workers, func(w *worker) bool { return w.guessed })
}
