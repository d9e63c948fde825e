package solve_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/proof/area"
	"tengen/weiqi"
)

var smallSearch = job.Limits{Memory: 32 << 20, Threads: 1}

// On random positions of 3×4 the search proves both ends of the range that the table has,
// and no more.
func TestGoSearchAgreesWithTheTable(t *testing.T) {
	ownCache(t)
	rng := rand.New(rand.NewPCG(33, 34))
	exact := 0
	for range 60 {
		p := randomGo(rng, randomGo(rng, emptyBoard(t, "3x4")))
		want := solveGo(t, solve.GoRequest{Table: job.Cache, Position: p})
		got := solveGo(t, solve.GoRequest{
			Position: p, Method: solve.GoSearch, Limits: smallSearch,
			GoBounds: solve.GoBounds{AtLeast: &want.Lo, AtMost: &want.Hi},
		})
		if got.AtLeast != solve.True || got.AtMost != solve.True || got.Method != solve.GoSearch {
			t.Errorf("%s, %s to play, ban %d, passes %d: the table has [%d, %d], the search %+v", p, p.ToPlay, p.Ko, p.Passes, want.Lo, want.Hi, got.Value)
		}
		if want.Lo < want.Hi {
			continue
		}
		exact++
		if !got.Known || got.Score != want.Score {
			t.Errorf("%s, %s to play: the table has %d, the search %+v", p, p.ToPlay, want.Score, got.Value)
		}
	}
	if exact < 20 {
		t.Errorf("only %d positions have one score under all rules", exact)
	}
}

