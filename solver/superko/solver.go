// Package superko solves Go under superko on small boards: exact area scores from
// any position with any history, every move's score, and lines of best play.
//
// It is MTD(f) over a threshold search with iterative deepening. What it proves is
// remembered with the reason: which earlier boards the proof needs to have been, or
// not to have been, on the board. A proof so serves every history that meets its
// reason. The theorems of Weninger and Hayward on boards of one row can be switched
// on to prune the search. docs/superko.md explains the ideas. The package parses no
// text and prints nothing.
package superko

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"tengen/board"
	"tengen/solver"
	"tengen/weiqi"
)

// Parts names what Options can switch off and on. The last five are off unless
// asked for, so that an answer rests on the rules alone. The theorems stand as they
// passed the tests, which is not always as they were printed; the conjecture is not
// proven, and an answer that may rest on it says so. No other part can change an answer.
//
//	tt          remembering what was proven, with its reason
//	depths      remembering which depths were not enough
//	deepening   iterative deepening
//	learned     ordering moves by how they fared before
//	knowledge   ordering moves by the paper's seven rules
//	theorem2    the end of a row is no better than a pass
//	total       states in which one side has everything (theorem 4)
//	packed      loosely packed states, to seven points (theorem 5)
//	telomeres   ends of the row that are safely held (theorems 6 to 8)
//	conjecture  a first stone at the end of a row is no better than one next to it
var Parts = []string{
	"tt", "depths", "deepening", "learned", "knowledge",
	"theorem2", "total", "packed", "telomeres", "conjecture",
}

// Theorems are the parts that prune by what the paper proves of rows under
// positional superko. Under situational superko they are refused.
var Theorems = Parts[5:9:9]

// Options of a solver. The zero value of all but Rules is usable.
type Options struct {
	Rules   weiqi.Rules // positional or situational superko, without suicide
	Memory  int64       // about this many bytes for what was proven; 0 means one gibibyte
	Threads int         // 0 means one for each processor
	Without []string    // parts to switch off
	With    []string    // parts to switch on
}

// Solver answers questions about one board size. What it has proven survives
// from one question to the next.
type Solver struct {
	size     board.Size
	graph    *graph
	parts    parts
	facts    *facts
	attempts *attempts
	workers  []*worker
	stop     atomic.Bool
	bounds   atomic.Pointer[bounds]
	solving  sync.Mutex
}

// New prepares a solver.
func New(size board.Size, o Options) (*Solver, error) {
	if o.Rules.Ko == weiqi.Basic || o.Rules.Suicide {
		return nil, fmt.Errorf("the superko solver plays psk or ssk, not %s", o.Rules)
	}
	if err := limited(size); err != nil {
		return nil, err
	}
	s := &Solver{size: size, parts: parts{facts: true, depths: true, deepening: true, learned: true, knowledge: true}}
	for on, names := range [][]string{o.Without, o.With} {
		for _, name := range names {
			if err := s.parts.turn(name, on == 1); err != nil {
				return nil, err
			}
		}
	}
	if s.parts.theory() && o.Rules.Ko != weiqi.Positional {
		return nil, fmt.Errorf("%s and conjecture speak of positional superko and cannot be switched on under %s", strings.Join(Theorems, ", "), o.Rules)
	}
	if o.Memory == 0 {
		o.Memory = 1 << 30
	}
	if o.Threads <= 0 {
		o.Threads = runtime.NumCPU()
	}
	inner := size
	if size.Cols == 1 {
		inner = board.Size{Rows: 1, Cols: size.Rows}
	}
	s.graph = newGraph(inner, o.Rules, s.parts.knowledge)
	s.facts = newFacts(s.graph, o.Memory)
	s.attempts = newAttempts(4 * len(s.graph.boards))
	th := newTheory(s.graph, s.parts)
	var m *solver.Marks
	if o.Threads > 1 {
		m = new(solver.Marks)
	}
	for range o.Threads {
		s.workers = append(s.workers, s.hire(th, m))
	}
	return s, nil
}

func (p *parts) turn(name string, on bool) error {
	flags := []*bool{
		&p.facts, &p.depths, &p.deepening, &p.learned, &p.knowledge,
		&p.theorem2, &p.total, &p.packed, &p.telomeres, &p.conjecture,
	}
	i := slices.Index(Parts, name)
	if i < 0 {
		return fmt.Errorf("the superko solver has no part %q; it has %s", name, strings.Join(Parts, ", "))
	}
	*flags[i] = on
	return nil
}

// theory reports whether anything is on that the paper says of rows.
func (p *parts) theory() bool {
	return p.theorem2 || p.total || p.packed || p.telomeres || p.conjecture
}

func (s *Solver) hire(th *theory, m *solver.Marks) *worker {
	g := s.graph
	keys := 4 * len(g.boards)
	return &worker{
		graph: g, theory: th, facts: s.facts, attempts: s.attempts, parts: s.parts, marks: m, stop: &s.stop,
		history: history{seen: make([]uint8, g.ids())},
		learned: make([]experience, keys*slots),
	}
}

// Stats are counts of the work so far.
type Stats struct {
	Nodes  uint64 // states searched
	Stored uint64 // proofs remembered
	Bytes  int64  // memory they take
	Depth  int    // plies of the present iteration
	Low    int    // proven bounds of the question that is being answered,
	High   int    // or was last: Black minus White
}

// Stats may be called while a question is being answered.
func (s *Solver) Stats() Stats {
	st := Stats{Stored: s.facts.stored.Load(), Bytes: s.facts.bytes.Load(), Low: -s.graph.points, High: s.graph.points}
	for _, w := range s.workers {
		st.Nodes += w.counts.nodes.Load()
		st.Depth = max(st.Depth, int(w.counts.depth.Load()))
	}
	if b := s.bounds.Load(); b != nil {
		st.Low, st.High = b.black()
	}
	return st
}

// Answer is the score of a position, Black minus White, as far as it is proven.
type Answer struct {
	Low, High int
	// Conjectural says that a proof may rest on the 1–2 conjecture.
	Conjectural bool
}

// Exact reports whether the score is known.
func (a Answer) Exact() bool { return a.Low == a.High }

// Solve finds the score of a position. If it is stopped, the answer has the
// bounds proven until then.
func (s *Solver) Solve(ctx context.Context, q Question) (Answer, error) {
	s.solving.Lock()
	defer s.solving.Unlock()
	r, err := s.root(q)
	if err != nil {
		return Answer{Low: -s.graph.points, High: s.graph.points}, err
	}
	return s.solve(ctx, r)
}

func (s *Solver) solve(ctx context.Context, r root) (Answer, error) {
	b := s.newBounds(r.key.own())
	if r.over {
		score := int(s.graph.scores[r.key.state()>>1])
		return Answer{Low: score, High: score}, nil
	}
	s.run(ctx, r, b)
	a := Answer{Conjectural: s.guessed()}
	a.Low, a.High = b.black()
	if !a.Exact() {
		return a, solver.Interrupted(ctx)
	}
	return a, nil
}

// run has every worker narrow the bounds until they meet.
func (s *Solver) run(ctx context.Context, r root, b *bounds) {
	s.bounds.Store(b)
	s.stop.Store(false)
	defer solver.Watch(ctx, &s.stop)()
	var wg sync.WaitGroup
	for _, w := range s.workers {
		wg.Go(func() { w.narrow(r, b) })
	}
	wg.Wait()
}

func (s *Solver) guessed() bool {
	return slices.ContainsFunc(s.workers, func(w *worker) bool { return w.guessed })
}
