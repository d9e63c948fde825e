package solve_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/tablebase"
	"tengen/weiqi"
)

// ownCache keeps the tables of a test away from the user's.
func ownCache(t *testing.T) { t.Setenv("XDG_CACHE_HOME", t.TempDir()) }

func solveGo(t testing.TB, request solve.GoRequest) solve.GoResult {
	t.Helper()
	result, err := solve.Go(context.Background(), request)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func emptyBoard(t testing.TB, size string) weiqi.Position {
	t.Helper()
	s, err := board.ParseSize(size)
	if err != nil {
		t.Fatal(err)
	}
	return weiqi.NewPosition(s)
}

// The published scores with loops drawn, those of every opening (one for each
// symmetry class, row by row within a quadrant), and the range over all rules for
// loops where that is known.
func TestGoUnderBasicKo(t *testing.T) {
	ownCache(t)
	for _, want := range []struct {
		size     string
		score    int
		openings []int
		span     []int
	}{
		{"1x1", 0, nil, []int{0, 0}},
		{"1x2", 0, []int{-2}, nil},
		{"1x3", 3, []int{-3, 3}, nil},
		{"1x4", 4, []int{-4, 4}, nil},
		{"1x5", 0, []int{-5, 0, 0}, nil},
		{"1x6", 0, []int{-6, 0, 0}, []int{-6, 6}},
		{"1x7", 0, []int{-3, 0, 0, 0}, nil},
		{"1x8", 0, []int{-1, 0, 0, 0}, nil},
		{"2x2", 0, []int{0}, nil},
		{"2x3", 0, []int{-6, 0}, nil},
		{"2x4", 8, []int{-8, 8}, nil},
		{"2x5", 10, []int{-10, 10, 10}, nil},
		{"3x3", 9, []int{-9, 3, 3, 9}, []int{9, 9}},
		{"3x4", 4, []int{-12, 3, 0, 4}, []int{4, 12}},
	} {
		r := solveGo(t, solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, want.size)})
		if r.Score != want.score || !r.Known || !r.Ranged {
			t.Errorf("%s: the score is %d, want %d", want.size, r.Score, want.score)
		}
		if want.span != nil && (r.Lo != want.span[0] || r.Hi != want.span[1]) {
			t.Errorf("%s: the score lies in [%d, %d], want %v", want.size, r.Lo, r.Hi, want.span)
		}
		if got := quadrant(r); want.openings != nil && !slices.Equal(got, want.openings) {
			t.Errorf("%s: the openings are worth %v, want %v", want.size, got, want.openings)
		}
		again := solveGo(t, solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, want.size)})
		if again.Nodes != 0 || again.Score != r.Score {
			t.Errorf("%s: asked again it evaluated %d positions and says %d", want.size, again.Nodes, again.Score)
		}
	}
}

// quadrant lists the scores of the openings from a corner to the centre.
func quadrant(r solve.GoResult) []int {
	size := r.Position.Size
	var list []int
	for row := range (size.Rows + 1) / 2 {
		for col := range (size.Cols + 1) / 2 {
			for _, m := range r.Moves {
				if m.Move == size.At(row, col) {
					list = append(list, m.Score)
				}
			}
		}
	}
	return list
}

// everyGame is the whole game graph of a board under basic ko, from the rules alone:
// no symmetry, no exchange of colours, no formula for passes.
func everyGame(start weiqi.Position) map[weiqi.Position][]weiqi.Position {
	graph := map[weiqi.Position][]weiqi.Position{}
	for queue := []weiqi.Position{start}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if _, known := graph[p]; known {
			continue
		}
		graph[p] = nil
		moves := append(slices.Collect((weiqi.Rules{}).Legal(p).Points()), weiqi.Pass)
		for _, m := range moves {
			if next, err := (weiqi.Rules{}).Play(p, m); err == nil {
				graph[p] = append(graph[p], next)
				queue = append(queue, next)
			}
		}
	}
	return graph
}

