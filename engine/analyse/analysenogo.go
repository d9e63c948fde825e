package analyse

import (
	"context"
	"errors"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/play"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/method"
	"tengen/internal/player"
	"tengen/internal/solver"
)

// nogoWork is a question about NoGo with its workspace.
type nogoWork struct {
	*inquiry
	workspace *workspace
	mover     play.Mover // who estimates; nil as long as nobody does
	turns     turns
	// hopeless are classes that are too large for the search of endgames. The mover thinks
	// about them once the position is known to be won, and about the position before.
	hopeless map[int]bool
}

// answerNoGo solves, and alternates with estimates if the question asks for them.
func (d *workspace) answerNoGo(ctx context.Context, i *inquiry) error {
	if err := d.setNoGo(ctx, i); err != nil {
		return err
	}
	w := &nogoWork{inquiry: i, workspace: d, turns: i.turns(firstTurn), hopeless: map[int]bool{}}
	if i.Estimates && !w.soon() {
		if err := w.openMover(ctx); err != nil {
			return err
		}
	}
	if d.solver != nil {
		defer i.counting(func() uint64 { return d.solver.Stats().Nodes })()
	} else {
		defer i.counting(func() uint64 { return d.decider.Stats().Nodes })()
	}
	if err := w.work(ctx); err != nil {
		return err
	}
	w.conclude(ctx)
	return nil
}

// openMover prepares the mover that estimates, or takes that of the question.
func (w *nogoWork) openMover(ctx context.Context) error {
	if w.mover = w.Mover; w.mover != nil {
		return nil
	}
	err := w.workspace.setMover(ctx)
	w.mover = w.workspace.mover
	return err
}

// soon reports whether proofs come soon.
func (w *nogoWork) soon() bool { return w.workspace.solver != nil && w.open() <= soonPoints }

// headStart is the time for proofs alone where they come soon. Mostly they are complete by
// then, and no mover is needed.
const headStart = 200 * time.Millisecond

