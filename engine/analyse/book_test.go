package analyse

import (
	"slices"
	"sync"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/longtest"
)

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

// bookQuestions lists the positions before the number of moves to which everything is
// decided in the books of a game, and of Go also after it. Books of Go from certificates
// decide not every move.
func bookQuestions(t *testing.T, rules game.Rules) (list []Question) {
	t.Helper()
	books, _, err := book.List()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range books {
		if b.Game != rules.Name() || b.Certified {
			continue
		}
		depth := b.Decided
		if rules.Scored() {
			depth++
		}
		now := []Question{{Rules: rules, Start: game.NewPosition(b.Size), Lines: true}}
		seen := map[string]bool{}
		for range depth {
			var next []Question
			for _, q := range now {
				g := game.New(q.Rules, q.Start)
				if err := g.PlayAll(q.Moves); err != nil {
					t.Fatal(err)
				}
				text, _ := book.Canonical(rules, g.Position())
				if _, over := rules.End(g.Position(), 0); over || seen[string(text)] {
					continue
				}
				seen[string(text)] = true
				list = append(list, q)
				moves := slices.Collect(g.Legal(g.Position().ToPlay).Points())
				if rules.Passes() {
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

// From an empty cache the book answers its questions without a search, from all sides.
func TestBookAnswers(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := New(Options{Table: job.Cache})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for n, q := range append(bookQuestions(t, game.NoGo{}), bookQuestions(t, game.Go{})...) {
		got, err := a.Recall(t.Context(), q)
		if err != nil || !got.Settled() || got.Best.By != ByBook || got.Best.Name == "" {
			t.Fatalf("%v %v after %v: %+v, %v", q.Rules, q.Start.Size, game.MoveNames(q.Start.Size, q.Moves), got.Best, err)
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

// withBooks is an analyst and the books in the program.
func withBooks(t *testing.T) (*Analyst, []book.Info) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	a, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close() })
	books, _, err := book.List()
	if err != nil {
		t.Fatal(err)
	}
	return a, books
}

// Along best play the winner of every board of NoGo in the book is known at once: at the
// beginning, after the winner's move and after every reply to it.
func TestBookAlongBestPlay(t *testing.T) {
	a, books := withBooks(t)
	for _, b := range books {
		if b.Game != (game.NoGo{}).Name() {
			continue
		}
		q := Question{Rules: game.NoGo{}, Start: game.NewPosition(b.Size)}
		known := func(moves ...board.Point) Analysis {
			t.Helper()
			q.Moves = moves
			got, err := a.Recall(t.Context(), q)
			if err != nil || got.Best.Grade != GradeExact || got.Best.Name == "" {
				t.Fatalf("%v after %v: %+v, %v", b.Size, game.MoveNames(b.Size, moves), got.Best, err)
			}
			return got
		}
		first := known()
		after := known(first.Best.Move)
		if after.Best.Winner != first.Best.Winner || b.Size.Points() > book.SearchedPoints && len(first.Best.Line) < b.Stones {
			t.Errorf("%v: %v wins, and after %v %v", b.Size, first.Best.Winner, game.MoveNames(b.Size, first.Best.Line), after.Best.Winner)
		}
		if first.Best.Winner.Is(board.White) {
			continue // the replies to every first move are decided with these
		}
		for _, reply := range after.Moves {
			if third := known(first.Best.Move, reply.Move); b.Size.Points() > 16 && third.Best.Winner != first.Best.Winner {
				t.Errorf("%v: after %s %s %v wins", b.Size, first.Best.Name, reply.Name, third.Best.Winner)
			}
		}
	}
}

// Along best play the score on every board of Go with a book from certificates is known at
// once.
func TestListsAlongBestPlay(t *testing.T) {
	a, books := withBooks(t)
	for _, b := range books {
		if !b.Certified {
			continue
		}
		known := func(moves ...board.Point) Analysis {
			t.Helper()
			got, err := a.Recall(t.Context(), Question{Rules: game.Go{}, Start: game.NewPosition(b.Size), Moves: moves})
			if err != nil || got.Best.Grade != GradeExact || got.Best.Name == "" {
				t.Fatalf("%v after %v: %+v, %v", b.Size, game.MoveNames(b.Size, moves), got.Best, err)
			}
			return got
		}
		first := known()
		if len(first.Best.Line) < b.Stones || first.Best.By != ByBook {
			t.Errorf("%v: the line is %v", b.Size, game.MoveNames(b.Size, first.Best.Line))
		}
		for _, reply := range known(first.Best.Move).Moves {
			if third := known(first.Best.Move, reply.Move); third.Best.Score != first.Best.Score || reply.Score != first.Best.Score {
				t.Errorf("%v: after %s %s: %+v", b.Size, first.Best.Name, reply.Name, third.Best)
			}
		}
	}
}

// Every page of the book of Go is what the table says, and so is every winner in the book
// of NoGo.
func TestBookIsRight(t *testing.T) {
	longtest.Skip(t)
	with, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer with.Close()
	without, err := New(Options{Store: job.Cache, Table: job.Cache, NoBook: true})
	if err != nil {
		t.Fatal(err)
	}
	defer without.Close()
	for _, q := range append(bookQuestions(t, game.NoGo{}), bookQuestions(t, game.Go{})...) {
		got, err := with.Recall(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		want, err := without.Analyse(t.Context(), q, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !same(got, want) {
			t.Errorf("%v after %v: the book has %+v, the analysis %+v", q.Rules, game.MoveNames(q.Start.Size, q.Moves), got, want)
		}
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
