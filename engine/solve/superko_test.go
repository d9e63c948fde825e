package solve_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/proof/superko"
	"tengen/weiqi"
)

var (
	positional  = weiqi.Rules{Ko: weiqi.Positional}
	situational = weiqi.Rules{Ko: weiqi.Situational}
)

// The published scores under positional superko, which situational superko shares.
func TestGoUnderSuperko(t *testing.T) {
	for _, want := range []struct {
		size     string
		score    int
		openings []int
	}{
		{"1x2", 0, []int{-2}},
		{"1x3", 3, []int{-3, 3}},
		{"1x4", 4, []int{-4, 4}},
		{"1x5", 0, []int{-5, 0, 0}},
		{"1x6", 1, []int{-6, 1, -1}},
		{"1x7", 2, []int{-7, 2, -2, 2}},
		{"2x2", 1, []int{1}},
		{"2x3", 0, []int{-6, -2}},
	} {
		for _, rules := range []weiqi.Rules{positional, situational} {
			r := solveGo(t, solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, want.size), Rules: rules, EachMove: true, Limits: job.Limits{Memory: 64 << 20}})
			if r.Score != want.score || !r.Known || r.Ranged || r.Table != "" {
				t.Errorf("%s, %s: the score is %d, want %d", want.size, rules, r.Score, want.score)
			}
			if got := quadrant(r); rules == positional && !slices.Equal(got, want.openings) {
				t.Errorf("%s: the openings are worth %v, want %v", want.size, got, want.openings)
			}
			if r.Moves[0].Score != r.Score {
				t.Errorf("%s, %s: the best move is worth %d, the board %d", want.size, rules, r.Moves[0].Score, r.Score)
			}
			checkGame(t, rules, r)
		}
	}
}

// checkGame plays a line out under its rules: it must end with the score.
func checkGame(t *testing.T, rules weiqi.Rules, r solve.GoResult) {
	t.Helper()
	game := weiqi.NewHistory(rules, r.Position)
	for _, m := range r.Line {
		if err := game.Push(m); err != nil {
			t.Fatalf("the line %v: %v", r.Line, err)
		}
	}
	if p := game.Position(); !p.Over() || p.Score() != r.Score {
		t.Errorf("the line %v ends with %d, not with %d", r.Line, p.Score(), r.Score)
	}
}

// Two searches that share nothing but the rules: a score under superko, where no
// game is endless, lies between those with endless games lost and won.
func TestSuperkoLiesInTheRange(t *testing.T) {
	ownCache(t)
	sizes := []string{"1x4", "1x5", "1x6", "2x2", "2x3"}
	rapid.Check(t, func(rt *rapid.T) {
		p := emptyBoard(t, rapid.SampledFrom(sizes).Draw(rt, "size"))
		for range rapid.IntRange(0, 8).Draw(rt, "moves") {
			legal := slices.Collect((weiqi.Rules{}).Legal(p).Points())
			if len(legal) == 0 {
				break
			}
			p, _ = (weiqi.Rules{}).Play(p, rapid.SampledFrom(legal).Draw(rt, "move"))
			p.Ko = board.NoPoint // superko begins here
		}
		rules := rapid.SampledFrom([]weiqi.Rules{positional, situational}).Draw(rt, "rules")
		table := solveGo(t, solve.GoRequest{Table: job.Cache, Position: p})
		search := solveGo(t, solve.GoRequest{Table: job.Cache, Position: p, Rules: rules, Limits: job.Limits{Memory: 16 << 20, Threads: 1}})
		if search.Score < table.Lo || search.Score > table.Hi {
			rt.Fatalf("%s: the score %d is not in [%d, %d], %s to play in\n%s", rules, search.Score, table.Lo, table.Hi, p.ToPlay, p.Size.Diagram(p.Stones))
		}
	})
}

// What happened before matters: on two points each capture is a repetition.
func TestSuperkoRemembersMoves(t *testing.T) {
	request := solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "1x2"), Rules: positional, Moves: []board.Point{0, 1, 0}}
	if _, err := solve.Go(context.Background(), request); err == nil || !strings.Contains(err.Error(), "move 3: black may not play A1: the board would repeat an earlier one") {
		t.Errorf("the error is %v", err)
	}
	request.Moves = request.Moves[:2]
	r := solveGo(t, request)
	if r.Score != -2 {
		t.Errorf("after A1 and B1 the score is %d, want -2", r.Score)
	}
}

func TestSuperkoRefusals(t *testing.T) {
	for _, bad := range []struct {
		request solve.GoRequest
		says    string
	}{
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "9x9")}, "9x9"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "1x3"), Endless: table.EndlessWon}, "no game is endless"},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "1x3"), Without: []string{"wings"}}, `no part "wings"`},
		{solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "1x3"), Limits: job.Limits{Threads: 1000}}, "too many"},
	} {
		bad.request.Rules = positional
		_, err := solve.Go(context.Background(), bad.request)
		if err == nil || !strings.Contains(err.Error(), bad.says) {
			t.Errorf("%v: the error %v does not say %q", bad.request.Position.Size, err, bad.says)
		}
	}
}

// A search that is stopped says what it has proven.
func TestSuperkoStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	r, err := solve.Go(ctx, solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "3x4"), Rules: positional, Limits: job.Limits{Memory: 256 << 20, Threads: 1}})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || r.Known || !r.Open || r.Lo > 4 || r.Hi < 4 { // 3×4 is 4
		t.Errorf("stopped early it says %v, and %+v", err, r.Value)
	}
}

