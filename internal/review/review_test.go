package review_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/longtest"
	"tengen/internal/review"
	"tengen/sgf"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "review")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", dir) // tables of Go are built there
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func reviewer(t *testing.T, limit time.Duration) review.Reviewer {
	t.Helper()
	analyst, err := analyse.New(analyse.Options{Table: job.Cache, Limits: job.Limits{Memory: 256 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { analyst.Close() })
	return review.Reviewer{Analyst: analyst, Time: limit}
}

// random plays a game to its end, or to a number of moves.
func random(rules game.Rules, size board.Size, seed uint64, most int) *game.Game {
	g := game.New(rules, game.NewPosition(size))
	for rng := rand.New(rand.NewPCG(seed, 5)); len(g.Moves()) < most; {
		if _, over := g.End(); over {
			break
		}
		moves := slices.Collect(g.Legal(g.Position().ToPlay).Points())
		if rules.Passes() && (len(moves) == 0 || rng.IntN(12) == 0) {
			moves = []board.Point{game.Pass}
		}
		if err := g.Play(moves[rng.IntN(len(moves))]); err != nil {
			panic(err)
		}
	}
	return g
}

// Every judged move agrees with solve --each-move.
func TestJudgementsOfNoGo(t *testing.T) {
	size, games, limit := board.Size{Rows: 3, Cols: 4}, 3, time.Duration(0)
	if longtest.On() {
		size, games, limit = board.Size{Rows: 5, Cols: 5}, 20, 3*time.Second
	}
	r := reviewer(t, limit)
	judged, checked, mistakes, all := 0, 0, 0, 0
	for n := range games {
		g := random(game.NoGo{}, size, uint64(n), 100)
		found, err := r.Game(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range found.Moves {
			all++
			if j.Grade != analyse.GradeExact {
				continue
			}
			judged++
			p := g.Positions()[i]
			answer, err := solve.NoGo(t.Context(), solve.Request{
				Position: game.NoGoPosition(p), ToPlay: p.ToPlay, EachMove: true,
				Limits: job.Limits{Memory: 512 << 20, Time: 3 * time.Minute},
			})
			if stopped := (*job.Stopped)(nil); errors.As(err, &stopped) {
				t.Logf("game %d, move %d: %v", n+1, i+1, err)
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			checked++
			if j.Mistake() {
				mistakes++
			}
			checkNoGo(t, p, answer, j)
		}
	}
	t.Logf("%d games of %s: %d of %d moves judged exactly, %d of them held against every move, %d mistakes", games, size, judged, all, checked, mistakes)
	if limit == 0 && judged != all || mistakes == 0 {
		t.Errorf("%d of %d moves are judged exactly, with %d mistakes", judged, all, mistakes)
	}
}

func checkNoGo(t *testing.T, p game.Position, answer solve.Result, j review.Judgement) {
	t.Helper()
	of := func(move board.Point) board.Colour {
		n := slices.IndexFunc(answer.Moves, func(m solve.Move) bool { return m.Move == move })
		return answer.Moves[n].Winner.Colour()
	}
	wrong := j.After.Winner != of(j.Move) || !answer.Winner.Is(j.Before.Winner)
	wrong = wrong || (j.Cost == 1) != (answer.Winner.Is(p.ToPlay) && of(j.Move) != p.ToPlay)
	wrong = wrong || !j.Known || !answer.Winner.Is(of(j.Best))
	if wrong {
		t.Errorf("%s%s plays %s: %+v, but it is %+v", p.Size.Diagram(p.Stones), p.ToPlay, j.Name(), j, answer.Moves)
	}
	if !j.Mistake() {
		return
	}
	line := game.New(game.NoGo{}, p)
	if err := line.PlayAll(j.Line); err != nil || len(j.Line) == 0 || j.Line[0] != j.Best {
		t.Errorf("the line %v of %s: %v", game.MoveNames(p.Size, j.Line), j.BestName(), err)
	}
}

// Every judged move agrees with the table.
func TestJudgementsOfGo(t *testing.T) {
	size, games := board.Size{Rows: 3, Cols: 3}, 6
	if longtest.On() {
		size, games = board.Size{Rows: 4, Cols: 4}, 20
	}
	r := reviewer(t, 0)
	judged, mistakes := 0, 0
	for n := range games {
		g := random(game.Go{}, size, uint64(n), 30)
		found, err := r.Game(t.Context(), g, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, j := range found.Moves {
			p := g.Positions()[i]
			answer, err := solve.Go(t.Context(), solve.GoRequest{Table: job.Cache, Position: p, Limits: job.Limits{Memory: 256 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			of := func(move board.Point) int {
				n := slices.IndexFunc(answer.Moves, func(m table.Move) bool { return m.Move == move })
				return answer.Moves[n].Score
			}
			cost := answer.Score - of(j.Move)
			if p.ToPlay == board.White {
				cost = -cost
			}
			judged++
			if j.Mistake() {
				mistakes++
			}
			if j.Grade != analyse.GradeExact || j.After.Score != of(j.Move) || j.Before.Score != answer.Score || j.Cost != float64(cost) || of(j.Best) != answer.Score {
				t.Errorf("%s%s plays %s: %+v, but it is %+v", p.Size.Diagram(p.Stones), p.ToPlay, j.Name(), j, answer.Moves)
			}
		}
	}
	t.Logf("%d games of %s: %d moves judged, %d mistakes", games, size, judged, mistakes)
	if mistakes == 0 {
		t.Error("nobody errs in random games")
	}
}

// One analysis of a position is enough where it knows the move.
func TestJudgeByOneAnalysis(t *testing.T) {
	r := reviewer(t, 0)
	for _, c := range []struct {
		rules                game.Rules
		diagram, good, words string
		bad                  string
		only                 bool
	}{
		{game.Go{}, ".../.../...", "B2", "A1 costs 18 points; B2 keeps +9.", "A1", true},
		{game.NoGo{}, "..x/.../.o.", "A2", "B2 throws the win away; A2 wins.", "B2", false},
	} {
		start, err := game.ParsePosition(c.rules, c.diagram)
		if err != nil {
			t.Fatal(err)
		}
		before, err := r.Analyst.Analyse(t.Context(), analyse.Question{Rules: c.rules, Start: start}, nil)
		if err != nil {
			t.Fatal(err)
		}
		judge := func(name string) review.Judgement {
			move, err := start.Size.ParsePoint(name)
			if err != nil {
				t.Fatal(err)
			}
			return review.Judge(before, c.rules.Scored(), move)
		}
		if bad := judge(c.bad); bad.Says() != c.words {
			t.Errorf("%s: %q, want %q", c.rules, bad.Says(), c.words)
		}
		if good := judge(c.good); good.Says() != "" || good.BestName() != c.good || good.Only != c.only {
			t.Errorf("%s: %q, %+v", c.rules, good.Says(), good)
		}
	}
}

func TestGamesUnderSuperko(t *testing.T) {
	g := random(game.Go{}, board.Size{Rows: 2, Cols: 3}, 1, 8)
	rules, _ := game.ParseRules("go")
	if rules != g.Rules() {
		t.Fatal("not basic ko")
	}
	record := g.Record()
	record.Rules = "psk"
	played, err := game.Replay(game.Recorded(record), record)
	if err != nil {
		t.Skip(err) // the random game repeats a board
	}
	found, err := reviewer(t, 0).Game(t.Context(), played, nil)
	if err != nil || found.Graded(analyse.GradeExact) != len(found.Moves) {
		t.Errorf("%v: %+v", err, found)
	}
}

func TestEstimates(t *testing.T) {
	g := random(game.NoGo{}, board.Size{Rows: 9, Cols: 9}, 1, 2)
	found, err := reviewer(t, time.Nanosecond).Game(t.Context(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range found.Moves { // there is time for an estimate, and not for more
		if j.Grade != analyse.GradeEstimated || j.After.Grade != analyse.GradeEstimated || j.After.Share < 0 || j.After.Share > 1 {
			t.Errorf("%+v", j)
		}
	}
}

// A summary claims nothing about moves that were not judged.
func TestSummaryOfUnjudgedMoves(t *testing.T) {
	move := func(c board.Colour, g analyse.Grade) review.Judgement { return review.Judgement{Colour: c, Grade: g} }
	for _, c := range []struct {
		moves []review.Judgement
		want  string
	}{
		{
			[]review.Judgement{move(board.Black, analyse.GradeUnknown), move(board.White, analyse.GradeUnknown)},
			"0 of 2 moves judged exactly; no move of black could be judged; no move of white could be judged",
		},
		{
			[]review.Judgement{move(board.Black, analyse.GradeUnknown), move(board.White, analyse.GradeExact), move(board.Black, analyse.GradeExact)},
			"2 of 3 moves judged exactly; no mistake of black is seen; white does not err",
		},
	} {
		if got := (review.Review{Moves: c.moves}).Summary(); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

func TestBoardWithoutATable(t *testing.T) {
	g := random(game.Go{}, board.Size{Rows: 4, Cols: 5}, 1, 4)
	_, err := reviewer(t, 0).Game(t.Context(), g, nil)
	if err == nil || !strings.Contains(err.Error(), "table of 4x5") {
		t.Error(err)
	}
}

func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := random(game.NoGo{}, board.Size{Rows: 9, Cols: 9}, 1, 100)
	found, err := reviewer(t, 0).Game(ctx, g, func(s review.Step) {
		if s.Done == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(found.Moves) != len(g.Moves()) || found.Graded(analyse.GradeExact) == 0 {
		t.Errorf("%v, %d of %d moves, %d exact", err, len(found.Moves), len(g.Moves()), found.Graded(analyse.GradeExact))
	}
}

// An annotated record keeps everything that was in the record.
func TestAnnotate(t *testing.T) {
	const text = `(;GM[1]FF[4]SZ[3]RU[NoGo]AB[ac]C[Mine.]PL[W]
(;W[ca]C[Why?]BM[1];B[aa];W[ba](;B[bb]TE[1])(;B[cc]))
(;W[bb]C[A variation.]))`
	games, err := sgf.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	record, err := sgf.ReadGame(games[0])
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.Replay(game.Recorded(record), record)
	if err != nil {
		t.Fatal(err)
	}
	found, err := reviewer(t, 0).Game(t.Context(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	review.Annotate(games[0], record, found)
	var out bytes.Buffer
	if err := sgf.Write(&out, games); err != nil {
		t.Fatal(err)
	}
	again, err := sgf.Parse(out.Bytes())
	if err != nil || !review.Annotated(again[0]) {
		t.Fatalf("%v\n%s", err, out.String())
	}
	kept, err := sgf.ReadGame(again[0])
	if err != nil || !slices.EqualFunc(kept.Moves, record.Moves, func(a, b sgf.Move) bool { return a.Point == b.Point }) {
		t.Errorf("%v: the moves have changed:\n%s", err, out.String())
	}
	for _, part := range []string{"Mine.\n\nAnnotated by tengen: 4 of 4 moves judged exactly", "Why?\n\n", "A variation.", "GB[1]", "AN[tengen]"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is missing in\n%s", part, out.String())
		}
	}
	if n := strings.Count(out.String(), "W[bb]"); n != 1 {
		t.Errorf("the variation that was there is there %d times:\n%s", n, out.String())
	}
}

// The annotation of any record that can be read can be written and read
// again.
func FuzzAnnotate(f *testing.F) {
	f.Add("(;SZ[2:1]RU[NoGo];B[aa])", uint8(1), uint8(2))
	f.Add("(;SZ[3];B[aa]C[x\\]y];AB[bb];W[cc](;B[]BM[1])(;W[ab]))", uint8(0), uint8(9))
	f.Fuzz(func(t *testing.T, text string, grade, best uint8) {
		games, err := sgf.Parse([]byte(text))
		if err != nil {
			return
		}
		record, err := sgf.ReadGame(games[0])
		if err != nil {
			return
		}
		var found review.Review
		points := record.Size.All()
		for i, m := range record.Moves {
			w := review.Worth{Grade: analyse.Grade(grade % 4), Scored: grade&4 > 0, Winner: board.Black, Share: 0.3, Score: 3}
			j := review.Judgement{Number: i + 1, Size: record.Size, Colour: m.Colour, Move: m.Point, Before: w, After: w, Grade: w.Grade, Cost: 1}
			j.Best, j.Known = points[int(best)%len(points)], best&1 > 0
			j.Line = []board.Point{j.Best}
			found.Moves = append(found.Moves, j)
		}
		review.Annotate(games[0], record, found)
		var out bytes.Buffer
		if err := sgf.Write(&out, games); err != nil {
			t.Fatal(err)
		}
		if _, err := sgf.Parse(out.Bytes()); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
	})
}
