package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/solver/retro"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

// answerSuperko searches the position and its moves in turns; what is proven of one
// bounds the others.
func (d *desk) answerSuperko(ctx context.Context, i *inquiry) error {
	if i.Endless != EndlessDrawn {
		return errors.New("under superko no game is endless: leave out what one would count")
	}
	q := superko.Question{Start: i.Start, Moves: i.Moves}
	if err := q.Check(); err != nil {
		return err
	}
	if d.superko == nil {
		options := superko.Options{Rules: i.Rules.(game.Go).Rules, Memory: d.memory, Threads: d.analyst.limits.Threads}
		s, err := superko.New(ctx, d.size, options)
		if err != nil {
			return err
		}
		d.superko = s
	}
	s := d.superko
	defer i.counting(func() uint64 { return s.Stats().Nodes })()
	before := s.Stats().Nodes
	err := i.searchScores(ctx, s, firstTurn, func() { d.employ(s) }, func(n int, a superko.Answer) {
		nodes := s.Stats().Nodes
		i.keep(n, memory{low: a.Low, high: a.High, effort: nodes - before})
		before = nodes
		i.tell()
	})
	if err == nil && i.Lines {
		limited, cancel := context.WithTimeout(ctx, lineTime)
		defer cancel()
		if line, err := s.Short(limited, q); err == nil && len(line) > 0 {
			i.advise(line[0], line)
		}
	}
	return err
}

// searchScores searches the position and its moves in turns, the first of a length; the
// bounds that are proven of one are a beginning for the others. Begin is called before
// each turn, and found hears of all.
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

// tableShelf has the tables of Go that are open.
type tableShelf struct {
	path string // of a table to use for its board; "" for none

	mu       sync.Mutex
	open     map[board.Size]*Table
	building map[board.Size]*building
}

// building is a table that is being built for one question while others wait for it.
type building struct {
	done   chan struct{}
	visits atomic.Uint64
	stages atomic.Uint64 // that are done, in thousandths of all
}

func (b *building) hear(p TableProgress) {
	b.visits.Store(p.Visits)
	if p.Stages > 0 {
		b.stages.Store(max(b.stages.Load(), uint64(1000*p.Stage/p.Stages)))
	}
}

func (b *building) share() float64 { return float64(b.stages.Load()) / 1000 }

// build is the work on a table, which is the caller's to do if it is new.
func (s *tableShelf) build(size board.Size) (b *building, fresh bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.building[lying(size)]; b != nil {
		return b, false
	}
	if s.building == nil {
		s.building = map[board.Size]*building{}
	}
	b = &building{done: make(chan struct{})}
	s.building[lying(size)] = b
	return b, true
}

// built ends the work, with a table or without.
func (s *tableShelf) built(size board.Size, b *building) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.building, lying(size))
	close(b.done)
}

func (s *tableShelf) close() {
	for _, t := range s.open {
		t.Close()
	}
	s.open = nil
}

// find is a table that is open.
func (s *tableShelf) find(size board.Size) *Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open[lying(size)]
}

