package strip_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/longtest"
	"tengen/internal/strip"
)

// database is made once for all tests that only read it.
var database = sync.OnceValues(func() (*strip.DB, error) {
	o := strip.Options{Max: 11, Simplest: 9}
	if longtest.On() {
		o = strip.Options{Max: 13, Simplest: 12}
	}
	return strip.Make(context.Background(), o)
})

func openDatabase(t testing.TB) *strip.DB {
	t.Helper()
	db, err := database()
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// Theorems 1 and 2: a row is equal to the sum of its reduced strips. The
// difference is played out by the rules, without any reduction.
func TestReductionKeepsTheValue(t *testing.T) {
	longtest.Alone(t)
	longest := 7
	if longtest.On() {
		longest = 8
	}
	o := newOracle()
	for length := 1; length <= longest; length++ {
		eachRow(length, func(row string) {
			parts, err := strip.Reduce(row)
			if err != nil {
				t.Fatal(err)
			}
			difference := []string{row}
			for _, s := range parts {
				difference = append(difference, s.Inverse().String())
			}
			if !o.isZero(difference...) {
				t.Errorf("%s is not equal to %s", row, strip.Format(parts))
			}
		})
	}
}

// docs/strips.md has two rules beyond those of the paper.
func TestFurtherEqualities(t *testing.T) {
	longtest.Alone(t)
	o := newReducingOracle()
	for n := 1; n <= 5; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			rest := s.String()
			if rest[0] != '.' {
				return
			}
			if !o.isZero("x.x"+rest, inverseText(".x"+rest)) {
				t.Errorf("x.x%s is not equal to .x%s", rest, rest)
			}
			if !o.isZero("x.o.o"+rest, inverseText("x.o"+rest), ".x.") {
				t.Errorf("x.o.o%s is not x.o%s less 1", rest, rest)
			}
		})
	}
}

// The reducing oracle gives the same answers as the plain one.
func TestOraclesAgree(t *testing.T) {
	longtest.Alone(t)
	plain, reducing := newOracle(), newReducingOracle()
	for length := 1; length <= 8; length++ {
		eachRow(length, func(row string) {
			if p, r := plain.outcome(row), reducing.outcome(row); p != r {
				t.Errorf("%s is %s when played out, %s when reduced", row, p, r)
			}
		})
	}
}

// Outcome classes of all strips against playing them out.
func TestOutcomesFollowTheRules(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread alone: not in short mode")
	}
	db := openDatabase(t)
	o := newReducingOracle()
	for n := 1; n <= 9; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			b, ok := db.Bounds(s)
			got := b.Outcome()
			if want := o.outcome(s.String()); !ok || got.String() != want {
				t.Fatalf("%s is %s, not %s", s, want, got)
			}
		})
	}
}

// Bounds are the integers next to the value; free moves are played out.
func TestBoundsFollowTheRules(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	o := newReducingOracle()
	longest := 6
	if longtest.On() {
		longest = 8
	}
	for n := 1; n <= longest; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			b, _ := db.Bounds(s)
			row := s.String()
			atLeast := func(k int) bool { return !o.wins([]string{row}, -k, board.White) }
			atMost := func(k int) bool { return !o.wins([]string{row}, -k, board.Black) }
			if !atLeast(b.Low) || atLeast(b.Low+1) || !atMost(b.High) || atMost(b.High-1) {
				t.Fatalf("%+v do not bound %s", b, s)
			}
		})
	}
}

// Bounds come from a search over sums of strips, values from canonical forms.
// They agree.
func TestValuesAgreeWithBounds(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	arena := cgt.New(cgt.Limits{})
	games, err := db.Load(t.Context(), arena)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(n int, g cgt.Game, turned bool) bool {
		integer, err := arena.Integer(n)
		if err != nil {
			t.Fatal(err)
		}
		if turned {
			integer, g = g, integer
		}
		le, err := arena.LessEq(integer, g)
		if err != nil {
			t.Fatal(err)
		}
		return le
	}
	for n := 1; n <= db.Info().Simplest; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			b, _ := db.Bounds(s)
			number, _ := db.Value(s)
			g := games[number]
			if arena.Outcome(g) != b.Outcome() {
				t.Fatalf("%s = %s is %s, not %s", s, arena.String(g), arena.Outcome(g), b.Outcome())
			}
			if !compare(b.Low, g, false) || compare(b.Low+1, g, false) || !compare(b.High, g, true) || compare(b.High-1, g, true) {
				t.Fatalf("%+v do not bound %s = %s", b, s, arena.String(g))
			}
		})
	}
}

