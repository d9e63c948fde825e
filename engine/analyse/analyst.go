// Package analyse analyses positions of all games and boards. It reports the result of each
// move as soon as it is decided: exact, bounded or estimated. Results are kept on disk, so
// that the next position is easier.
package analyse

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/internal/solver/gosearch"
	"tengen/internal/solver/superko"
)

// Options say what an analyst may use.
type Options struct {
	job.Limits // of memory and threads in all, and of the time for each question
	// Parallel is how many questions are searched at a time; they share memory and
	// threads, and further questions wait. 0 is one.
	Parallel int
	// Store is the file to keep results in: job.Cache for one in the user's cache, or "" for
	// none.
	Store string
	// Table is the file of a table of Go for its board. Tables of other boards are in the
	// user's cache, as all are with job.Cache. With "" they are built in memory and given up.
	Table string
	// NoBook switches off the book that is built into the program.
	NoBook bool
}

// Analyst analyses positions of all games and boards. It keeps results on disk and the tables
// of its searches in memory. Any number of goroutines may use it. docs/analysis.md has the
// reasons.
type Analyst struct {
	store  *keeper    // nil without
	book   bool       // may be used
	limits job.Limits // of all workspaces together
	free   chan struct{}
	tables openTables

	mu   sync.Mutex
	all  []*workspace
	idle []*workspace // those that nobody uses, the last one used last
}

// New prepares an analyst. It takes memory when it is first asked.
func New(o Options) (*Analyst, error) {
	limits, err := o.Limits.Settle()
	if err != nil {
		return nil, err
	}
	if o.Parallel < 0 {
		return nil, fmt.Errorf("%d questions at a time cannot be answered", o.Parallel)
	}
	n := max(o.Parallel, 1)
	a := &Analyst{limits: limits, book: !o.NoBook, free: make(chan struct{}, n), tables: openTables{cache: o.Table != ""}}
	if o.Table != job.Cache {
		a.tables.path = o.Table
	}
	if o.Store != "" {
		a.store = &keeper{path: o.Store}
	}
	for range n {
		a.free <- struct{}{}
		a.all = append(a.all, &workspace{analyst: a})
	}
	a.idle = slices.Clone(a.all)
	return a, nil
}

// Close gives everything back. No question may be under way.
func (a *Analyst) Close() error {
	for _, d := range a.all {
		d.clear()
	}
	a.tables.close()
	if a.store != nil {
		a.store.close()
	}
	return nil
}