// work continues until everything is decided. Proofs and estimates get equal time. Where proofs
// come soon, estimates get an eighth, after the head start. A slice of a proof may be long;
// estimates then catch up in several pieces.
func (w *nogoWork) work(ctx context.Context) error {
	if !w.Estimates {
		err := w.turns.take(ctx, time.Time{}, w.prove)
		if err == nil && !w.settled() {
			return w.tooMuch()
		}
		return err
	}
	share := time.Duration(1)
	var due time.Duration // of estimates
	if w.soon() {
		share = 8
		due = -headStart / share
	}
	for !w.settled() {
		if w.root.Grade == GradeExact && len(w.turns) == 0 {
			w.turns = w.inquiry.turns(firstTurn) // try the hopeless ones again
		}
		begin := time.Now()
		if err := w.turns.take(ctx, begin.Add(w.Every), w.prove); err != nil {
			return err
		}
		due += time.Since(begin) / share
		if len(w.turns) == 0 { // nothing is left to prove, so estimates have all the time
			due = max(due, 1)
		}
		for ; !w.settled() && due > 0; due -= w.Every {
			if err := w.estimate(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *nogoWork) tooMuch() error { return &solve.TooMuchLeft{Size: w.position.Size, Open: w.open()} }

// open counts the points that can be played on.
func (i *inquiry) open() int {
	return method.Playable(game.NoGoPosition(i.position))
}

// prove tries to decide a class or the position.
func (w *nogoWork) prove(ctx context.Context, n int) (closed bool, err error) {
	if w.decided(n) {
		return true, nil
	}
	q := w.query(n)
	switch {
	case w.hopeless[n] && w.root.Grade == GradeExact:
		return w.ask(ctx, n)
	case w.hopeless[n]:
		return true, nil
	case w.workspace.solver != nil:
		w.workspace.shareThreads(w.workspace.solver)
		before := w.workspace.solver.Stats().Nodes
		answer, err := w.workspace.solver.Solve(ctx, q)
		if err != nil {
			return false, err
		}
		stats := w.workspace.solver.Stats()
		w.conclusion(n, q, answer.Winner == q.ToPlay, answer.Move, BySearch, stats.ErrorBound, stats.Nodes-before)
		return true, nil
	}
	before := w.workspace.decider.Stats().Nodes
	known, move, err := w.workspace.decider.Decide(ctx, q.Position, q.ToPlay)
	switch {
	case errors.Is(err, player.ErrTooMuchLeft):
		w.hopeless[n] = true
		return true, nil
	case err != nil:
		return false, err
	}
	stats := w.workspace.decider.Stats()
	w.conclusion(n, q, known == game.Won, move, ByEndgame, stats.ErrorBound, stats.Nodes-before)
	return true, nil
}

// ask has the mover decide a move by the replies of the opponent.
func (w *nogoWork) ask(ctx context.Context, n int) (closed bool, err error) {
	q := w.query(n)
	deadline, _ := ctx.Deadline()
	choice, err := w.mover.Move(ctx, q.Position, q.ToPlay, play.Budget{Time: time.Until(deadline), All: true})
	if err != nil || choice.Known == game.Unknown {
		return false, err
	}
	f := w.found[n]
	f.Grade, f.By, f.Winner = GradeExact, basis(choice.Source), q.ToPlay.WinsIf(choice.Known == game.Won)
	f.ErrorBound = choice.ErrorBound
	f.Line = append([]board.Point{f.Move}, choice.Line...)
	w.keepProven(n, f, choice.Move, choice.Known == game.Won, uint64(choice.Playouts))
	w.note(n, f)
	w.report()
	return true, nil
}

// conclusion adds and keeps the result of a search.
func (w *nogoWork) conclusion(n int, q solver.Query, wins bool, move board.Point, by Basis, bound float64, effort uint64) {
	f := *w.at(n)
	f.Grade, f.By, f.Winner, f.ErrorBound = GradeExact, by, q.ToPlay.WinsIf(wins), bound
	switch {
	case n != whole:
		if wins {
			f.Line = []board.Point{f.Move, move}
		}
	case wins:
		w.advise(move, nil)
		winning := w.classOf(move)
		by := w.won(f, move)
		w.keepProven(winning, by, board.NoPoint, false, effort)
		w.note(winning, by)
	}
	w.keepProven(n, f, move, wins, effort)
	w.note(n, f)
	w.report()
}

// won is the finding that a move wins, by what is known of the position.
func (w *nogoWork) won(f Finding, move board.Point) Finding {
	n := w.classOf(move)
	f.Move, f.Name, f.Line = w.found[n].Move, w.found[n].Name, w.found[n].Line
	return f
}

// classOf is the class of a move, whole if it is not legal.
func (i *inquiry) classOf(move board.Point) int {
	return slices.IndexFunc(i.classes, func(c class) bool {
		return slices.ContainsFunc(c, func(m image) bool { return m.move == move })
	})
}

// estimate lets the mover think about the position for a while.
func (w *nogoWork) estimate(ctx context.Context) error {
	if w.mover == nil {
		if err := w.openMover(ctx); err != nil {
			return err
		}
	}
	if w.Mover == nil {
		w.workspace.shareThreads(w.mover)
	}
	choice, err := w.mover.Move(ctx, game.NoGoPosition(w.position), w.position.ToPlay, play.Budget{Time: w.Every, All: true})
	if err != nil {
		return err
	}
	by := basis(choice.Source)
	if choice.Known != game.Unknown {
		f := w.root
		f.Grade, f.By, f.Winner, f.ErrorBound = GradeExact, by, w.position.ToPlay.WinsIf(choice.Known == game.Won), choice.ErrorBound
		if choice.Known == game.Won {
			n := w.classOf(choice.Move)
			w.note(n, w.won(f, choice.Move))
		}
		w.note(whole, f)
	}
	w.fold(choice, by)
	w.advise(choice.Move, choice.Line)
	w.mu.Lock()
	w.playouts += choice.Playouts
	w.mu.Unlock()
	w.report()
	return ctx.Err()
}

// fold adds the results of a mover. A class has those of its most visited move.
func (w *nogoWork) fold(choice game.Choice, by Basis) {
	moves := choice.Moves
	if len(moves) == 0 && choice.Playouts > 0 {
		moves = []game.MoveStats{{Move: choice.Move, Visits: choice.Playouts, WinShare: choice.WinShare, Line: choice.Line}}
	}
	most := make([]game.MoveStats, len(w.classes))
	for _, m := range moves {
		n := w.classOf(m.Move)
		if n == whole {
			continue
		}
		f := w.found[n]
		if m.Known != game.Unknown {
			fresh := f.Grade != GradeExact
			f.Grade, f.By, f.Winner, f.ErrorBound = GradeExact, by, w.position.ToPlay.WinsIf(m.Known == game.Won), choice.ErrorBound
			if fresh {
				w.keepProven(n, f, board.NoPoint, false, uint64(m.Visits))
			}
			w.note(n, f)
		}
		if m.Visits > most[n].Visits {
			most[n] = m
		}
	}
	for n, m := range most {
		if m.Visits > 0 && w.found[n].Grade <= GradeEstimated {
			w.note(n, w.estimated(n, m))
		}
	}
}

// estimated is the result of a move, mapped to the first move of its class.
func (w *nogoWork) estimated(n int, m game.MoveStats) Finding {
	f := Finding{
		Move: m.Move, Grade: GradeEstimated, By: ByPlayouts,
		WinShare: m.WinShare, Visits: m.Visits, Prior: m.Prior, Line: m.Line,
	}
	if len(f.Line) == 0 {
		f.Line = []board.Point{m.Move}
	}
	size := w.position.Size
	of := slices.IndexFunc(w.classes[n], func(i image) bool { return i.move == m.Move })
	return f.mapped(size, size.Inverse(w.classes[n][of].sym))
}

// basis is the basis of a player's result.
func basis(s game.Source) Basis {
	switch s {
	case game.FromCertificate:
		return ByCertificate
	case game.FromSearch:
		return BySearch
	}
	return ByTree
}

// lineTime limits the search of a line once everything is decided.
const lineTime = 2 * time.Second

// conclude finds the move to recommend and a line of best play, and keeps the move.
func (w *nogoWork) conclude(ctx context.Context) {
	if w.workspace.solver != nil {
		limited, cancel := context.WithTimeout(ctx, lineTime)
		defer cancel()
		q := w.query(whole)
		if choice, err := player.New(w.workspace.solver, nil).Answer(limited, q); err == nil {
			line := player.PlayOut(limited, w.workspace.solver, q.After(choice.Move), false)
			w.advise(choice.Move, append([]board.Point{choice.Move}, line...))
		}
	}
	root := w.root
	if w.workspace.solver != nil {
		root.ErrorBound = max(root.ErrorBound, w.workspace.solver.Stats().ErrorBound) // the line was searched too
	}
	w.keepProven(whole, root, w.advice, w.advised, w.count())
}

// keepProven keeps results of a search, with their error bounds. It leaves out those from the
// store, from a certificate and from the rules.
func (w *nogoWork) keepProven(n int, f Finding, reply board.Point, replied bool, effort uint64) {
	switch f.By {
	case BySearch, ByEndgame, ByTree:
		m := memory{low: -1, high: -1, reply: reply, replied: replied, bound: f.ErrorBound, effort: effort}
		if toPlay := w.query(n).ToPlay; f.Winner.Is(toPlay) {
			m.low, m.high = 1, 1
		}
		w.keep(n, m)
	}
}

// follow puts a line together from replies that are kept.
func (i *inquiry) follow() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.advised {
		return
	}
	f := i.found[i.classOf(i.advice)]
	for _, m := range i.classes[i.classOf(i.advice)] {
		if m.move == i.advice {
			i.line = f.mapped(i.position.Size, m.sym).Line
		}
	}
}
