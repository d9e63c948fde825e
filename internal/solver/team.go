package solver

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
)

// Team is a table and the workers that share it. A type that adds Solve to it is a
// Solver.
type Team[W interface{ Core() *Searcher }] struct {
	Table   *lockless.Table
	Workers []W
	Kept    int // least effort of an entry that Save keeps; the others are found again in a few nodes

	active int // number of workers that run; 0 means all
	create func() (W, error)
	stop   atomic.Bool
	budget budget        // of Run
	lone   Idle[W]       // for Alone, each with a stop flag of its own
	looker Idle[W]       // for Look, which must not change what Alone finds
	nodes  atomic.Uint64 // of Alone
	probes atomic.Uint64
}

// Open makes the table and the workers; 0 threads means one for each processor.
func (t *Team[W]) Open(bytes int64, threads int, create func() (W, error)) error {
	t.create = create
	table, err := lockless.New(bytes)
	if err != nil {
		return err
	}
	t.Table = table
	threads = Threads(threads)
	var marks *Marks
	if threads > 1 {
		marks = new(Marks)
	}
	for range threads {
		w, err := t.newWorker(marks, &t.stop, &t.budget)
		if err != nil {
			t.Close()
			return err
		}
		t.Workers = append(t.Workers, w)
	}
	return nil
}

// newWorker makes a worker that gives up when stop is set, and sets stop when the budget
// is spent.
func (t *Team[W]) newWorker(m *Marks, stop *atomic.Bool, b *budget) (W, error) {
	w, err := t.create()
	if err == nil {
		s := w.Core()
		s.Table, s.Marks, s.stop, s.budget, s.cut = t.Table, m, stop, b, noCut
	}
	return w, err
}

// Threads is the number of threads asked for, or the number of processors if that is 0.
func Threads(asked int) int {
	if asked > 0 {
		return asked
	}
	return runtime.GOMAXPROCS(0)
}

// DefaultMemory is the most memory that a search takes if the caller sets no limit.
const DefaultMemory = 1 << 30

// TableBytes is the size of a table that could use want bytes: at least least, and at
// most memory.
func TableBytes(want float64, least, memory int64) int64 {
	return max(min(int64(min(want, 1<<50)), memory), min(least, memory))
}

// Close frees the table.
func (t *Team[W]) Close() error {
	t.Table.Close()
	return nil
}

// Stats may be called while a search runs.
func (t *Team[W]) Stats() Stats {
	st := Stats{
		Nodes:    t.nodes.Load(),
		Stored:   t.Table.Stored(),
		Capacity: t.Table.Capacity(),
		Bytes:    t.Table.Bytes(),
	}
	probes := t.probes.Load()
	for _, w := range t.Workers {
		probes += w.Core().AddTo(&st)
	}
	st.ErrorBound = float64(probes) * t.Table.FalseMatch()
	return st
}

// Save writes the table except for the entries that are quickly found again.
func (t *Team[W]) Save(w io.Writer) error { return t.Table.Save(w, t.Kept) }

// Load reads what Save wrote.
func (t *Team[W]) Load(r io.Reader) error { return t.Table.Load(r) }

// Import puts facts of other solvers into the table, in the form of Save. It may be called
// while a search runs. A damaged list is refused as a whole. Wrong facts make wrong answers.
func (t *Team[W]) Import(facts []byte) error { return t.Table.Take(facts) }

// Disputes reports whether one of these facts contradicts the table. It may be called while a
// search runs.
func (t *Team[W]) Disputes(facts []byte) bool { return t.Table.Disputes(facts) }

// Clear empties the table and drops the idle workers. Only Stats may be called meanwhile.
func (t *Team[W]) Clear() {
	t.Table.Clear()
	t.lone.Clear()
	t.looker.Clear()
}

// Begin allows the workers to search until the context ends. The function it returns
// stops them.
func (t *Team[W]) Begin(ctx context.Context) (end func()) { return t.BeginWithin(ctx, 0) }