// parseGo reads a position with Black to play.
func parseGo(t *testing.T, text string) weiqi.Position {
	t.Helper()
	p, err := weiqi.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const late5x5 = ".xo../xxoo./.xo.o/xxoo./.xo.."

// A late position of 5×5 is solved with every move, without a table.
func TestGoSearchOf5x5(t *testing.T) {
	got := solveGo(t, solve.GoRequest{Table: job.Cache, Position: parseGo(t, late5x5), EachMove: true, Limits: job.Limits{Memory: 64 << 20}})
	if !got.Known || got.Score != -5 || !got.Ranged || got.Lo != -5 || got.Hi != -5 || got.Method != solve.GoSearch || len(got.Line) == 0 {
		t.Errorf("%+v", got)
	}
	if len(got.Moves) != 10 {
		t.Errorf("%d moves: %v", len(got.Moves), got.Moves)
	}
	for _, m := range got.Moves {
		if m.Open || m.Score > -5 {
			t.Errorf("%+v is better than the position", m)
		}
	}
}

// A bound that does not hold is answered with a certificate of the contrary, and the
// checker accepts both.
func TestGoCertificates(t *testing.T) {
	for _, test := range []struct {
		position string
		bounds   solve.GoBounds
		claim    area.Claim
	}{
		{".../.../...", solve.GoBounds{AtLeast: new(9)}, area.Claim{Prover: board.Black, Goal: 9}},
		{"..../..../....", solve.GoBounds{AtLeast: new(3)}, area.Claim{Prover: board.Black, Goal: 3}},
		{late5x5, solve.GoBounds{AtMost: new(-6)}, area.Claim{Prover: board.Black, Goal: -5}},
		{late5x5, solve.GoBounds{AtLeast: new(-4)}, area.Claim{Prover: board.White, Goal: 5}},
	} {
		var file bytes.Buffer
		got := solveGo(t, solve.GoRequest{
			Position: parseGo(t, test.position), GoBounds: test.bounds, Method: solve.GoSearch,
			CertificateTo: &file, Limits: job.Limits{Memory: 64 << 20},
		})
		if c := got.Certificate; c == nil || c.Bytes != int64(file.Len()) {
			t.Fatalf("%s: %+v, %d bytes", test.position, c, file.Len())
		}
		read, err := area.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if c := read.Claim(); c.Prover != test.claim.Prover || c.Goal != test.claim.Goal {
			t.Errorf("%s: the certificate proves %v", test.position, c)
		}
		if report, err := area.Verify(t.Context(), read, nil); err != nil || !report.Valid {
			t.Errorf("%s: %+v, %v", test.position, report, err)
		}
	}
}

// A stopped search has the bounds it has proven, and says so.
func TestGoSearchStops(t *testing.T) {
	var reports int
	got, err := solve.Go(t.Context(), solve.GoRequest{
		Position: weiqi.NewPosition(board.Size{Rows: 5, Cols: 5}),
		Limits:   job.Limits{Memory: 64 << 20, Time: 700 * time.Millisecond},
		Progress: func(p solve.Progress) { reports++ },
	})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || got.Known || !got.Open || got.Lo > got.Hi {
		t.Errorf("%+v, %v", got, err)
	}
	if reports == 0 {
		t.Error("there was no report")
	}
}

// By search the proofs of a late position hold under superko too. Where a proof may rest on a
// board of the game before, that is said, and what is known.
func TestGoSearchUnderSuperko(t *testing.T) {
	for _, ko := range []weiqi.Ko{weiqi.Positional, weiqi.Situational} {
		rules := weiqi.Rules{Ko: ko}
		request := solve.GoRequest{Position: parseGo(t, late5x5), Rules: rules, Method: solve.GoSearch, Limits: job.Limits{Memory: 64 << 20, Threads: 1}}
		got := solveGo(t, request)
		if !got.Known || got.Score != -5 || got.Ranged || got.Method != solve.GoSearch || got.Unrepeated == 0 || got.Line != nil {
			t.Errorf("under %s: %+v", ko, got)
		}
		one := -5
		var file bytes.Buffer
		request.AtLeast, request.CertificateTo = &one, &file
		if got = solveGo(t, request); got.AtLeast != solve.True || got.Certificate == nil {
			t.Errorf("under %s: %+v", ko, got)
		}
		c, err := area.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := area.Superko(t.Context(), c, area.SuperkoOptions{Ko: ko}); found != nil || err != nil {
			t.Errorf("under %s: %v, %v", ko, found, err)
		}
		all := 4
		request = solve.GoRequest{
			Position: parseGo(t, "o.x."), Moves: []board.Point{1, weiqi.Pass, 0, 3, 0, weiqi.Pass}, Rules: rules,
			Method: solve.GoSearch, GoBounds: solve.GoBounds{AtLeast: &all}, Limits: smallSearch,
		}
		got, err = solve.Go(t.Context(), request)
		stopped, repeats := (*job.Stopped)(nil), (*area.Repetition)(nil)
		if !errors.As(err, &stopped) || !errors.As(err, &repeats) || got.Known || got.AtLeast != solve.Undecided || got.Lo != -4 || got.Hi != 4 {
			t.Errorf("under %s: %+v, %v", ko, got, err)
		}
	}
	for _, change := range []func(*solve.GoRequest){
		func(r *solve.GoRequest) { r.EachMove = true },
		func(r *solve.GoRequest) { r.Line = solve.LineWanted },
		func(r *solve.GoRequest) { r.Endless = 1 },
		func(r *solve.GoRequest) { r.Method = solve.GoTable },
		func(r *solve.GoRequest) {
			r.Position = parseGo(t, ".xo./x.xo/.xo.")
			r.Position.ToPlay, r.Position.Ko = board.White, r.Position.Size.At(1, 1)
		},
	} {
		request := solve.GoRequest{Position: parseGo(t, late5x5), Rules: weiqi.Rules{Ko: weiqi.Positional}, Method: solve.GoSearch, Limits: smallSearch}
		change(&request)
		if _, err := solve.Go(t.Context(), request); err == nil || errors.As(err, new(*job.Stopped)) {
			t.Errorf("%+v was not refused: %v", request, err)
		}
	}
}

// A search that resumes has room for the proofs of its checkpoint from the beginning.
func TestGoSearchResumesWithRoom(t *testing.T) {
	request := solve.GoRequest{
		Position: emptyBoard(t, "2x5"), Method: solve.GoSearch, Limits: job.Limits{Memory: 256 << 20, Threads: 1},
		Checkpoint: filepath.Join(t.TempDir(), "checkpoint"), Line: solve.LineNone,
	}
	fresh := solveGo(t, request)
	resumed := solveGo(t, request)
	if resumed.Nodes >= fresh.Nodes || resumed.Score != fresh.Score {
		t.Errorf("%d positions, and resumed %d more; the scores are %d and %d", fresh.Nodes, resumed.Nodes, fresh.Score, resumed.Score)
	}
	if resumed.Memory <= 2*fresh.Memory || resumed.Memory > request.Memory {
		t.Errorf("the search took %d bytes, and resumed %d", fresh.Memory, resumed.Memory)
	}
}
