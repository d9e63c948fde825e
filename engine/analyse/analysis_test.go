package analyse_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/internal/oracle"
	"tengen/nogo"
	"tengen/weiqi"
)

func newAnalyst(t testing.TB, o analyse.Options) *analyse.Analyst {
	t.Helper()
	if o.Memory == 0 {
		o.Memory = testMemory
	}
	a, err := analyse.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func storeFile(t testing.TB) string { return filepath.Join(t.TempDir(), "results") }

// analysed asks, and checks what is heard on the way: every change comes before the
// answer, and what is exact stays.
func analysed(t testing.TB, a *analyse.Analyst, q analyse.Question) analyse.Analysis {
	t.Helper()
	result, err := listen(t, a, t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Settled() {
		t.Fatalf("%d of %d classes are decided without an error in\n%s", result.Decided, result.Classes, q.Start.Size.Diagram(q.Start.Stones))
	}
	return result
}

func listen(t testing.TB, a *analyse.Analyst, ctx context.Context, q analyse.Question) (analyse.Analysis, error) {
	t.Helper()
	heard := map[board.Point]analyse.Finding{}
	var mu sync.Mutex
	result, err := a.Analyse(ctx, q, func(u analyse.Update) {
		if !mu.TryLock() {
			t.Error("two updates at once")
			return
		}
		defer mu.Unlock()
		for _, f := range u.Changed {
			if old := heard[f.Move]; old.Grade == analyse.GradeExact && (old.Winner != f.Winner || old.Value != f.Value) || old.Grade > f.Grade {
				t.Errorf("%s was %v %v %v and is %v %v %v", f.Name, old.Grade, old.Winner, old.Value, f.Grade, f.Winner, f.Value)
			}
			heard[f.Move] = f
		}
	})
	mu.Lock()
	for _, f := range result.Moves {
		if h := heard[f.Move]; h.Grade != f.Grade || h.Value != f.Value && f.Grade > 0 {
			t.Errorf("%s: heard %v %v, answered %v %v", f.Name, h.Grade, h.Value, f.Grade, f.Value)
		}
		if f.Name != game.MoveName(result.Position.Size, f.Move) || len(f.Line) == 0 || f.Line[0] != f.Move {
			t.Errorf("%s: %+v", f.Name, f)
		}
	}
	return result, err
}

func askNoGo(p nogo.Position, c board.Colour) analyse.Question {
	return analyse.Question{Rules: game.NoGo{}, Start: game.Start(p.Size, p.Stones, c)}
}

// checkNoGo compares an answer with brute force.
func checkNoGo(t testing.TB, p nogo.Position, c board.Colour, a analyse.Analysis, memo oracle.Memo) {
	t.Helper()
	wins := func(p nogo.Position, c board.Colour) board.Colour {
		if oracle.WinsWithin(p, c, board.Black, p.Size.Points(), memo) {
			return board.Black
		}
		return board.White
	}
	diagram := func() string { return p.Size.Diagram(p.Stones) }
	if want := wins(p, c); !a.Best.Winner.Is(want) {
		t.Errorf("%s to play: %s wins by %s, not %s, in\n%s", c, want, a.Best.By, a.Best.Winner, diagram())
	}
	if len(a.Moves) != p.Legal(c).Len() {
		t.Errorf("%d of %d moves are listed in\n%s", len(a.Moves), p.Legal(c).Len(), diagram())
	}
	for i, f := range a.Moves {
		next := p
		next.Stones[c].Add(f.Move)
		if want := wins(next, c.Opponent()); !f.Winner.Is(want) {
			t.Errorf("%s %s: %s wins by %s, not %s, in\n%s", c, f.Name, want, f.By, f.Winner, diagram())
		}
		if i > 0 && f.Winner.Is(c) && !a.Moves[i-1].Winner.Is(c) {
			t.Errorf("%s is listed behind moves that lose in\n%s", f.Name, diagram())
		}
	}
	if len(a.Moves) > 0 && (a.Best.Name == "" || !p.Legal(c).Has(a.Best.Move) || a.Best.Line[0] != a.Best.Move) {
		t.Errorf("best is %+v in\n%s", a.Best, diagram())
	}
	if a.Best.Winner.Is(c) && a.Best.Name != "" {
		next := p
		next.Stones[c].Add(a.Best.Move)
		if wins(next, c.Opponent()) != c {
			t.Errorf("%s is recommended and does not win in\n%s", a.Best.Name, diagram())
		}
	}
	checkReplies(t, p, c, a)
}

// checkReplies plays the lines: they are legal, and who wins keeps the win.
func checkReplies(t testing.TB, p nogo.Position, c board.Colour, a analyse.Analysis) {
	t.Helper()
	for _, f := range append([]analyse.Finding{a.Best}, a.Moves...) {
		p, c := p, c
		for _, m := range f.Line {
			if !p.Legal(c).Has(m) {
				t.Errorf("the line %v is not legal in\n%s", f.Line, p.Size.Diagram(p.Stones))
				break
			}
			p.Stones[c].Add(m)
			c = c.Opponent()
		}
	}
}

// everyNoGo are all positions of a board.
func everyNoGo(size board.Size) (all []nogo.Position) {
	points := size.All()
	var fill func(p nogo.Position, i int)
	fill = func(p nogo.Position, i int) {
		if i == len(points) {
			if p.Validate() == nil {
				all = append(all, p)
			}
			return
		}
		fill(p, i+1)
		for c := range p.Stones {
			next := p
			next.Stones[c].Add(points[i])
			fill(next, i+1)
		}
	}
	fill(nogo.NewPosition(size), 0)
	return all
}

func TestAnalysisOfSmallNoGo(t *testing.T) {
	for _, size := range []board.Size{{Rows: 1, Cols: 1}, {Rows: 1, Cols: 5}, {Rows: 2, Cols: 2}, {Rows: 2, Cols: 3}, {Rows: 3, Cols: 2}} {
		path := storeFile(t)
		for range 2 { // searched, and from the store
			a := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path, Limits: job.Limits{Threads: 1}})
			memo := oracle.Memo{}
			for _, p := range everyNoGo(size) {
				for _, c := range []board.Colour{board.Black, board.White} {
					checkNoGo(t, p, c, analysed(t, a, askNoGo(p, c)), memo)
				}
			}
		}
	}
}

