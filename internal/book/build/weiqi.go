package build

import (
	"context"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Go is a book of Go to be made. The table in the user's cache is used, and built if it is
// not there.
type Go struct {
	Size board.Size
	Depth
	job.Limits
	Report   func(says string)
	Started  func(table.Plan)     // is told what a build of the table is about to use
	Progress func(table.Progress) // and how it goes
}

// Make makes the file.
func (b Go) Make(ctx context.Context) ([]byte, error) {
	limits, err := b.Settle()
	if err != nil {
		return nil, err
	}
	info, _, err := table.Build(ctx, table.Request{
		Size: b.Size.Lying(), Loops: tablebase.Range, Distance: true, Path: job.Cache, Limits: limits, Started: b.Started, Progress: b.Progress,
	})
	if err != nil {
		return nil, err
	}
	t, err := tablebase.Open(info.Path, 0)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	seen, err := t.Verify(ctx, tablebase.Verification{Threads: limits.Threads, Memory: limits.Memory})
	if ctx.Err() != nil {
		return nil, &job.Stopped{Cause: ctx.Err(), Known: "the book is not written"}
	}
	if err != nil {
		return nil, err
	}
	if b.Report != nil {
		b.Report(fmt.Sprintf("table of %s checked, %d boards", info.Size, seen.Boards))
	}
	analyst, err := analyse.New(analyse.Options{Limits: limits, Table: info.Path, NoBook: true})
	if err != nil {
		return nil, err
	}
	defer analyst.Close()
	var pages []book.Page
	for _, q := range questions(b.Size.Lying(), b.Decided) {
		p, err := page(ctx, analyst, t, q)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return book.GoFile(book.Header{Size: b.Size, Decided: b.Decided}, pages)
}

// questions lists the positions up to a number of moves, one of each set of images.
func questions(size board.Size, moves int) (list []analyse.Question) {
	seen := map[string]bool{}
	now := []analyse.Question{{Rules: game.Go{}, Start: game.NewPosition(size), Lines: true}}
	for range moves + 1 {
		var next []analyse.Question
		for _, q := range now {
			g := game.New(q.Rules, q.Start)
			if g.PlayAll(q.Moves) != nil {
				continue
			}
			text, _ := book.Canonical(q.Rules, g.Position())
			if _, over := q.Rules.End(g.Position(), 0); over || seen[string(text)] {
				continue
			}
			seen[string(text)] = true
			list = append(list, q)
			for _, m := range append(slices.Collect(g.Legal(g.Position().ToPlay).Points()), game.Pass) {
				after := q
				after.Moves = append(slices.Clone(q.Moves), m)
				next = append(next, after)
			}
		}
		now = next
	}
	return list
}

// page is what the table says of a position.
func page(ctx context.Context, analyst *analyse.Analyst, t *tablebase.Table, q analyse.Question) (book.Page, error) {
	a, err := analyst.Analyse(ctx, q, nil)
	if err != nil {
		return book.Page{}, err
	}
	if !a.Settled() || len(a.Moves) == 0 || a.Best.Name == "" {
		return book.Page{}, fmt.Errorf("the table does not know everything of\n%s", a.Position.Size.Diagram(a.Position.Stones))
	}
	answer, err := table.Probe(t, a.Position, table.EndlessDrawn)
	if err != nil {
		return book.Page{}, err
	}
	text, f := book.Canonical(q.Rules, a.Position)
	entry := func(found analyse.Finding) book.Move {
		return book.NewMove(f, a.Position.ToPlay, found.Move, found.Value, found.Line)
	}
	p := book.Page{Question: string(text), Best: entry(a.Best), Line: f.Numbers(answer.Line), Round: answer.Round, Before: answer.Before}
	for _, found := range a.Moves {
		m := entry(found)
		after, err := weiqi.Rules{}.Play(a.Position, found.Move)
		if err != nil {
			return book.Page{}, err
		}
		if answer, err = table.ProbeWhy(t, after, table.EndlessDrawn); err != nil {
			return book.Page{}, err
		}
		m.Why, m.Round = f.Numbers(append([]board.Point{found.Move}, answer.Line...)), answer.Round
		p.Moves = append(p.Moves, m)
	}
	return p, nil
}