// A strip is equal to its simplest equal strip, and different simplest strips are
// not equal. So no simpler strip is equal to it. Differences are played out.
func TestSimplestByDifferences(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	o := newReducingOracle()
	longest := 5
	if longtest.On() {
		longest = 7
	}
	var simplest []strip.Strip
	for n := 1; n <= longest; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			h, ok := db.Simplest(s)
			switch {
			case !ok || strip.Compare(h, s) > 0:
				t.Fatalf("the simplest equal of %s is not %s", s, h)
			case h == s:
				simplest = append(simplest, s)
			case !o.isZero(s.String(), h.Inverse().String()):
				t.Fatalf("%s is not equal to %s", s, h)
			}
		})
	}
	for i, s := range simplest {
		for _, h := range simplest[:i] {
			if o.isZero(s.String(), h.Inverse().String()) {
				t.Fatalf("%s is equal to %s and not simplest", s, h)
			}
		}
	}
	t.Logf("%d different values of strips with up to %d points", len(simplest), longest)
}

// Values restored from the database are the same as newly computed ones, for
// single strips and for sums.
func TestLoadedValuesAreTheValues(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	arena := cgt.New(cgt.Limits{})
	games, err := db.Load(t.Context(), arena)
	if err != nil {
		t.Fatal(err)
	}
	loaded := arena.Len()
	values := strip.NewValues(arena)
	for n := 1; n <= 8; n++ {
		eachStrip(t, n, func(s strip.Strip) {
			g, err := values.Of(s)
			if err != nil {
				t.Fatal(err)
			}
			if number, ok := db.Value(s); !ok || games[number] != g {
				t.Fatalf("%s is %s, the database has %s", s, arena.String(g), arena.String(games[number]))
			}
		})
	}
	if arena.Len() > loaded+loaded/10 {
		t.Errorf("%d games of the database became %d", loaded, arena.Len())
	}
	sum, err := values.Sum(parse(t, ".x."), parse(t, "..o."), parse(t, ".."))
	if err != nil || arena.String(sum) != "{1*|*}" {
		t.Errorf("the sum is %s, %v", arena.String(sum), err)
	}
}

// The winners of empty boards: Black, moving first, except on 1×1 and 1×4.
func TestEmptyBoards(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	for n := 1; n <= db.Info().Max; n++ {
		want := cgt.N
		if n == 1 || n == 4 {
			want = cgt.P
		}
		if b, ok := db.Bounds(parse(t, strings.Repeat(".", n))); !ok || b.Outcome() != want {
			t.Errorf("1×%d is %s", n, b.Outcome())
		}
	}
}

// Table 1 of the paper counts all strips with up to eight points. A strip and its
// reverse count as two. Of a game and its negative, one is shown.
func TestMostFrequentValues(t *testing.T) {
	longtest.Alone(t)
	db := openDatabase(t)
	arena := cgt.New(cgt.Limits{})
	games, err := db.Load(t.Context(), arena)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		board, value string
		count        int
	}{
		{".x.x.o.", "1*", 481},
		{"..", "*", 457},
		{"...", "±1", 424},
		{"...x.o.", "±(1*)", 341},
		{"..x.x.", "{2|1}", 326},
		{".x.", "1", 310},
		{".x.x.x.", "3", 287},
		{".x.x.x.o.", "2*", 284},
		{".", "0", 282},
		{"..x.", "{1|0}", 268},
		{".x.x.", "2", 256},
	}
	got, err := db.MostFrequent(t.Context(), 8, len(want))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Fatalf("%d values, not %d", len(got), len(want))
	}
	both := 0
	for i, f := range got {
		w := want[i]
		if value := arena.String(games[f.Value]); f.Simplest.String() != w.board || value != w.value || f.Count != w.count {
			t.Errorf("row %d is %s = %s, %d times; in the paper %s = %s, %d times", i, f.Simplest, value, f.Count, w.board, w.value, w.count)
		}
		both++
		if minus, _ := db.Value(f.Simplest.Inverse()); minus != f.Value {
			both++
		}
	}
	if both != 18 {
		t.Errorf("with their negatives these are %d games, not the 18 of the paper", both)
	}
	if list, _ := db.MostFrequent(t.Context(), strip.MaxSimplest+1, 1); list != nil {
		t.Error("values beyond the database are counted")
	}
}

func TestBeyondTheDatabase(t *testing.T) {
	db, err := strip.Make(context.Background(), strip.Options{Max: 3, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := db.Bounds(parse(t, "....")); ok {
		t.Error("an outcome of four points out of three")
	}
	if _, ok := db.Simplest(parse(t, ".")); ok {
		t.Error("a simplest game without values")
	}
	if b, ok := db.Bounds(strip.Strip{}); !ok || b.Outcome() != cgt.P {
		t.Errorf("no strip at all is %s", b.Outcome())
	}
}
