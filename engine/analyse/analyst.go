// Package analyse answers questions about positions of all games and boards while it
// works: every move's result as it is decided, exact, bounded or estimated. What it finds
// is kept on disk, so that the next position is easier.
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
	// NoBook leaves the book alone that the program brings along.
	NoBook bool
}

// Analyst answers questions about positions of all games and boards, and every move's
// result as it is decided. What it finds is kept on disk, and what its searches have
// learnt in memory, so that the next position is easier. Any number of goroutines may
// ask. docs/analysis.md has the reasons.
type Analyst struct {
	store  *keeper    // nil without
	book   bool       // may be used
	limits job.Limits // of all desks together
	free   chan struct{}
	tables tableShelf

	mu    sync.Mutex
	all   []*desk
	desks []*desk // those that nobody uses, the last one used last
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
	a := &Analyst{limits: limits, book: !o.NoBook, free: make(chan struct{}, n), tables: tableShelf{cache: o.Table != ""}}
	if o.Table != job.Cache {
		a.tables.path = o.Table
	}
	if o.Store != "" {
		a.store = &keeper{path: o.Store}
	}
	for range n {
		a.free <- struct{}{}
		a.all = append(a.all, &desk{analyst: a})
	}
	a.desks = slices.Clone(a.all)
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

// Analyse answers a question. Until then hear, if it is not nil, is told of every result
// as it is found, and of the work several times a second; it is called by one goroutine
// at a time and not after the answer. When the context ends, everything that is known
// comes back beside *job.Stopped, and the same question asked again goes on from what was
// decided. Other errors are as those of solve.NoGo; *solve.TooMuchLeft and *table.Missing say that a
// board is too large to be analysed without estimates, or without a table.
func (a *Analyst) Analyse(ctx context.Context, q Question, hear func(Update)) (Analysis, error) {
	i, err := newInquiry(q, hear)
	if err != nil {
		return Analysis{}, err
	}
	i.store, i.book = a.store, a.book
	if len(i.classes) > 0 {
		err = job.Run(ctx, a.limits, i.known, func(ctx context.Context, w *job.Work) error {
			w.Report(i.Every, i.tell)
			defer i.tell()
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

// Recall answers a question as far as it can be at once and without a search: by the
// rules, from the store, and from tables that are there.
func (a *Analyst) Recall(q Question) (Analysis, error) {
	i, err := newInquiry(q, nil)
	if err != nil {
		return Analysis{}, err
	}
	i.store, i.book = a.store, a.book
	switch {
	case len(i.classes) == 0:
	case i.Rules.Scored() && !i.historic():
		err = a.recallFromTable(i)
	default:
		i.recallAll()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.snapshot(), err
}

// recallAll takes in what the rules and the store say.
func (i *inquiry) recallAll() {
	i.endings()
	i.recall(whole)
	for n := range i.classes {
		i.recall(n)
	}
	if !i.settled() && !i.Rules.Scored() {
		i.consult()
	}
	if i.settled() {
		i.follow()
	}
}

func (a *Analyst) answer(ctx context.Context, i *inquiry) error {
	if i.Rules.Scored() && !i.historic() {
		return a.answerByTable(ctx, i)
	}
	i.recallAll()
	i.tell()
	if i.settled() {
		return nil
	}
	d, err := a.sit(ctx, deskFor{i.Rules, i.position.Size})
	if err != nil {
		return err
	}
	defer a.leave(d)
	if i.historic() {
		return d.answerSuperko(ctx, i)
	}
	return d.answerNoGo(ctx, i)
}

// deskFor is what a desk is set up for.
type deskFor struct {
	rules game.Rules
	size  board.Size
}

// desk is where one question at a time is worked on. What was set up for a question
// stays for the next about the same board.
type desk struct {
	analyst *Analyst
	deskFor
	memory  int64 // lent to it as long as it is set up
	solver  solver.Solver
	room    int // the most playable points that the table of the solver was made for
	decider *player.Decider
	superko *superko.Solver
	mover   play.Mover
}

// clear gives up what a desk was set up for.
func (d *desk) clear() {
	if d.solver != nil {
		d.solver.Close()
	}
	if d.decider != nil {
		d.decider.Close()
	}
	if d.mover != nil {
		d.mover.Close()
	}
	*d = desk{analyst: d.analyst}
}

// sit waits for a desk and prefers one that is set up for the question.
func (a *Analyst) sit(ctx context.Context, f deskFor) (*desk, error) {
	select {
	case <-a.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	n := max(slices.IndexFunc(a.desks, func(d *desk) bool { return d.deskFor == f }), 0)
	d := a.desks[n]
	a.desks = slices.Delete(a.desks, n, n+1)
	if d.deskFor != f {
		d.clear()
		d.deskFor, d.memory = f, a.lend()
	}
	return d, nil
}

// lend finds memory for a desk that is set up anew: half of all if it can be had, and so
// much less that every other desk can have its share still. Desks that nobody uses give
// theirs up for it, the one that was used longest ago first.
func (a *Analyst) lend() int64 {
	total, n := a.limits.Memory, int64(len(a.all))
	if n == 1 {
		return total
	}
	const share = 2 // of an equal part, which is left for each desk that has nothing yet
	free := func() int64 {
		left, without := total, int64(-1)
		for _, d := range a.all {
			if left -= d.memory; d.memory == 0 {
				without++
			}
		}
		return left - without*total/(share*n)
	}
	for _, d := range a.desks {
		if free() >= total/2 {
			break
		}
		d.clear()
	}
	return min(free(), total/2)
}

// threads is the share of a desk as things are: a question alone has all of them.
func (a *Analyst) threads() int {
	working := cap(a.free) - len(a.free)
	return max(a.limits.Threads/max(working, 1), 1)
}

// employ gives what searches with threads the desk's share of them.
func (d *desk) employ(what any) {
	if s, ok := what.(interface{ SetThreads(threads int) }); ok {
		s.SetThreads(d.analyst.threads())
	}
}

func (a *Analyst) leave(d *desk) {
	a.mu.Lock()
	a.desks = append(a.desks, d)
	a.mu.Unlock()
	a.free <- struct{}{}
}

// soonPoints is how many playable points are solved before estimates are worth much.
const soonPoints = 25

// soonMemory is for estimates on such boards. More is not used before the proofs are there,
// and clearing it would make everybody wait.
const soonMemory = player.DefaultTreeMemory / 8

// spareRoom is for who goes back in a game by a few moves.
const spareRoom = 2

// setNoGo gets the desk ready for NoGo. Half of the memory is for the player.
func (d *desk) setNoGo(ctx context.Context, i *inquiry) (err error) {
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
		// A desk keeps what is whole: what a cancelled question leaves is nil in an interface.
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

// setMover gets the player ready that estimates.
func (d *desk) setMover() error {
	if d.mover != nil {
		return nil
	}
	options := play.Options{Kind: play.MCTS, Size: d.size, Limits: job.Limits{Memory: d.memory / 2, Threads: d.analyst.limits.Threads}}
	options.Memory = min(options.Memory, player.DefaultTreeMemory)
	if d.solver != nil && d.size.Points() <= soonPoints {
		options.Without = []string{"solver"} // the proofs are made beside it
		options.Memory = min(options.Memory, soonMemory)
	}
	mover, err := play.New(options)
	if err == nil {
		d.mover = mover
	}
	return err
}
