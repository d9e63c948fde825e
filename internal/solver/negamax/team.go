package negamax

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"sync/atomic"

	"tengen/board"
	"tengen/internal/lockless"
	"tengen/internal/solver"
)

// Team is a table and the workers that share it. With Solve it makes a solver.Solver.
type Team[W interface{ Core() *Searcher }] struct {
	Table   *lockless.Table
	Workers []W
	Kept    int // effort from which Save keeps an entry; the rest is found again in a few nodes

	employed int // workers that run, if it is not 0
	hire     func() (W, error)
	stop     atomic.Bool
	budget   budget         // of Run
	lone     solver.Idle[W] // for Alone, each with a stop flag of its own
	looker   solver.Idle[W] // for Look, which must not change what Alone finds
	nodes    atomic.Uint64  // of Alone
	probes   atomic.Uint64
}

// Open makes the table and hires the workers; no threads mean one for each processor.
func (t *Team[W]) Open(bytes int64, threads int, hire func() (W, error)) error {
	t.hire = hire
	table, err := lockless.New(bytes)
	if err != nil {
		return err
	}
	t.Table = table
	threads = Threads(threads)
	var marks *solver.Marks
	if threads > 1 {
		marks = new(solver.Marks)
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

// newWorker hires one who gives up when stop is set, and sets it when the budget is spent.
func (t *Team[W]) newWorker(m *solver.Marks, stop *atomic.Bool, b *budget) (W, error) {
	w, err := t.hire()
	if err == nil {
		s := w.Core()
		s.Table, s.Marks, s.stop, s.budget, s.cut = t.Table, m, stop, b, noCut
	}
	return w, err
}

// Threads is the number of threads asked for, or one for each processor.
func Threads(asked int) int {
	if asked > 0 {
		return asked
	}
	return runtime.GOMAXPROCS(0)
}

// DefaultMemory is what a search takes at most if it is not told.
const DefaultMemory = 1 << 30

// TableBytes is how large a table is made that would like to have so many bytes.
func TableBytes(want float64, least, memory int64) int64 {
	return max(min(int64(min(want, 1<<50)), memory), min(least, memory))
}

// Close frees the table.
func (t *Team[W]) Close() error {
	t.Table.Close()
	return nil
}

// Stats may be called while a search runs.
func (t *Team[W]) Stats() solver.Stats {
	st := solver.Stats{
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

// Save writes the table, but for what is quickly found again.
func (t *Team[W]) Save(w io.Writer) error { return t.Table.Save(w, t.Kept) }

// Load reads what Save wrote.
func (t *Team[W]) Load(r io.Reader) error { return t.Table.Load(r) }

// Tell puts what others have learned into the table, in the form of Save; it may be
// called while a search runs. Damaged facts are refused, all of them; wrong ones make
// wrong answers.
func (t *Team[W]) Tell(facts []byte) error { return t.Table.Take(facts) }

// Clear empties the table and dismisses the idle workers. Nothing but Stats may be called
// meanwhile.
func (t *Team[W]) Clear() {
	t.Table.Clear()
	t.lone.Clear()
	t.looker.Clear()
}

// Begin lets the workers work until the context ends. The function it returns ends that.
func (t *Team[W]) Begin(ctx context.Context) (end func()) { return t.BeginWithin(ctx, 0) }

// BeginWithin lets them search so many nodes besides, all together and up to a thousand
// more each; 0 is no limit.
func (t *Team[W]) BeginWithin(ctx context.Context, nodes uint64) (end func()) {
	t.stop.Store(false)
	t.budget.set(nodes, t.runs())
	for _, w := range t.Workers {
		w.Core().begin()
	}
	return solver.Watch(ctx, &t.stop)
}

// Ended is the error of a search that found nothing: it was stopped, or its budget spent.
func (t *Team[W]) Ended(ctx context.Context) error {
	if ctx.Err() == nil && t.budget.spent() {
		return solver.ErrBudget
	}
	return solver.Interrupted(ctx)
}

// runs is how many workers run.
func (t *Team[W]) runs() int { return cmp.Or(t.employed, len(t.Workers)) }

// Employ lets only so many of the workers run from now on. It is not for use while Run is.
func (t *Team[W]) Employ(threads int) { t.employed = max(1, min(threads, len(t.Workers))) }

// Run has the workers look for one outcome.
func (t *Team[W]) Run(ctx context.Context, search func(W) Outcome) Outcome {
	return Outcome(solver.Race(ctx, &t.stop, t.runs(), func(i int) int {
		w := t.Workers[i]
		defer w.Core().account()
		return int(search(w))
	}))
}

// Alone has one worker find a move. Any number of goroutines may call it at a time,
// but not while Run does.
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
	defer solver.Watch(ctx, core.stop)()
	nodes, probes := core.Nodes, core.Probes
	move, err := find(w)
	t.nodes.Add(core.Nodes - nodes)
	t.probes.Add(core.Probes - probes)
	return move, err
}

// Look has a worker tell what is known of the moves of a question without a search. It
// may be called while Run runs. Its probes are not counted: nothing rests on them.
func (t *Team[W]) Look(q solver.Query, glance func(W, solver.Query) Outcome) (won, lost board.Set) {
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

// Answer is what an outcome means, with a winning move if there is one to find.
func Answer(ctx context.Context, q solver.Query, outcome Outcome, find func() (board.Point, error)) (solver.Answer, error) {
	switch outcome {
	case Unknown:
		return solver.Answer{}, solver.Interrupted(ctx)
	case Lost:
		return solver.Answer{Winner: q.ToPlay.Opponent(), Move: board.NoPoint}, nil
	}
	move, err := find()
	return solver.Answer{Winner: q.ToPlay, Move: move}, err
}

// Finder finds a move that wins a position known to be won.
type Finder struct {
	Glance func(solver.Query) Outcome             // without a search
	Again  func(solver.Query) (board.Point, bool) // searching the position itself; may be nil
	Search func(solver.Query) Outcome
}

// Find takes a move that bounds or table show, or else searches.
func (f Finder) Find(ctx context.Context, q solver.Query) (board.Point, error) {
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
	// A free move may win, which has no point of its own, or the search was stopped.
	for _, p := range open {
		switch f.Search(q.After(p)) {
		case Lost:
			return p, nil
		case Unknown:
			return board.NoPoint, solver.Interrupted(ctx)
		}
	}
	return board.NoPoint, fmt.Errorf("no winning move found in %s, which was solved as won: please report this", q.Position)
}