func TestAnalysisOfNoGo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	path := storeFile(t)
	for _, size := range []board.Size{{Rows: 3, Cols: 3}, {Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}, {Rows: 1, Cols: 12}} {
		first := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path})
		again := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path, Limits: job.Limits{Threads: 1}})
		for range 15 {
			p, c := oracle.RandomPosition(random, size, random.IntN(5)+size.Points()/4)
			memo := oracle.Memo{}
			found := analysed(t, first, askNoGo(p, c))
			checkNoGo(t, p, c, found, memo)
			kept := analysed(t, again, askNoGo(p, c))
			checkNoGo(t, p, c, kept, memo)
			if kept.Nodes > 0 {
				t.Errorf("%d nodes are searched of what was kept, in\n%s", kept.Nodes, size.Diagram(p.Stones))
			}
			if kept.Best.Move != found.Best.Move && len(found.Moves) > 0 {
				t.Errorf("best is %s, and %s from the store, in\n%s", found.Best.Name, kept.Best.Name, size.Diagram(p.Stones))
			}
			sym := size.Symmetries()[random.IntN(len(size.Symmetries()))]
			if image := analysed(t, again, askNoGo(p.Map(sym), c)); image.Nodes > 0 {
				t.Errorf("%d nodes are searched of an image of what was kept", image.Nodes)
			}
		}
	}
}

// Same question, other settings, same answer.
func TestAnalysisWithOtherSettings(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	size := board.Size{Rows: 4, Cols: 4}
	p, c := oracle.RandomPosition(random, size, 3)
	want := analysed(t, newAnalyst(t, analyse.Options{Table: job.Cache}), askNoGo(p, c))
	for _, o := range []analyse.Options{
		{Limits: job.Limits{Threads: 1, Memory: 1 << 20}},
		{Limits: job.Limits{Threads: 3}, Parallel: 3},
		{Store: storeFile(t), Limits: job.Limits{Threads: 2, Memory: 256 << 20}},
		{Store: filepath.Join(t.TempDir(), "no", "such", "folder")},
	} {
		for _, estimates := range []bool{false, true} {
			q := askNoGo(p, c)
			q.Estimates = estimates
			got := analysed(t, newAnalyst(t, o), q)
			if got.Best.Winner != want.Best.Winner || len(got.Moves) != len(want.Moves) {
				t.Errorf("%+v: %s wins", o, got.Best.Winner)
			}
			winners := map[board.Point]board.Winner{}
			for _, f := range want.Moves {
				winners[f.Move] = f.Winner
			}
			for _, f := range got.Moves {
				if f.Winner != winners[f.Move] {
					t.Errorf("%+v: %s wins after %s", o, f.Winner, f.Name)
				}
			}
		}
	}
}