// BeginWithin also limits the nodes of all workers together. Each may search up to a
// thousand more; 0 nodes means no limit.
func (t *Team[W]) BeginWithin(ctx context.Context, nodes uint64) (end func()) {
	t.stop.Store(false)
	t.budget.set(nodes, t.runs())
	for _, w := range t.Workers {
		w.Core().begin()
	}
	return Watch(ctx, &t.stop)
}

// Ended is the error of a search that found nothing: it was stopped, or its budget was
// spent.
func (t *Team[W]) Ended(ctx context.Context) error {
	if ctx.Err() == nil && t.budget.spent() {
		return ErrBudget
	}
	return Interrupted(ctx)
}

// runs is the number of workers that run.
func (t *Team[W]) runs() int { return cmp.Or(t.active, len(t.Workers)) }

// SetThreads limits the workers of the next runs. It must not be called during Run.
func (t *Team[W]) SetThreads(threads int) { t.active = max(1, min(threads, len(t.Workers))) }

// Run searches for one outcome with all workers.
func (t *Team[W]) Run(ctx context.Context, search func(W) Outcome) Outcome {
	return Outcome(Race(ctx, &t.stop, t.runs(), func(i int) int {
		w := t.Workers[i]
		defer w.Core().account()
		return int(search(w))
	}))
}

// Alone finds a move with one worker. Any number of goroutines may call it at a time, but
// not during Run.
func (t *Team[W]) Alone(ctx context.Context, find func(W) (board.Point, error)) (board.Point, error) {
	w, ok := t.lone.Take()
	if !ok {
		var err error
		if w, err = t.newWorker(nil, new(atomic.Bool), endless()); err != nil {
			return board.NoPoint, err
		}
	}
	defer t.lone.Put(w)
	core := w.Core()
	core.stop.Store(false)
	defer Watch(ctx, core.stop)()
	nodes, probes := core.Nodes, core.Probes
	move, err := find(w)
	t.nodes.Add(core.Nodes - nodes)
	t.probes.Add(core.Probes - probes)
	return move, err
}

// Look returns the moves of a question with a known result, without a search. It may be
// called during Run. Its probes are not counted, because no answer depends on them.
func (t *Team[W]) Look(q Query, glance func(W, Query) Outcome) (won, lost board.Set) {
	w, ok := t.looker.Take()
	if !ok {
		var err error
		if w, err = t.newWorker(nil, new(atomic.Bool), endless()); err != nil {
			return won, lost
		}
	}
	defer t.looker.Put(w)
	for p := range q.Position.Legal(q.ToPlay).Points() {
		switch glance(w, q.After(p)) {
		case Lost:
			won.Add(p)
		case Won:
			lost.Add(p)
		}
	}
	return won, lost
}

// AnswerFor turns an outcome into an answer, with a winning move if there is one.
func AnswerFor(ctx context.Context, q Query, outcome Outcome, find func() (board.Point, error)) (Answer, error) {
	switch outcome {
	case Unknown:
		return Answer{}, Interrupted(ctx)
	case Lost:
		return Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
	}
	move, err := find()
	return Answer{Winner: q.ToPlay, Move: move}, err
}

// Finder finds a move that wins a position known to be won.
type Finder struct {
	Glance func(Query) Outcome             // without a search
	Again  func(Query) (board.Point, bool) // by searching the position itself; may be nil
	Search func(Query) Outcome
}

// Find takes a move that bounds or the table show to win. If there is none, it searches.
func (f Finder) Find(ctx context.Context, q Query) (board.Point, error) {
	var open []board.Point
	for p := range q.Position.Legal(q.ToPlay).Points() {
		switch f.Glance(q.After(p)) {
		case Lost:
			return p, nil
		case Unknown:
			open = append(open, p)
		}
	}
	if f.Again != nil {
		if p, ok := f.Again(q); ok {
			return p, nil
		}
	}
	// A free move may win, which has no point on the board, or the search was stopped.
	for _, p := range open {
		switch f.Search(q.After(p)) {
		case Lost:
			return p, nil
		case Unknown:
			return board.NoPoint, Interrupted(ctx)
		}
	}
	return board.NoPoint, fmt.Errorf("no winning move found in %s, which was solved as won: please report this", q.Position)
}