// byIteration gives every position the worth of a loop and lets values move until
// they agree with their successors.
func byIteration(graph map[weiqi.Position][]weiqi.Position, loop int) map[weiqi.Position]int {
	values := map[weiqi.Position]int{}
	for p := range graph {
		values[p] = loop
	}
	for changed := true; changed; {
		changed = false
		for p, successors := range graph {
			v := p.Score()
			if !p.Over() {
				v = values[successors[0]]
				for _, next := range successors {
					if p.ToPlay == board.Black {
						v = max(v, values[next])
					} else {
						v = min(v, values[next])
					}
				}
			}
			changed = changed || v != values[p]
			values[p] = v
		}
	}
	return values
}

// Every position of small boards under every rule for endless games, either side to
// play, against the whole game graph.
func TestGoAgainstTheGameGraph(t *testing.T) {
	ownCache(t)
	for _, name := range []string{"1x2", "1x3", "1x4", "1x5", "2x2", "2x3"} {
		start := emptyBoard(t, name)
		opened := cached(t, name)
		graph := everyGame(start)
		points := start.Size.Points()
		for endless, loop := range []int{0, -points, points} {
			values := byIteration(graph, loop)
			for p, want := range values {
				a, err := table.Probe(opened, p, table.Endless(endless))
				if err != nil {
					t.Fatal(err)
				}
				if a.Score != want {
					t.Fatalf("loops worth %d: %s to play, ko %s, passes %d, is worth %d, want %d, in\n%s", loop, p.ToPlay,
						p.Size.Name(p.Ko), p.Passes, a.Score, want, p.Size.Diagram(p.Stones))
				}
				checkGoLine(t, p, a, loop, values)
				stubborn, err := table.ProbeStubborn(opened, p, table.Endless(endless))
				if err != nil {
					t.Fatal(err)
				}
				checkGoLine(t, p, stubborn, loop, values)
				if d := stubborn.Distance; d > 0 && len(stubborn.Line) != d {
					t.Fatalf("the stubborn line %v has %d moves, the distance is %d", stubborn.Line, len(stubborn.Line), d)
				}
			}
		}
	}
}

// cached builds the table of a board in the cache and opens it.
func cached(t testing.TB, size string) *tablebase.Table {
	t.Helper()
	opened, err := tablebase.Open(solveGo(t, solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, size)}).Table, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return opened
}

// checkGoLine plays a line out: every move keeps the value, and the line ends with the
// score, within the distance, or comes round where a loop is worth the score.
func checkGoLine(t testing.TB, p weiqi.Position, a table.Answer, loop int, values map[weiqi.Position]int) {
	t.Helper()
	begin := p
	seen := map[weiqi.Position]bool{p: true}
	for i, m := range a.Line {
		next, err := (weiqi.Rules{}).Play(p, m)
		if err != nil {
			t.Fatal(err)
		}
		p = next
		if values[p] != a.Score {
			t.Fatalf("move %d of the line %v leads from %d to %d in\n%s", i+1, a.Line, a.Score, values[p], p.Size.Diagram(begin.Stones))
		}
		if last := i == len(a.Line)-1; seen[p] != (last && a.Round) {
			t.Fatalf("move %d of the line %v comes round", i+1, a.Line)
		}
		seen[p] = true
	}
	switch {
	case a.Round && a.Score != loop:
		t.Fatalf("a line of score %d comes round, which is worth %d, in\n%s", a.Score, loop, p.Size.Diagram(begin.Stones))
	case a.Line != nil && !a.Round && (!p.Over() || p.Score() != a.Score):
		t.Fatalf("the line %v ends with %d, not with %d, in\n%s", a.Line, p.Score(), a.Score, p.Size.Diagram(begin.Stones))
	case a.Line == nil && !begin.Over() && loop == 0:
		t.Fatalf("there is no line with loops drawn in\n%s", p.Size.Diagram(begin.Stones))
	case a.Distance > 0 && len(a.Line) > a.Distance:
		t.Fatalf("the line %v has %d moves, the distance is %d", a.Line, len(a.Line), a.Distance)
	}
}