func TestAnalysisOfBasicKo(t *testing.T) {
	ownCache(t)
	a := newAnalyst(t, analyse.Options{Table: job.Cache, Limits: job.Limits{Memory: 64 << 20}})
	for _, size := range []string{"2x2", "2x3", "3x2", "1x6", "3x3"} {
		seen := 0
		for p := range everyGame(emptyBoard(t, size)) {
			if seen++; seen > 150 && !longtest.On() {
				break
			}
			for _, endless := range []table.Endless{table.EndlessDrawn, table.EndlessLost, table.EndlessWon} {
				got := analysed(t, a, analyse.Question{Rules: game.Go{}, Start: p, Endless: endless})
				want := solveGo(t, solve.GoRequest{Table: job.Cache, Position: p, Endless: endless, Limits: job.Limits{Memory: 64 << 20}})
				checkScores(t, p, got, want)
			}
		}
	}
}

// checkScores compares an answer with that of solve.Go.
func checkScores(t testing.TB, p weiqi.Position, got analyse.Analysis, want solve.GoResult) {
	t.Helper()
	if got.Best.Score != want.Score || len(got.Moves) != len(want.Moves) {
		t.Errorf("%d by %s, not %d, with %d moves, not %d, in\n%s", got.Best.Score, got.Best.By, want.Score, len(got.Moves), len(want.Moves), p.Size.Diagram(p.Stones))
	}
	scores := map[board.Point]table.Value{}
	for _, m := range want.Moves {
		scores[m.Move] = m.Value
	}
	for _, f := range got.Moves {
		w := scores[f.Move]
		if f.Score != w.Score || f.By == analyse.ByTable && f.Value != w {
			t.Errorf("%s is %+v by %s, not %+v, in\n%s", f.Name, f.Value, f.By, w, p.Size.Diagram(p.Stones))
		}
	}
	if len(got.Moves) == 0 {
		return
	}
	if best, ok := scores[got.Best.Move]; !ok || best.Score != want.Score || got.Best.Name == "" {
		t.Errorf("best is %+v, not %d, in\n%s", got.Best, want.Score, p.Size.Diagram(p.Stones))
	}
}

func TestAnalysisOfSuperko(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, rules := range []weiqi.Rules{{Ko: weiqi.Positional}, {Ko: weiqi.Situational}} {
		path := storeFile(t)
		for _, size := range []string{"1x4", "2x2", "1x5", "5x1"} {
			first := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path, Limits: job.Limits{Memory: 64 << 20}})
			again := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path, Limits: job.Limits{Memory: 64 << 20}})
			for range 12 {
				h := weiqi.NewHistory(rules, emptyBoard(t, size))
				for range random.IntN(5) {
					legal := append(pointsOf(h.Legal()), weiqi.Pass)
					if h.Position().Over() || h.Push(legal[random.IntN(len(legal))]) != nil {
						break
					}
				}
				q := analyse.Question{Rules: game.Go{Rules: rules}, Start: emptyBoard(t, size), Moves: h.Moves()}
				if random.IntN(2) == 0 && h.Position().Passes < 2 { // without its history
					q.Start, q.Moves = h.Position(), nil
				}
				want := solveGo(t, solve.GoRequest{Table: job.Cache, Position: q.Start, Moves: q.Moves, Rules: rules, EachMove: true, Line: solve.LineNone, Limits: job.Limits{Memory: 64 << 20}})
				checkScores(t, q.Start, analysed(t, first, q), want)
				kept := analysed(t, again, q)
				checkScores(t, q.Start, kept, want)
				if kept.Nodes > 0 && len(q.Moves) == 0 {
					t.Errorf("%d nodes are searched of what was kept", kept.Nodes)
				}
			}
		}
	}
}

func pointsOf(s board.Set) (list []board.Point) {
	for p := range s.Points() {
		list = append(list, p)
	}
	return list
}

// Interrupted at any moment, an analysis tells what it knows, which is right, and the
// next one goes on from there to the same answer.
func TestAnalysisIsResumed(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for _, size := range []board.Size{{Rows: 3, Cols: 4}, {Rows: 4, Cols: 4}} {
		for range 4 {
			p, c := oracle.RandomPosition(random, size, size.Points()-11+random.IntN(3))
			memo := oracle.Memo{}
			path := storeFile(t)
			decided := 0
			for most := time.Millisecond; ; most += most / 2 {
				a := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path})
				ctx, cancel := context.WithTimeout(t.Context(), rand.N(most))
				got, err := listen(t, a, ctx, askNoGo(p, c))
				cancel()
				var stopped *job.Stopped
				if err != nil && !errors.As(err, &stopped) {
					t.Fatal(err)
				}
				if got.Decided < decided {
					t.Errorf("%d classes are decided after %d were", got.Decided, decided)
				}
				decided = got.Decided
				if err == nil {
					checkNoGo(t, p, c, got, memo)
					break
				}
			}
		}
	}
}

