package analyse

import (
	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
)

// recite takes in the page of the book about a position of Go, if there is one, and reports
// whether there was.
func (i *inquiry) recite() bool {
	if !i.book || i.historic() || i.Endless != table.EndlessDrawn {
		return false
	}
	page, f, found := book.OfGo(i.position.Size).Page(i.position)
	if !found {
		return false
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, m := range page.Moves {
		n := i.classOf(f.Point(m.Move))
		if i.found[n].Move == f.Point(m.Move) {
			i.found[n] = i.recited(m, f, i.found[n])
			i.changed = append(i.changed, n)
		}
	}
	i.root = i.recited(page.Best, f, i.root)
	i.root.Line = nil
	line := f.Points(page.Best.Line)
	i.advice, i.advised, i.line = line[0], true, line
	return true
}

// bookLine is the line of the book from a move on in which the loser resists as long as it
// can, nil if there is none.
func (a *Analyst) bookLine(q Question, p game.Position, move board.Point) []board.Point {
	if !a.book || q.historic() || q.Endless != table.EndlessDrawn {
		return nil
	}
	page, f, _ := book.OfGo(p.Size).Page(p)
	m, _ := page.Of(f, move)
	return f.Points(m.Why)
}

// recited is what a page says of a move.
func (i *inquiry) recited(m book.Move, f book.Frame, to Finding) Finding {
	to.Grade, to.By, to.Value = GradeExact, ByBook, m.ValueOf(i.toPlay)
	if i.Lines {
		to.Line = f.Points(m.Line)
	}
	return to
}

// consult takes in what the book knows of a position of NoGo and of its moves.
func (i *inquiry) consult() {
	known := book.OfNoGo(i.position.Size)
	if !i.book || known == nil {
		return
	}
	p, c := game.NoGoPosition(i.position), i.position.ToPlay
	for n, class := range i.classes {
		next := game.NoGoPosition(i.after(class[0].move))
		if winner, _, ok := known.Lookup(next, c.Opponent()); ok && !i.decided(n) {
			f := i.found[n]
			f.Grade, f.By, f.Winner = GradeExact, ByBook, winner.Wins()
			f.Line = append(f.Line[:1:1], known.Line(next, c.Opponent())...)
			i.note(n, f)
		}
	}
	winner, move, ok := known.Lookup(p, c)
	if !ok {
		return
	}
	f := i.root
	f.Grade, f.By, f.Winner = GradeExact, ByBook, winner.Wins()
	i.note(whole, f)
	if winner == c {
		i.advise(move, nil)
	}
}

// consultLists takes in what a book from certificates knows of a position of Go and of its
// moves. That holds whatever an endless game counts.
func (i *inquiry) consultLists() {
	known := book.OfGo(i.position.Size)
	if !i.book || i.historic() || known == nil {
		return
	}
	v, ok := known.Bounds(i.position)
	i.mu.Lock()
	defer i.mu.Unlock()
	for n, class := range i.classes {
		next := i.after(class[0].move)
		if w, ok := known.Bounds(next); ok {
			i.prove(n, w.Low, w.High, ByBook)
			f := &i.found[n]
			f.Line = append(f.Line[:1:1], known.Line(next)...)
		}
	}
	if !ok {
		i.inferScore()
		return
	}
	i.prove(whole, v.Low, v.High, ByBook)
	low, high, sure := v.Low, i.points, v.Low
	if i.toPlay == board.White {
		low, high, sure = -i.points, v.High, -v.High
	}
	if v.Leads { // the position after a move that takes stones may not be known by itself
		i.prove(i.classOf(v.Move), low, high, ByBook)
	}
	i.inferScore()
	line := known.Line(i.position)
	switch best, _ := i.root.lead(i.toPlay); {
	case len(line) > 0:
		i.advice, i.advised, i.line = line[0], true, line
	case v.Leads && sure == best:
		i.advice, i.advised = v.Move, true
	}
}