// Random games on 3x3: the best move is first and has the score of the position, the
// other side's view is the negative, and images are worth the same.
func TestGoAnswersAgree(t *testing.T) {
	ownCache(t)
	opened := cached(t, "3x3")
	rapid.Check(t, func(rt *rapid.T) {
		p := emptyBoard(t, "3x3")
		for range rapid.IntRange(0, 14).Draw(rt, "moves") {
			legal := append(slices.Collect((weiqi.Rules{}).Legal(p).Points()), weiqi.Pass)
			next, err := (weiqi.Rules{}).Play(p, rapid.SampledFrom(legal).Draw(rt, "move"))
			if err != nil || next.Over() {
				break
			}
			p = next
		}
		endless := table.Endless(rapid.IntRange(0, 2).Draw(rt, "endless"))
		other := [...]table.Endless{table.EndlessDrawn, table.EndlessWon, table.EndlessLost}[endless]
		a, b := probe(rt, opened, p, endless), probe(rt, opened, p.Inverse(), other)
		if a.Score != -b.Score || a.Lo != -b.Hi || a.Hi != -b.Lo || a.Distance != b.Distance {
			rt.Fatalf("%+v and with colours exchanged %+v", a.Value, b.Value)
		}
		sym := rapid.SampledFrom(p.Size.Symmetries()).Draw(rt, "symmetry")
		if c := probe(rt, opened, p.Map(sym), endless); c.Value != a.Value {
			rt.Fatalf("%+v and its image %+v", a.Value, c.Value)
		}
		if a.Moves[0].Value.Score != a.Score || a.Lo > a.Hi || a.Score < a.Lo || a.Score > a.Hi {
			rt.Fatalf("the best move is worth %+v, the position %+v", a.Moves[0], a.Value)
		}
		sign := 1 - 2*int(p.ToPlay)
		if !slices.IsSortedFunc(a.Moves, func(x, y table.Move) int { return sign * (y.Score - x.Score) }) {
			rt.Fatalf("the moves are not in order: %+v", a.Moves)
		}
	})
}

// A table of the board on its side answers like one of the board itself.
func TestGoOnItsSide(t *testing.T) {
	ownCache(t)
	lying := cached(t, "2x3")
	path := filepath.Join(t.TempDir(), "upright")
	if _, _, err := table.Build(context.Background(), table.Request{Size: board.Size{Rows: 3, Cols: 2}, Loops: tablebase.Range, Distance: true, Path: path}); err != nil {
		t.Fatal(err)
	}
	upright, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer upright.Close()
	byMove := func(a table.Answer) map[board.Point]table.Value {
		values := map[board.Point]table.Value{}
		for _, m := range a.Moves {
			values[m.Move] = m.Value
		}
		return values
	}
	graph := everyGame(emptyBoard(t, "3x2"))
	values := byIteration(graph, 0)
	for p := range graph {
		a, errA := table.Probe(lying, p, table.EndlessDrawn)
		b, errB := table.Probe(upright, p, table.EndlessDrawn)
		if errA != nil || errB != nil || a.Value != b.Value || !maps.Equal(byMove(a), byMove(b)) {
			t.Fatalf("%+v (%v) and %+v (%v) in\n%s", a, errA, b, errB, p.Size.Diagram(p.Stones))
		}
		checkGoLine(t, p, a, 0, values)
	}
}