// An analysis whose context has ended has all that was kept: results are never lost by asking
// again.
func TestStoppedAnalysisHasWhatWasKept(t *testing.T) {
	path := storeFile(t)
	q := askNoGo(nogo.NewPosition(board.Size{Rows: 3, Cols: 4}), board.Black)
	if _, err := newAnalyst(t, analyse.Options{Store: path}).Analyse(t.Context(), q, nil); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := newAnalyst(t, analyse.Options{Store: path}).Analyse(ended, q, nil); err != nil || !got.Settled() {
		t.Errorf("%d of %d classes are decided: %v", got.Decided, got.Classes, err)
	}
}

func TestAnalysesAtOnce(t *testing.T) {
	ownCache(t)
	random := rand.New(rand.NewPCG(11, 12))
	a := newAnalyst(t, analyse.Options{Store: job.Cache, Table: job.Cache, Parallel: 3, Limits: job.Limits{Memory: 192 << 20}})
	b := newAnalyst(t, analyse.Options{Store: job.Cache, Table: job.Cache}) // on the same store
	size := board.Size{Rows: 3, Cols: 4}
	positions := make([]nogo.Position, 3)
	for i := range positions {
		positions[i], _ = oracle.RandomPosition(random, size, 2)
	}
	var running sync.WaitGroup
	for i := range 24 {
		running.Go(func() {
			analyst := a
			if i%3 == 0 {
				analyst = b
			}
			switch i % 4 {
			case 0:
				q := analyse.Question{Rules: game.Go{}, Start: emptyBoard(t, "3x3"), Lines: true}
				if got, err := analyst.Analyse(t.Context(), q, nil); err != nil || got.Best.Score != 9 || got.Best.Name != "B2" {
					t.Errorf("Go 3x3: %+v, %v", got.Best, err)
				}
			case 1:
				ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond)
				defer cancel()
				_, _ = analyst.Analyse(ctx, askNoGo(positions[i%3], board.Black), nil)
			default:
				p := positions[i%3]
				got, err := analyst.Analyse(t.Context(), askNoGo(p, board.White), nil)
				if err != nil {
					t.Error(err)
					return
				}
				checkNoGo(t, p, board.White, got, oracle.Memo{})
			}
		})
	}
	running.Wait()
}

// Whatever happens to the file of results, no answer is wrong.
func TestAnalysisWithDamagedStore(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	size := board.Size{Rows: 3, Cols: 3}
	path := storeFile(t)
	first := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path})
	memo := oracle.Memo{}
	var positions []nogo.Position
	for range 10 {
		p, c := oracle.RandomPosition(random, size, 2*random.IntN(3)) // Black to play
		positions = append(positions, p)
		checkNoGo(t, p, c, analysed(t, first, askNoGo(p, c)), memo)
	}
	first.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var used []int64
	for i, b := range data {
		if b != 0 && i > 100 {
			used = append(used, int64(i))
		}
	}
	for round := range 5 {
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range len(used) / 20 {
			at := used[random.IntN(len(used))]
			if _, err := file.WriteAt([]byte{data[at] ^ 1<<random.IntN(8)}, at); err != nil {
				t.Fatal(err)
			}
		}
		if round == 3 {
			err = file.Truncate(int64(len(data)) / 2)
		}
		if round == 4 {
			err = file.Truncate(5)
		}
		if err != nil {
			t.Fatal(err)
		}
		file.Close()
		a := newAnalyst(t, analyse.Options{Table: job.Cache, Store: path})
		for _, p := range positions {
			checkNoGo(t, p, board.Black, analysed(t, a, askNoGo(p, board.Black)), memo)
		}
	}
}

func TestAnalysisWarnsWithoutStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(path, []byte("Dear reader,"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := analysed(t, newAnalyst(t, analyse.Options{Table: job.Cache, Store: path}), askNoGo(nogo.NewPosition(board.Size{Rows: 2, Cols: 3}), board.Black))
	if len(got.Warnings) != 1 {
		t.Errorf("warnings: %q", got.Warnings)
	}
}

// Of large boards endgames are solved, and the rest is estimated or refused.
func TestAnalysisOfLargeBoards(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	size := board.Size{Rows: 9, Cols: 9}
	a := newAnalyst(t, analyse.Options{Table: job.Cache, Store: storeFile(t), Limits: job.Limits{Memory: 64 << 20}})
	// With a player besides, and without.
	p, c := latePosition(random, size, 12, 18)
	q := askNoGo(p, c)
	alone := analysed(t, newAnalyst(t, analyse.Options{Table: job.Cache}), q)
	q.Estimates = true
	got := analysed(t, a, q)
	if got.Best.Winner != alone.Best.Winner || (got.Choice().Known == game.Won) != alone.Best.Winner.Is(c) {
		t.Errorf("%s wins, and with a player %s, in\n%s", alone.Best.Winner, got.Best.Winner, size.Diagram(p.Stones))
	}
	empty := askNoGo(nogo.NewPosition(size), board.Black)
	var much *solve.TooMuchLeft
	if _, err := a.Analyse(t.Context(), empty, nil); !errors.As(err, &much) {
		t.Errorf("9x9 is solved: %v", err)
	}
	empty.Estimates = true
	ctx, cancel := context.WithCancel(t.Context())
	got, err := a.Analyse(ctx, empty, func(u analyse.Update) {
		if u.Now.Playouts > 100 {
			cancel()
		}
	})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || got.Best.Grade != analyse.GradeEstimated || got.Best.Visits == 0 || got.Best.By != analyse.ByPlayouts {
		t.Errorf("estimates of 9x9: %v, %+v", err, got.Best)
	}
}

// A question about a row that is cancelled while its search is set up leaves its place to
// the next, about another board.
func TestCancelledFirstQuestion(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // without strips, which are built first
	a := newAnalyst(t, analyse.Options{Table: job.Cache})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 { // whether a place is taken first is a matter of luck
		var stopped *job.Stopped
		if _, err := a.Analyse(cancelled, analyse.Question{Rules: game.NoGo{}, Start: emptyBoard(t, "1x7")}, nil); !errors.As(err, &stopped) {
			t.Errorf("a cancelled question: %v", err)
		}
	}
	analysed(t, a, analyse.Question{Rules: game.NoGo{}, Start: emptyBoard(t, "2x2")})
}

func TestAnalysisRefuses(t *testing.T) {
	a := newAnalyst(t, analyse.Options{Table: job.Cache})
	suffocated := nogo.NewPosition(board.Size{Rows: 1, Cols: 2})
	suffocated.Stones[0].Add(0)
	suffocated.Stones[1].Add(1)
	for name, q := range map[string]analyse.Question{
		"no rules":     {Start: emptyBoard(t, "2x2")},
		"illegal":      askNoGo(suffocated, board.Black),
		"illegal move": {Rules: game.NoGo{}, Start: emptyBoard(t, "2x2"), Moves: []board.Point{game.Pass}},
		"suicide":      {Rules: game.Go{Rules: weiqi.TrompTaylor}, Start: emptyBoard(t, "2x2")},
		"no table":     {Rules: game.Go{}, Start: emptyBoard(t, "9x9")},
		"endless":      {Rules: game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}}, Start: emptyBoard(t, "1x4"), Endless: table.EndlessWon},
	} {
		if _, err := a.Analyse(t.Context(), q, nil); err == nil {
			t.Errorf("%s is answered", name)
		}
	}
}

// On a row without a table the strategy bounds scores, and the bounds are right.
func TestAnalysisByStrategy(t *testing.T) {
	ownCache(t)
	a := newAnalyst(t, analyse.Options{Table: job.Cache})
	got, err := listen(t, a, t.Context(), analyse.Question{Rules: game.Go{}, Start: emptyBoard(t, "1x17")})
	if err != nil || got.Best.Grade != analyse.GradeExact || got.Best.Score != 0 || got.Best.By != analyse.ByStrategy {
		t.Errorf("1x17, of which either side draws at least: %v, %+v", err, got.Best)
	}
	for p := range everyGame(emptyBoard(t, "1x6")) {
		if p.Over() {
			continue
		}
		want := solveGo(t, solve.GoRequest{Table: job.Cache, Position: p, Limits: job.Limits{Memory: 64 << 20}})
		got := analyse.ByStrategyAlone(p)
		scores := map[board.Point]int{}
		for _, m := range want.Moves {
			scores[m.Move] = m.Score
		}
		for _, f := range got.Moves {
			low, high := f.Lo, f.Hi
			if !f.Open {
				low, high = f.Score, f.Score
			}
			if score := scores[f.Move]; score < low || score > high {
				t.Errorf("%s is %d, not between %d and %d, in %s", f.Name, score, low, high, p)
			}
		}
		low, high := got.Best.Lo, got.Best.Hi
		if !got.Best.Open {
			low, high = got.Best.Score, got.Best.Score
		}
		if want.Score < low || want.Score > high {
			t.Errorf("%s is worth %d, not between %d and %d", p, want.Score, low, high)
		}
	}
}
