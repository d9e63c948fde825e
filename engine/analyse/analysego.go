package analyse

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/solver/retro"
	"tengen/internal/solver/superko"
	"tengen/tablebase"
)

// answerSuperko searches the position and its moves in turns. Bounds of one are bounds of the
// others.
func (d *workspace) answerSuperko(ctx context.Context, i *inquiry) error {
	if i.Endless != table.EndlessDrawn {
		return errors.New("under superko no game is endless: leave out what one would count")
	}
	q := superko.Question{Start: i.Start, Moves: i.Moves}
	if err := q.Check(); err != nil {
		return err
	}
	if d.superko == nil {
		options := superko.Options{Rules: i.Rules.(game.Go).Rules, Memory: d.memory, Threads: d.analyst.limits.Threads}
		s, err := superko.New(ctx, d.size, options)
		switch {
		case err != nil && i.settled():
			return nil // only the line is missing
		case err != nil:
			return err
		}
		d.superko = s
	}
	s := d.superko
	defer i.counting(func() uint64 { return s.Stats().Nodes })()
	before := s.Stats().Nodes
	err := i.searchScores(ctx, s, firstTurn, func() { d.shareThreads(s) }, func(n int, a superko.Answer) {
		nodes := s.Stats().Nodes
		i.keep(n, memory{low: a.Low, high: a.High, effort: nodes - before})
		before = nodes
		i.report()
	})
	if err == nil && i.Lines {
		limited, cancel := context.WithTimeout(ctx, lineTime)
		defer cancel()
		if line, err := s.Short(limited, q); err == nil && len(line) > 0 {
			i.keepsScore(line[0])
			i.advise(line[0], line)
		}
	}
	return err
}

// keepsScore notes that a move has the score of the position, which is exact.
func (i *inquiry) keepsScore(move board.Point) {
	n := i.classOf(move)
	f := i.found[n]
	f.bound(i.root.Score, i.root.Score, i.points)
	f.By = BySearch
	i.note(n, f)
}

// searchScores searches the position and its moves in turns, the first of a length; the
// bounds that are proven of one are a beginning for the others. Begin is called before
// each turn, and found is called with every result.
func (i *inquiry) searchScores(ctx context.Context, s *superko.Solver, first time.Duration, begin func(), found func(n int, a superko.Answer)) error {
	t := i.turns(first)
	return t.take(ctx, time.Time{}, func(ctx context.Context, n int) (bool, error) {
		if i.decided(n) {
			return true, nil
		}
		asked := superko.Question{Start: i.Start, Moves: i.Moves}
		if n != whole {
			asked = asked.After(i.classes[n][0].move)
		}
		f := *i.at(n)
		low, high := f.bounds()
		begin()
		a, err := s.SolveWithin(ctx, asked, superko.Answer{Low: low, High: high})
		if err != nil && ctx.Err() == nil {
			return false, err
		}
		if a.Low > low || a.High < high {
			f.bound(a.Low, a.High, i.points)
			f.By = BySearch
			i.note(n, f)
			found(n, a)
		}
		return a.Exact(), nil
	})
}

// openTables are the tables of Go that are open.
type openTables struct {
	path string // of a table to use for its board; "" for none
	// cache says that tables are kept in the user's cache; otherwise they are built in memory.
	cache bool

	mu       sync.Mutex
	open     map[board.Size]*tablebase.Table
	building map[board.Size]*building
}

// place is where tables are looked for and kept.
func (s *openTables) place() string {
	if s.cache {
		return job.Cache
	}
	return ""
}

// building is a table that is being built for one question while others wait for it.
type building struct {
	done   chan struct{}
	visits atomic.Uint64
	stages atomic.Uint64 // that are done, in thousandths of all
}

func (b *building) update(p table.Progress) {
	b.visits.Store(p.Visits)
	if p.Stages > 0 {
		b.stages.Store(max(b.stages.Load(), uint64(1000*p.Stage/p.Stages)))
	}
}

func (b *building) share() float64 { return float64(b.stages.Load()) / 1000 }