func probe(t *rapid.T, from *tablebase.Table, p weiqi.Position, endless table.Endless) table.Answer {
	a, err := table.Probe(from, p, endless)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestGoRefusals(t *testing.T) {
	ownCache(t)
	banned := emptyBoard(t, "3x3")
	banned.Ko = 0
	for _, bad := range []struct {
		request solve.GoRequest
		says    string
	}{
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "5x5"), Method: solve.GoTable}, "25 points: tables go to 22"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "6x7")}, "42 points: tables go to 22 and the search of Go to 36"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "4x5")}, "there is no table of 4x5 yet"},
		{solve.GoRequest{Table: job.Cache, Position: banned}, "is no ko that black could retake"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "2x2"), Moves: []board.Point{0, 0}}, "move 2: white may not play A1"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "2x2"), Limits: job.Limits{Threads: -1}}, "cannot be negative"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "4x4"), Limits: job.Limits{Memory: 1 << 20}}, "of memory at least and the limit is 1.0 MiB"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "2x2"), Rules: weiqi.TrompTaylor}, "tromp-taylor"},
	} {
		_, err := solve.Go(context.Background(), bad.request)
		if err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%v: the error %v does not say %q", bad.request.Position.Size, err, bad.says)
		}
	}
}

// A build that is stopped says where it can go on, and ends with the same file.
func TestTableStopsAndGoesOn(t *testing.T) {
	dir := t.TempDir()
	request := table.Request{Size: board.Size{Rows: 2, Cols: 5}, Loops: tablebase.Range, Distance: true}
	request.Path = filepath.Join(dir, "whole")
	if _, _, err := table.Build(context.Background(), request); err != nil {
		t.Fatal(err)
	}
	request.Path = filepath.Join(dir, "parts")
	ctx, cancel := context.WithCancel(context.Background())
	request.Progress = func(p table.Progress) {
		if p.Phase == "values" {
			cancel()
		}
	}
	_, _, err := table.Build(ctx, request)
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || stopped.Checkpoint == "" {
		t.Fatalf("the error is %v", err)
	}
	plans := 0
	request.Progress = nil
	request.Started = func(p table.Plan) {
		if plans++; !p.Resumed {
			t.Error("the plan does not say that work is resumed")
		}
	}
	info, report, err := table.Build(context.Background(), request)
	if err != nil || !report.Resumed || plans != 1 {
		t.Fatalf("resumed: %+v, %v", report, err)
	}
	if info.Positions != 35117 {
		t.Errorf("the table stands for %d positions", info.Positions)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole"))
	if err != nil {
		t.Fatal(err)
	}
	if parts, err := os.ReadFile(request.Path); err != nil || !slices.Equal(whole, parts) {
		t.Errorf("the files differ: %v", err)
	}
}

// A search takes about the memory of its plan.
func TestTablePlanIsHonest(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode")
	}
	for _, loops := range []tablebase.Loops{tablebase.Drawn, tablebase.Range} {
		for _, distance := range []bool{false, true} {
			var plan table.Plan
			info, report, err := table.Build(context.Background(), table.Request{
				Size: board.Size{Rows: 2, Cols: 6}, Loops: loops, Distance: distance, Path: filepath.Join(t.TempDir(), "table"),
				Started: func(p table.Plan) { plan = p },
			})
			if err != nil {
				t.Fatal(err)
			}
			if plan.Memory < report.Memory || plan.Memory > 2*report.Memory {
				t.Errorf("%s, distances %v: %d bytes of memory planned, %d taken", loops, distance, plan.Memory, report.Memory)
			}
			if 2*plan.Disk < info.Bytes || plan.Disk > 2*info.Bytes {
				t.Errorf("%s, distances %v: %d bytes on disk planned, %d taken", loops, distance, plan.Disk, info.Bytes)
			}
		}
	}
}

// A table whose sums are right and whose values are not: a single point is no place
// for a stone, so the best one must be worth -1.
func TestWrongTableIsFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forged")
	var file bytes.Buffer
	w, err := tablebase.NewWriter(&file, tablebase.Header{Size: board.Size{Rows: 1, Cols: 1}, Boards: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(tablebase.Board{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	forged, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer forged.Close()
	seen, err := forged.Verify(context.Background(), tablebase.Verification{Threads: 1})
	if wrong := (*tablebase.Wrong)(nil); !errors.As(err, &wrong) || seen.Complete {
		t.Fatalf("the verdict on a wrong table is %+v, %v", seen, err)
	}
}
