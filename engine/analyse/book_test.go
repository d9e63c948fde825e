package analyse

import (
	"flag"
	"os"
	"slices"
	"sync"
	"testing"

	"tengen/engine/job"

	"tengen/board"
	"tengen/game"
	"tengen/internal/longtest"
)

var rewrite = flag.Bool("rewrite", false, "add what the book lacks, with the tables and results in the user's cache")

// bookBoards are the boards of the book, and how many moves it goes.
var bookBoards = []struct {
	rules game.Rules
	size  board.Size
	plies int
}{
	{game.Go{}, board.Size{Rows: 3, Cols: 5}, 2},
	{game.Go{}, board.Size{Rows: 4, Cols: 4}, 2},
	{game.NoGo{}, board.Size{Rows: 3, Cols: 6}, 2},
	{game.NoGo{}, board.Size{Rows: 4, Cols: 4}, 2},
	{game.NoGo{}, board.Size{Rows: 4, Cols: 5}, 2},
}

// bookQuestions lists the positions of the book, one of each set of images.
func bookQuestions() (list []Question) {
	for _, b := range bookBoards {
		seen := map[string]bool{}
		now := []Question{{Rules: b.rules, Start: game.NewPosition(b.size), Lines: true}}
		for range b.plies + 1 {
			var next []Question
			for _, q := range now {
				g := game.New(q.Rules, q.Start)
				if g.PlayAll(q.Moves) != nil {
					continue
				}
				text, _ := canonical(q.Rules, g.Position())
				if _, over := q.Rules.End(g.Position(), 0); over || seen[string(text)] {
					continue
				}
				seen[string(text)] = true
				list = append(list, q)
				moves := slices.Collect(g.Legal(g.Position().ToPlay).Points())
				if q.Rules.Passes() {
					moves = append(moves, game.Pass)
				}
				for _, m := range moves {
					after := q
					after.Moves = append(slices.Clone(q.Moves), m)
					next = append(next, after)
				}
			}
			now = next
		}
	}
	return list
}

// same reports whether two analyses say the same of every move, if perhaps with lines and
// advice that are as good.
func same(a, b Analysis) bool {
	value := func(f Finding) [2]any { return [2]any{f.Winner, f.Value} }
	values := func(a Analysis) map[board.Point][2]any {
		m := map[board.Point][2]any{board.Point(-2): value(a.Best)}
		for _, f := range a.Moves {
			m[f.Move] = value(f)
		}
		return m
	}
	x, y := values(a), values(b)
	for move, v := range x {
		if y[move] != v {
			return false
		}
	}
	return len(x) == len(y) && a.Settled() && b.Settled()
}

// From an empty cache the book answers its questions without a search, from all sides.
func TestBookAnswers(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := New(Options{Table: job.Cache})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	list := bookQuestions()
	if n := len(theBook()); n != len(list) {
		t.Errorf("the book has %d pages, wanted are %d", n, len(list))
	}
	for n, q := range list {
		got, err := a.Recall(t.Context(), q)
		if err != nil || !got.Settled() || got.Best.By != ByBook || got.Best.Name == "" {
			t.Fatalf("%v after %v: %+v, %v", q.Rules, game.MoveNames(q.Start.Size, q.Moves), got.Best, err)
		}
		if best := got.Moves[0]; best.Winner != got.Best.Winner || best.Score != got.Best.Score {
			t.Errorf("%v after %v: the best move is %+v, the position %+v", q.Rules, game.MoveNames(q.Start.Size, q.Moves), best, got.Best)
		}
		symmetries := q.Start.Size.Symmetries()
		sym := symmetries[n%len(symmetries)]
		mapped := q
		mapped.Start, mapped.Moves = got.Position.Map(sym), nil
		turned, err := a.Recall(t.Context(), mapped)
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range turned.Moves {
			turned.Moves[i] = f.mapped(q.Start.Size, q.Start.Size.Inverse(sym))
		}
		if !same(got, turned) {
			t.Errorf("%v after %v is different under %v", q.Rules, game.MoveNames(q.Start.Size, q.Moves), sym)
		}
	}
}

// Every page of the book is what an analysis finds.
func TestBookIsRight(t *testing.T) {
	if !*rewrite {
		longtest.Skip(t)
	}
	a, err := New(Options{Store: job.Cache, Table: job.Cache, NoBook: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var pages []bookPage
	for _, q := range bookQuestions() {
		if *rewrite {
			g := game.New(q.Rules, q.Start)
			if err := g.PlayAll(q.Moves); err != nil {
				t.Fatal(err)
			}
			text, _ := canonical(q.Rules, g.Position())
			if p, found := openAt(text); found {
				pages = append(pages, p)
				continue
			}
		}
		want, err := a.Analyse(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := page(q.Rules, want)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
		if *rewrite {
			continue
		}
		i, err := newInquiry(q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if i.book = true; !i.recite() || !same(i.snapshot(), want) {
			t.Errorf("%v after %v: the book has %+v, the analysis %+v", q.Rules, game.MoveNames(q.Start.Size, q.Moves), i.snapshot(), want)
		}
	}
	if !*rewrite {
		return
	}
	file, err := writeBook(pages)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("book.jsonl.gz", file, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Questions that need the same table wait for the one that builds it.
func TestTableIsBuiltOnce(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := New(Options{Table: job.Cache, Parallel: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	q := Question{Rules: game.Go{}, Start: game.NewPosition(board.Size{Rows: 3, Cols: 3})}
	var all sync.WaitGroup
	all.Go(func() {
		if err := a.Prepare(t.Context(), q.Start.Size); err != nil {
			t.Error(err)
		}
	})
	for range 4 {
		all.Go(func() {
			got, err := a.Analyse(t.Context(), q, nil)
			if err != nil || got.Best.Score != 9 || len(got.Warnings) > 0 || got.Building {
				t.Errorf("%+v, %v, %v", got.Best, got.Warnings, err)
			}
		})
	}
	all.Wait()
	if len(a.tables.building) > 0 {
		t.Error("the work is not over")
	}
}
