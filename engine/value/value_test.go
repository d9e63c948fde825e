package value_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tengen/cgt"
	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/strip"
	"tengen/nogo"
)

// smallStrips is a database for tests.
func smallStrips(t *testing.T, max, simplest int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "strips.db")
	if _, _, err := value.BuildStrips(t.Context(), value.StripsRequest{Max: max, Simplest: simplest, Path: path}); err != nil {
		t.Fatal(err)
	}
	return path
}

func parseSum(t fataler, text string) value.Sum {
	t.Helper()
	sum, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// fataler is what *testing.T and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatal(...any)
}

// sumOf is a sum of strips.
func sumOf(t fataler, strips ...strip.Strip) value.Sum { return parseSum(t, strip.Format(strips)) }

func parseBoard(t testing.TB, text string) nogo.Position {
	t.Helper()
	p, err := nogo.ParsePosition(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestKnownValues(t *testing.T) {
	db := smallStrips(t, 7, 7)
	for _, c := range []struct {
		rows, board       string
		outcome           cgt.Outcome
		canonical         string
		simplest          string
		mean, temperature string
		low, high         int
	}{
		{".", "", cgt.P, "0", ".", "0", "-1", 0, 0},
		{"..", "", cgt.N, "*", "..", "0", "0", -1, 1},
		{".. + ..", "", cgt.P, "0", ".", "0", "-1", 0, 0},
		{"...", "", cgt.N, "±1", "...", "0", "1", -2, 2},
		{".x.", "", cgt.L, "1", ".x.", "1", "-1", 1, 1},
		{".oo.", "", cgt.R, "-1", ".o.", "-1", "-1", -1, -1},
		{"..x.x.", "", cgt.L, "{2|1}", "..x.x.", "3/2", "1/2", 0, 3},
		{".x.x.o.", "", cgt.L, "1*", ".x.x.o.", "1", "0", 0, 2},
		{".x. + ..", "", cgt.L, "1*", ".x.x.o.", "1", "0", 0, 2},
		{".xxx..ooxx..", "", cgt.L, "{1*|*}", "..x.x.o.", "1/2", "1/2", 0, 1},
		{".x.x.x.x.x. + .x.x.x.", "", cgt.L, "8", "", "8", "-1", 8, 8}, // a strip of 7 points has no 8 moves
		{"", "../..", cgt.N, "*", "..", "0", "0", -1, 1},
		{"", ".../...", cgt.P, "0", ".", "0", "-1", 0, 0},
		{"", ".../.../...", cgt.N, "*", "..", "0", "0", -1, 1},
		{"..", ".../.../...", cgt.P, "0", ".", "0", "-1", 0, 0},
		{"", ".x./...", cgt.N, "{1|0}", "..x.", "1/2", "1/2", -1, 2},
	} {
		request := value.Request{Strips: db}
		if c.rows != "" {
			request.Sum = parseSum(t, c.rows)
		}
		if c.board != "" {
			request.Sum = append(request.Sum, value.Of(parseBoard(t, c.board))...)
		}
		v, err := value.Find(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		simplest := ""
		if v.Simplest.Points() > 0 {
			simplest = v.Simplest.String()
		}
		name := strings.TrimSpace(c.rows + " " + c.board)
		if v.Outcome != c.outcome || v.Canonical != c.canonical || simplest != c.simplest || v.Searched != 7 {
			t.Errorf("%s: %v, %s, simplest %q of %d points", name, v.Outcome, v.Canonical, simplest, v.Searched)
		}
		if v.Mean.String() != c.mean || v.Temperature.String() != c.temperature || v.Low != c.low || v.High != c.high {
			t.Errorf("%s: mean %v, temperature %v, between %d and %d", name, v.Mean, v.Temperature, v.Low, v.High)
		}
	}
}

// drawStrip draws any reduced strip with at most this number of points.
func drawStrip(t *rapid.T, points int) strip.Strip {
	n := rapid.IntRange(1, points).Draw(t, "points")
	s, err := strip.At(n, rapid.Uint64Range(0, strip.Count(n)-1).Draw(t, "code"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The simplest strip is equal to the sum, and no strip before it is.
func TestSimplestEqualGame(t *testing.T) {
	const points = 5
	db := smallStrips(t, points, points)
	arena := cgt.New(cgt.Limits{})
	values := strip.NewValues(arena)
	first := make(map[cgt.Game]strip.Strip)
	for n := 1; n <= points; n++ {
		for code := range strip.Count(n) {
			s, err := strip.At(n, code)
			if err != nil {
				t.Fatal(err)
			}
			g, err := values.Of(s)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := first[g]; !ok {
				first[g] = s
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		sum := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) strip.Strip { return drawStrip(t, points+1) }), 1, 3).Draw(t, "sum")
		v, err := value.Find(t.Context(), value.Request{Sum: sumOf(t, sum...), Strips: db})
		if err != nil {
			t.Fatal(err)
		}
		g, err := values.Sum(sum...)
		if err != nil {
			t.Fatal(err)
		}
		if want := first[g]; v.Simplest.String() != want.String() || v.Canonical != arena.String(g) {
			t.Fatalf("%s is %s, %q the simplest, want %s and %q", strip.Format(sum), v.Canonical, v.Simplest, arena.String(g), want)
		}
	})
}

// A row is the same as a board, as a strip, and with less memory.
func TestValueOfRowAndBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawStrip(t, 6)
		var values []value.Value
		for _, request := range []value.Request{
			{Sum: sumOf(t, s)},
			{Sum: sumOf(t, s.Reverse()), Limits: job.Limits{Memory: 1 << 20}},
			{Sum: value.Of(parseRow(t, s)), Limits: job.Limits{Memory: 1 << 20}},
		} {
			v, err := value.Find(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, v)
		}
		// Parts are regions, by other code than strips.
		parts, err := value.FindParts(t.Context(), parseRow(t, s), job.Limits{})
		if err != nil || !parts.Known {
			t.Fatal(s, err)
		}
		for _, v := range append(values, parts.Sum) {
			if v.Canonical != values[0].Canonical || v.Low != values[0].Low || v.High != values[0].High || v.Searched != 0 {
				t.Fatalf("%s: %+v and %+v", s, v, values[0])
			}
		}
	})
}

// parseRow puts a strip on a board; each of its stones has a point beside it.
func parseRow(t *rapid.T, s strip.Strip) nogo.Position {
	p, err := nogo.ParsePosition(s.String())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestValueIsStopped(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	v, err := value.Find(ctx, value.Request{Sum: value.Of(parseBoard(t, "...../...../...../....."))})
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || !strings.HasPrefix(err.Error(), "the time is up; the value is not known; ") {
		t.Errorf("after a while: %v", err)
	}
	if !v.BoundsKnown || v.Low > -1 || v.High < 1 {
		t.Errorf("an empty board lies between %d and %d", v.Low, v.High)
	}
}

func TestValueRefusals(t *testing.T) {
	empty := parseBoard(t, "..../..../..../....")
	for _, c := range []struct {
		request value.Request
		want    string
	}{
		{value.Request{}, "a value needs a position or a game"},
		{value.Request{Sum: value.Of(nogo.Position{Size: empty.Size, Stones: parseBoard(t, "x.../..../..../....").Stones}, parseBoard(t, strings.Repeat("......./", 6)+"......."))}, "values are found on boards of up to 48 points and 64 padded cells, 7x7 is larger"},
		{value.Request{Sum: value.Of(empty), Limits: job.Limits{Memory: -1}}, "memory cannot be negative"},
		{value.Request{Sum: value.Of(empty), Limits: job.Limits{Memory: 1 << 60}}, "of memory is more than the"},
		{value.Request{Sum: value.Of(empty), Limits: job.Limits{Memory: 1 << 18}}, "; give it more than 256.0 KiB of memory in all, or a smaller position"},
		{value.Request{Sum: parseSum(t, strings.Repeat(".", 14)), Limits: job.Limits{Memory: 1 << 18}}, "; give it more than 256.0 KiB of memory in all, or a smaller position"},
		{value.Request{Sum: parseSum(t, ".."), Strips: filepath.Join(t.TempDir(), "nowhere")}, "nowhere"},
	} {
		if _, err := value.Find(t.Context(), c.request); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// A database beyond the memory costs the simplest equal game and nothing else.
func TestValueWithoutRoomForStrips(t *testing.T) {
	db := smallStrips(t, 7, 7)
	v, err := value.Find(t.Context(), value.Request{Sum: parseSum(t, ".. + .x."), Limits: job.Limits{Memory: 1 << 14}, Strips: db})
	if err != nil {
		t.Fatal(err)
	}
	if v.Canonical != "1*" || v.Simplest.Points() > 0 || v.Searched != 0 || len(v.Warnings) != 1 {
		t.Errorf("%+v", v)
	}
}