// Analyse answers a question. It calls update, if that is not nil, for every new result and
// several times a second. One goroutine at a time calls it, and none after Analyse returns.
// When the context ends, the error is *job.Stopped and the analysis has the results so far;
// the same question then continues from there. Other errors are as those of solve.NoGo.
// *solve.TooMuchLeft reports a board that is too large to be analysed without estimates, and
// *table.Missing one that is too large without a table.
func (a *Analyst) Analyse(ctx context.Context, q Question, update func(Update)) (Analysis, error) {
	i, err := newInquiry(q, update)
	if err != nil {
		return Analysis{}, err
	}
	i.store, i.book = a.store, a.book
	if len(i.classes) > 0 {
		err = job.Run(ctx, a.limits, i.known, func(ctx context.Context, w *job.Work) error {
			w.Report(i.Every, i.report)
			defer i.report()
			return a.answer(ctx, i)
		})
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	result := i.snapshot()
	if result.Elapsed > 0 {
		result.Rate = float64(result.Nodes) / result.Elapsed.Seconds()
	}
	return result, err
}

// Recall answers a question without a search, as far as the rules, the store and existing
// tables know the results. When the context ends, the error is *job.Stopped.
func (a *Analyst) Recall(ctx context.Context, q Question) (Analysis, error) {
	i, err := newInquiry(q, nil)
	if err != nil {
		return Analysis{}, err
	}
	i.store, i.book = a.store, a.book
	switch {
	case len(i.classes) == 0:
	case i.Rules.Scored() && !i.historic() && !play.Searched(i.position.Size):
		err = a.recallFromTable(ctx, i)
	default:
		err = i.recallAll(ctx)
	}
	if job.IsStop(err) {
		err = &job.Stopped{Cause: err, Known: i.known()}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.snapshot(), err
}

// recallAll adds the results that the rules, the store and the book know.
func (i *inquiry) recallAll(ctx context.Context) error {
	i.endings()
	i.recall(whole)
	for n := range i.classes {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		i.recall(n)
	}
	switch {
	case i.settled():
	case i.Rules.Scored():
		i.consultLists()
	default:
		i.consult()
	}
	if i.settled() {
		i.follow()
	}
	return nil
}

func (a *Analyst) answer(ctx context.Context, i *inquiry) error {
	if i.Rules.Scored() && !i.historic() && !play.Searched(i.position.Size) {
		return a.answerByTable(ctx, i)
	}
	// A question that is stopped at once has the results that were kept, too.
	err := i.recallAll(context.WithoutCancel(ctx))
	i.report()
	if line := i.Lines && i.historic(); err != nil || i.settled() && !line { // the store keeps no lines of Go
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	d, err := a.acquire(ctx, workspaceKey{i.Rules, i.position.Size})
	if err != nil {
		return err
	}
	defer a.release(d)
	switch {
	case i.historic():
		return d.answerSuperko(ctx, i)
	case i.Rules.Scored():
		return d.answerArea(ctx, i)
	}
	return d.answerNoGo(ctx, i)
}

// workspaceKey is the game and the board that a workspace is set up for.
type workspaceKey struct {
	rules game.Rules
	size  board.Size
}

// workspace has the searches for one question at a time. They stay for the next question
// about the same board.
type workspace struct {
	analyst *Analyst
	workspaceKey
	memory  int64 // its share of the limit, 0 if it is not set up
	solver  solver.Solver
	room    int // the most playable points that the table of the solver was made for
	decider *player.Decider
	superko *superko.Solver
	area    *gosearch.Solver // of Go without a table
	mover   play.Mover
}

// clear frees everything.
func (d *workspace) clear() {
	if d.solver != nil {
		d.solver.Close()
	}
	if d.decider != nil {
		d.decider.Close()
	}
	if d.area != nil {
		d.area.Close()
	}
	if d.mover != nil {
		d.mover.Close()
	}
	*d = workspace{analyst: d.analyst}
}

// acquire waits for a free workspace. It prefers one that is set up for the board.
func (a *Analyst) acquire(ctx context.Context, f workspaceKey) (*workspace, error) {
	select {
	case <-a.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := max(slices.IndexFunc(a.idle, func(d *workspace) bool { return d.workspaceKey == f }), 0)
	d := a.idle[n]
	a.idle = slices.Delete(a.idle, n, n+1)
	if d.workspaceKey != f {
		d.clear()
		d.workspaceKey, d.memory = f, max(a.allot(), leastMemory)
	}
	return d, nil
}

// leastMemory of a workspace is too little for any search, so that each refuses it. Half of it
// is not 0, which would stand for the default.
const leastMemory = 2

// allot finds memory for a workspace: at most half of all memory, and so that half of an equal
// part is left for each workspace that has none yet. For that it clears idle workspaces, the
// one that was used longest ago first.
func (a *Analyst) allot() int64 {
	total, n := a.limits.Memory, int64(len(a.all))
	if n == 1 {
		return total
	}
	const share = 2 // 1/share of an equal part is left for each workspace without memory
	free := func() int64 {
		left, without := total, int64(-1)
		for _, d := range a.all {
			if left -= d.memory; d.memory == 0 {
				without++
			}
		}
		return left - without*total/(share*n)
	}
	for _, d := range a.idle {
		if free() >= total/2 {
			break
		}
		d.clear()
	}
	return min(free(), total/2)
}

// threads is the share of a workspace: all threads, divided by the questions under way.
func (a *Analyst) threads() int {
	working := cap(a.free) - len(a.free)
	return max(a.limits.Threads/max(working, 1), 1)
}

// shareThreads gives a search its share of the threads.
func (d *workspace) shareThreads(search any) {
	if s, ok := search.(interface{ SetThreads(threads int) }); ok {
		s.SetThreads(d.analyst.threads())
	}
}

func (a *Analyst) release(d *workspace) {
	a.mu.Lock()
	a.idle = append(a.idle, d)
	a.mu.Unlock()
	a.free <- struct{}{}
}

// soonPoints is the number of playable points up to which proofs come before estimates are
// worth much.
const soonPoints = 25

// soonMemory is for estimates on such boards. The proofs come before more is used, and clearing
// more takes time.
const soonMemory = player.DefaultTreeMemory / 8

// spareRoom leaves room for positions a few moves earlier in the game.
const spareRoom = 2

// setNoGo opens the searches of NoGo. Half of the memory is for the player.
func (d *workspace) setNoGo(ctx context.Context, i *inquiry) (err error) {
	half := job.Limits{Memory: d.memory / 2, Threads: d.analyst.limits.Threads}
	if open := i.open(); d.solver != nil && open > d.room {
		d.solver.Close()
		d.solver = nil
	}
	if method.Solvable(d.size) && d.solver == nil {
		d.room = min(i.open()+spareRoom, d.size.Points())
		search := method.Search{Size: d.size, Strips: job.Cache, Limits: half, Many: true, Room: d.room}
		plan, err := search.Plan()
		if err != nil {
			return err
		}
		// Keep only a solver that is whole: a cancelled Open returns nil.
		opened, warning, err := search.Open(ctx, plan)
		if err != nil {
			return err
		}
		d.solver = opened
		if warning != "" {
			i.warn("%s", warning)
		}
	}
	if !method.Solvable(d.size) && d.decider == nil {
		if err := half.Least("the search of endgames", job.LeastTable); err != nil {
			return err
		}
		if d.decider, err = player.NewDecider(half.Memory); err != nil {
			return err
		}
	}
	return nil
}

// setMover opens the player that estimates.
func (d *workspace) setMover(ctx context.Context) error {
	if d.mover != nil {
		return nil
	}
	options := play.Options{Kind: play.MCTS, Size: d.size, Limits: job.Limits{Memory: d.memory / 2, Threads: d.analyst.limits.Threads}}
	options.Memory = min(options.Memory, player.DefaultTreeMemory)
	if d.solver != nil && d.size.Points() <= soonPoints {
		options.Without = []string{"solver"} // the proofs are made beside it
		options.Memory = min(options.Memory, soonMemory)
	}
	mover, err := play.New(ctx, options)
	if err == nil {
		d.mover = mover
	}
	return err
}