// build returns the work on a table. If it is new, the caller does it.
func (s *openTables) build(size board.Size) (b *building, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.building[size.Lying()]; b != nil {
		return b, false
	}
	if s.building == nil {
		s.building = map[board.Size]*building{}
	}
	b = &building{done: make(chan struct{})}
	s.building[size.Lying()] = b
	return b, true
}

// built ends the work, with a table or without.
func (s *openTables) built(size board.Size, b *building) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.building, size.Lying())
	close(b.done)
}

func (s *openTables) close() {
	for _, t := range s.open {
		t.Close()
	}
	s.open = nil
}

// find is a table that is open.
func (s *openTables) find(size board.Size) *tablebase.Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[size.Lying()]
}

// put keeps a table. If another question has opened it meanwhile, put closes this one and
// returns the other.
func (s *openTables) put(t *tablebase.Table) *tablebase.Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := t.Header().Size.Lying()
	if other := s.open[size]; other != nil {
		t.Close()
		return other
	}
	if s.open == nil {
		s.open = map[board.Size]*tablebase.Table{}
	}
	s.open[size] = t
	return t
}

// answerByTable reads everything from a table, and on a row without one from the
// strategy.
func (a *Analyst) answerByTable(ctx context.Context, i *inquiry) error {
	if a.tables.path == "" && a.ready(i.position.Size) == nil && i.recite() {
		return nil
	}
	if err := play.CheckGo(i.position.Size); err != nil {
		return err
	}
	t, err := a.table(ctx, i)
	switch {
	case err != nil:
		return err
	case t != nil:
		return i.answerFrom(ctx, t)
	case i.Endless != table.EndlessDrawn:
		return fmt.Errorf("there is no table of %s, and the strategy for rows takes endless games for draws", i.position.Size)
	}
	i.answerByStrategy()
	return nil
}

// recallFromTable reads from a table that is open or in the user's cache, or else from the
// book.
func (a *Analyst) recallFromTable(ctx context.Context, i *inquiry) error {
	if t := a.ready(i.position.Size); t != nil {
		return i.answerFrom(ctx, t)
	}
	if a.tables.path != "" || !i.recite() {
		i.endings()
		i.consultLists()
	}
	return nil
}

// ready is a table that is open or in the user's cache; nil if there is none.
func (a *Analyst) ready(size board.Size) *tablebase.Table {
	t := a.tables.find(size)
	if t == nil && a.tables.path == "" && a.tables.cache {
		if path, err := table.CachePath(size); err == nil {
			if opened, err := tablebase.Open(path, 0); err == nil {
				t = a.tables.put(opened)
			}
		}
	}
	return t
}

// Prepare builds the table of a board of Go if it is small and not there yet, so that no
// question has to wait for it.
func (a *Analyst) Prepare(ctx context.Context, size board.Size) error {
	i, err := newInquiry(Question{Rules: game.Go{}, Start: game.NewPosition(size)}, nil)
	if err != nil || a.ready(size) != nil {
		return err
	}
	_, err = a.table(ctx, i)
	return err
}

// BuildTable builds the table of a board of Go, however long that takes, as far as the
// memory of one question allows. It calls report with its progress.
func (a *Analyst) BuildTable(ctx context.Context, size board.Size, report func(table.Progress)) error {
	i, err := newInquiry(Question{Rules: game.Go{}, Start: game.NewPosition(size)}, nil)
	if err != nil || a.ready(size) != nil {
		return err
	}
	i.building = report
	_, err = a.table(ctx, i)
	return err
}