// Moves that are stopped on the way have the bounds proven until then, and images of
// solved moves are solved.
func TestSuperkoStopsAtAMove(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := emptyBoard(t, "1x9")
	request := solve.GoRequest{
		Table:    job.Cache,
		Position: p, Rules: positional, EachMove: true, Line: solve.LineNone, Limits: job.Limits{Memory: 256 << 20, Threads: 1},
		Progress: func(p solve.Progress) {
			if p.MovesDone >= 2 {
				cancel()
			}
		},
	}
	r, err := solve.Go(ctx, request)
	var stopped *job.Stopped
	if err != nil && !errors.As(err, &stopped) || len(r.Moves) != 10 || r.Score != 0 || !r.Known {
		t.Fatalf("%v with %d moves, %+v", err, len(r.Moves), r.Value)
	}
	values := map[board.Point]table.Value{}
	solved := 0
	for _, m := range r.Moves {
		values[m.Move] = m.Value
		if !m.Open {
			solved++
		}
	}
	if solved < 2 {
		t.Errorf("%d moves are solved", solved)
	}
	for move, v := range values {
		want := 0 // of a pass
		if move != weiqi.Pass {
			col := p.Size.Col(move)
			want = []int{-4, 0, -1, 0, 0}[min(col, 8-col)]
			if image := values[p.Size.At(0, 8-col)]; v != image {
				t.Errorf("%s is %+v, its image %+v", p.Size.Name(move), v, image)
			}
		}
		if !v.Open && v.Score != want || v.Open && (v.Lo > want || v.Hi < want) {
			t.Errorf("%d is %+v, not %d", move, v, want)
		}
	}
}

// The memory covers the boards, and proofs that do not fit are forgotten.
func TestSuperkoMemory(t *testing.T) {
	_, err := solve.Go(context.Background(), solve.GoRequest{Table: job.Cache, Position: emptyBoard(t, "1x10"), Rules: positional, Limits: job.Limits{Memory: 1 << 20}})
	if err == nil || !strings.Contains(err.Error(), "the 18,413 boards of 1x10") || !strings.Contains(err.Error(), "the limit is 1.0 MiB") {
		t.Errorf("the error is %v", err)
	}
	var fixed int64
	request := solve.GoRequest{
		Table:    job.Cache,
		Position: emptyBoard(t, "1x8"), Rules: positional, Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Line: solve.LineNone,
		Started: func(p job.Plan) { fixed = p.Fixed },
	}
	roomy := solveGo(t, request)
	request.Memory = fixed + (roomy.Memory-fixed)/2
	tight := solveGo(t, request)
	if roomy.Full || !tight.Full || tight.Score != roomy.Score || tight.Memory > request.Memory {
		t.Errorf("with room %d bytes and full %v, without %d of %d and full %v", roomy.Memory, roomy.Full, tight.Memory, request.Memory, tight.Full)
	}
	if roomy.Line != nil || len(tight.Warnings) != 1 {
		t.Errorf("the line is %v, the warnings are %q", roomy.Line, tight.Warnings)
	}
}

// A score under superko is two bounds, each with a certificate that the checker accepts.
func TestSuperkoCertificates(t *testing.T) {
	for _, want := range []struct {
		size  string
		moves []board.Point
		score int
	}{
		{"1x7", nil, 2},
		{"1x8", []board.Point{0}, -3},
		{"2x3", []board.Point{weiqi.Pass}, 0},
	} {
		for _, rules := range []weiqi.Rules{positional, situational} {
			for n := want.score - 1; n <= want.score+1; n++ {
				var file bytes.Buffer
				request := solve.GoRequest{
					Position: emptyBoard(t, want.size), Moves: want.moves, Rules: rules, CertificateTo: &file,
					Limits: job.Limits{Memory: 64 << 20},
				}
				request.AtLeast = &n
				r := solveGo(t, request)
				if holds := n <= want.score; (r.AtLeast == solve.True) != holds || (r.AtLeast == solve.False) == holds || r.Known || r.Line != nil {
					t.Errorf("%s, at least %d: %+v", want.size, n, r)
				}
				c, err := superko.Read(&file)
				if err != nil {
					t.Fatal(err)
				}
				report, err := superko.Verify(t.Context(), c, nil)
				if err != nil || !report.Valid || report.Positions != r.Certificate.Positions {
					t.Errorf("%s: %+v, %v", c.Claim(), report, err)
				}
				goal := n
				if c.Claim().Prover == board.White {
					goal = 1 - n
				}
				if c.Claim().Goal != goal || !slices.Equal(c.Claim().Moves, want.moves) || c.Claim().Rules != rules {
					t.Error(c.Claim())
				}
			}
		}
	}
}

// Bounds of each move, and both bounds of a score.
func TestSuperkoBounds(t *testing.T) {
	low, high := 0, 1
	request := solve.GoRequest{Position: emptyBoard(t, "1x6"), Rules: positional, EachMove: true, Limits: job.Limits{Memory: 64 << 20}}
	request.AtLeast, request.AtMost = &low, &high
	r := solveGo(t, request)
	if r.AtLeast != solve.True || r.AtMost != solve.True || r.Known || r.Lo != 0 || r.Hi != 1 {
		t.Errorf("%+v", r)
	}
	scores := map[board.Point]int{0: -6, 1: 1, 2: -1, weiqi.Pass: -1}
	for _, m := range r.Moves {
		if want, ok := scores[m.Move]; ok && (m.Lo > want || m.Hi < want || m.Lo < 0 && m.Hi >= 0) {
			t.Errorf("%d is %+v, not %d", m.Move, m.Value, want)
		}
	}
	low = 1
	if r := solveGo(t, request); !r.Known || r.Score != 1 || len(r.Line) == 0 {
		t.Errorf("%+v", r)
	}
}