// put keeps a table, or gives it back for one that another question has opened.
func (s *tableShelf) put(t *Table) *Table {
	s.mu.Lock()
	defer s.mu.Unlock()
	size := lying(t.Header().Size)
	if other := s.open[size]; other != nil {
		t.Close()
		return other
	}
	if s.open == nil {
		s.open = map[board.Size]*Table{}
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
	t, err := a.table(ctx, i)
	switch {
	case err != nil:
		return err
	case t != nil:
		return i.answerFrom(t)
	case i.Endless != EndlessDrawn:
		return fmt.Errorf("there is no table of %s, and the strategy for rows takes endless games for draws", i.position.Size)
	}
	i.answerByStrategy()
	return nil
}

// recallFromTable reads from a table that is open or in the user's cache, or else from the
// book.
func (a *Analyst) recallFromTable(i *inquiry) error {
	if t := a.ready(i.position.Size); t != nil {
		return i.answerFrom(t)
	}
	if a.tables.path != "" || !i.recite() {
		i.endings()
	}
	return nil
}

// ready is a table that is open or in the user's cache; nil if there is none.
func (a *Analyst) ready(size board.Size) *Table {
	t := a.tables.find(size)
	if t == nil && a.tables.path == "" {
		if path, err := cachedTable(size); err == nil {
			if opened, err := OpenTable(path); err == nil {
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

// table is the table of the board, which is built if it is small; nil on a long row
// without one. Building takes a desk.
func (a *Analyst) table(ctx context.Context, i *inquiry) (*Table, error) {
	size := i.position.Size
	if t := a.tables.find(size); t != nil {
		return t, nil
	}
	if a.tables.path != "" {
		t, err := OpenTable(a.tables.path)
		if err != nil {
			return nil, err
		}
		if lying(t.Header().Size) == lying(size) {
			return a.tables.put(t), nil
		}
		t.Close()
	}
	if isRow(size) && size.Points() > quickPoints {
		mover := newRowMover(size)
		for _, warning := range mover.warnings {
			i.warn("%s", warning)
		}
		if mover.table == nil {
			return nil, nil
		}
		return a.tables.put(mover.table), nil
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

// await notes the table that a question waits for, nil if there is none.
func (i *inquiry) await(work *building) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.built = work
}

// build builds a table in the user's cache.
func (a *Analyst) build(ctx context.Context, i *inquiry, work *building) (*Table, error) {
	size := i.position.Size
	d, err := a.sit(ctx, deskFor{i.Rules, size})
	if err != nil {
		return nil, err
	}
	defer a.leave(d)
	defer i.counting(work.visits.Load)()
	request := GoRequest{
		Position: weiqi.NewPosition(size), Limits: Limits{Memory: d.memory, Threads: a.threads()},
		TableProgress: work.hear,
	}
	var result GoResult
	t, err := request.openTable(ctx, &result)
	for _, warning := range result.Warnings {
		i.warn("%s", warning)
	}
	if err != nil {
		return nil, err
	}
	return a.tables.put(t), nil
}

// answerFrom looks the position and its moves up.
func (i *inquiry) answerFrom(t *Table) error {
	answer, err := t.Probe(i.position, i.Endless)
	if err != nil {
		return err
	}
	mover := &GoMover{size: i.position.Size, table: t}
	for _, m := range answer.Moves {
		n := i.classOf(m.Move)
		f := i.found[n]
		if f.Move != m.Move || f.By == ByTable {
			continue
		}
		f.Grade, f.By, f.GoValue = GradeExact, ByTable, m.GoValue
		if i.Lines {
			f.Line = mover.Line(i.position, m.Move, i.positions)
		}
		i.mu.Lock()
		i.found[n] = f
		i.changed = append(i.changed, n)
		i.mu.Unlock()
	}
	i.mu.Lock()
	i.root.Grade, i.root.By, i.root.GoValue = GradeExact, ByTable, answer.GoValue
	i.mu.Unlock()
	if i.Endless == EndlessDrawn {
		if err := mover.prefer(i.position, answer.Moves, i.positions); err != nil {
			return err
		}
	}
	move, line := answer.Moves[0].Move, answer.Line
	if len(line) == 0 || line[0] != move {
		line = nil
		if i.Endless == EndlessDrawn {
			line = mover.Line(i.position, move, i.positions)
		}
	}
	i.advise(move, line)
	return nil
}

// maxLine bounds a line that is shown: those of draws need not end.
const maxLine = 20

// Line is best play after a move in p, as far as it is worth showing, in the manner of
// Probe. Earlier is as for Move.
func (m *GoMover) Line(p weiqi.Position, first board.Point, earlier []weiqi.Position) []board.Point {
	earlier = slices.Clone(earlier)
	line := []board.Point{first}
	for at := first; len(line) < maxLine; {
		next, err := weiqi.Rules{}.Play(p, at)
		if err != nil || next.Over() {
			break
		}
		p = next
		if at, err = m.onLine(p, earlier); err != nil {
			break
		}
		line, earlier = append(line, at), append(earlier, p)
	}
	return line
}

// onLine is the move of a line. Where nobody wins, and where the table does not know how
// long a game is, the player is asked, who gets on.
func (m *GoMover) onLine(p weiqi.Position, earlier []weiqi.Position) (board.Point, error) {
	if m.table != nil && m.table.Header().Distance {
		switch a, err := m.look(p); {
		case err != nil:
			return board.NoPoint, err
		case a.Score != 0:
			return lineMove(p, a).Move, nil
		}
	}
	choice, err := m.Move(p, earlier)
	return choice.Move, err
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
		if unanswered(next) == 0 {
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
	if choice, err := rowChoice(i.position); err == nil {
		i.advise(choice.Move, nil)
	}
}