// table is the table of the board, which is built if it is small; nil on a long row
// without one. Building needs a workspace.
func (a *Analyst) table(ctx context.Context, i *inquiry) (*tablebase.Table, error) {
	size := i.position.Size
	if t := a.tables.find(size); t != nil {
		return t, nil
	}
	if a.tables.path != "" {
		t, err := tablebase.Open(a.tables.path, 0)
		if err != nil {
			return nil, err
		}
		if t.Header().Size.Lying() == size.Lying() {
			return a.tables.put(t), nil
		}
		t.Close()
	}
	if size.IsRow() && size.Points() > table.QuickPoints {
		return a.rowTable(i)
	}
	for {
		if t := a.tables.find(size); t != nil { // built while this question waited
			return t, nil
		}
		work, fresh := a.tables.build(size)
		i.await(work)
		if fresh {
			t, err := a.build(ctx, i, work)
			a.tables.built(size, work)
			i.await(nil)
			return t, err
		}
		select {
		case <-work.done:
			i.await(nil)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// await sets the table that a question waits for; nil is none.
func (i *inquiry) await(work *building) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.built = work
}

// build builds a table in the user's cache.
func (a *Analyst) build(ctx context.Context, i *inquiry, work *building) (*tablebase.Table, error) {
	size := i.position.Size
	d, err := a.acquire(ctx, workspaceKey{i.Rules, size})
	if err != nil {
		return nil, err
	}
	defer a.release(d)
	defer i.counting(work.visits.Load)()
	opened, err := table.Open(ctx, table.Wanted{
		Size: size, Path: a.tables.place(), Limits: job.Limits{Memory: d.memory, Threads: a.threads()}, Fit: true, Long: i.building != nil,
		Progress: func(p table.Progress) {
			work.update(p)
			if i.building != nil {
				i.building(p)
			}
		},
	})
	for _, warning := range opened.Warnings {
		i.warn("%s", warning)
	}
	if err != nil {
		return nil, err
	}
	return a.tables.put(opened.Table), nil
}

// rowTable is the table of a long row in the user's cache; nil if there is none that can
// be read.
func (a *Analyst) rowTable(i *inquiry) (*tablebase.Table, error) {
	path, err := table.CachePath(i.position.Size)
	if err != nil || !a.tables.cache {
		return nil, nil
	}
	t, err := tablebase.Open(path, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		i.warn("%v: playing by strategy instead", err)
		return nil, nil
	}
	return a.tables.put(t), nil
}

// answerFrom looks the position and its moves up.
func (i *inquiry) answerFrom(ctx context.Context, t *tablebase.Table) error {
	answer, err := table.Probe(t, i.position, i.Endless)
	if err != nil {
		return err
	}
	mover := play.NewGoFrom(i.position.Size, t)
	for _, m := range answer.Moves {
		n := i.classOf(m.Move)
		f := i.found[n]
		if f.Move != m.Move || f.By == ByTable {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.Grade, f.By, f.Value = GradeExact, ByTable, m.Value
		if i.Lines {
			f.Line = mover.Line(ctx, i.position, m.Move, i.positions)
		}
		i.mu.Lock()
		i.found[n] = f
		i.changed = append(i.changed, n)
		i.mu.Unlock()
	}
	i.mu.Lock()
	i.root.Grade, i.root.By, i.root.Value = GradeExact, ByTable, answer.Value
	i.mu.Unlock()
	move, line := answer.Moves[0].Move, answer.Line
	if i.Endless == table.EndlessDrawn {
		choice, err := mover.Move(ctx, i.position, i.positions)
		if err != nil {
			return err
		}
		move = choice.Move
	}
	if len(line) == 0 || line[0] != move {
		line = nil
		if i.Endless == table.EndlessDrawn {
			line = mover.Line(ctx, i.position, move, i.positions)
		}
	}
	i.advise(move, line)
	return nil
}

// answerByStrategy bounds moves on a row: where the strategy has an answer to a move the
// opponent draws at least, and where it has one to every answer the mover does.
func (i *inquiry) answerByStrategy() {
	points := i.position.Size.Points()
	i.endings()
	for n, c := range i.classes {
		if i.decided(n) {
			continue
		}
		next := i.after(c[0].move)
		low, high := -points, points
		if _, ok := retro.StripMove(next); ok {
			high = 0
		}
		if retro.Unanswered(next) == 0 {
			low = 0
		}
		if i.position.ToPlay == board.White {
			low, high = -high, -low
		}
		f := i.found[n]
		f.bound(low, high, points)
		f.By = ByStrategy
		i.note(n, f)
	}
	if _, ok := retro.StripMove(i.position); ok {
		f := i.root
		low, high := 0, points
		if i.position.ToPlay == board.White {
			low, high = -high, -low
		}
		f.bound(low, high, points)
		f.By = ByStrategy
		i.note(whole, f)
	}
	move, _ := retro.RowMove(i.position)
	i.advise(move, nil)
}
