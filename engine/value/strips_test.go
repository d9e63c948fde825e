package value_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/engine/job"
	"tengen/engine/value"
	"tengen/internal/strip"
)

// Table 1 of Du and Müller, Solving Linear NoGo with Combinatorial Game Theory.
func TestFrequentValues(t *testing.T) {
	db, err := value.OpenStrips(t.Context(), smallStrips(t, 8, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	want := []value.FrequentValue{
		{Canonical: "1*", Count: 481},
		{Canonical: "*", Count: 457},
		{Canonical: "±1", Count: 424},
		{Canonical: "±(1*)", Count: 341},
		{Canonical: "{2|1}", Count: 326},
		{Canonical: "1", Count: 310},
		{Canonical: "3", Count: 287},
		{Canonical: "2*", Count: 284},
		{Canonical: "0", Count: 282},
		{Canonical: "{1|0}", Count: 268},
		{Canonical: "2", Count: 256},
	}
	simplest := strings.Fields(".x.x.o. .. ... ...x.o. ..x.x. .x. .x.x.x. .x.x.x.o. . ..x. .x.x.")
	list, err := db.Frequent(t.Context(), 8, len(want))
	if err != nil || len(list) != len(want) {
		t.Fatalf("%d values, %v", len(list), err)
	}
	for i, f := range list {
		if f.Simplest.String() != simplest[i] || f.Canonical != want[i].Canonical || f.Count != want[i].Count {
			t.Errorf("%d: %s, %s, %d times; want %s, %s, %d", i, f.Simplest, f.Canonical, f.Count, simplest[i], want[i].Canonical, want[i].Count)
		}
	}
	if _, err := db.Frequent(t.Context(), 9, 1); err == nil || err.Error() != "the database has values of strips with up to 8 points, not 9" {
		t.Errorf("beyond its values: %v", err)
	}
}

// The database agrees with the values of strips, and the order is
// the order in which strips are listed.
func TestLookupAgreesWithValues(t *testing.T) {
	const most, valued = 5, 4
	path := smallStrips(t, most, valued)
	db, err := value.OpenStrips(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := uint64(0)
	for n := 1; n <= most; n++ {
		for code := range strip.Count(n) {
			s, err := strip.At(n, code)
			if err != nil {
				t.Fatal(err)
			}
			row, err := value.ParseStrip(s.String())
			if err != nil {
				t.Fatal(err)
			}
			e, err := db.Lookup(t.Context(), row)
			if err != nil {
				t.Fatal(err)
			}
			v, err := value.Find(t.Context(), value.Request{Sum: sumOf(t, s)})
			if err != nil {
				t.Fatal(err)
			}
			if e.Code != code || e.Before != before || e.Outcome != v.Outcome || e.Low != v.Low || e.High != v.High {
				t.Fatalf("%s: %+v, its value is %+v", s, e, v)
			}
			if e.Valued != (n <= valued) || e.Valued && e.Canonical != v.Canonical {
				t.Fatalf("%s: %+v, its value is %s", s, e, v.Canonical)
			}
			before++
		}
	}
	long, err := value.ParseStrip("......")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Lookup(t.Context(), long); err == nil || err.Error() != "...... has 6 points and the database only strips with up to 5: a larger one must be built first" {
		t.Errorf("beyond the database: %v", err)
	}
}

// A build that is stopped says so, and the next one ends with the same file as
// one that never was.
func TestBuildStripsResumes(t *testing.T) {
	whole := smallStrips(t, 9, 6)
	request := value.StripsRequest{Max: 9, Simplest: 6, Path: filepath.Join(t.TempDir(), "strips.db")}
	ctx, cancel := context.WithCancel(t.Context())
	request.Progress = func(string, uint64, uint64) { cancel() }
	_, _, err := value.BuildStrips(ctx, request)
	var stopped *job.Stopped
	if !errors.As(err, &stopped) || err.Error() != "interrupted; the database is not finished" {
		t.Fatalf("stopped: %v", err)
	}
	if _, err := os.Stat(request.Path); err == nil {
		t.Fatal("a stopped build left a file under the name of a whole one")
	}
	request.Progress = nil
	info, built, err := value.BuildStrips(t.Context(), request)
	if err != nil || !built || info.Path != request.Path || info.Strips != 88569 {
		t.Fatalf("resumed: %+v, %v, %v", info, built, err)
	}
	if _, built, err := value.BuildStrips(t.Context(), request); err != nil || built {
		t.Errorf("built once more: %v, %v", built, err)
	}
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(request.Path); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the resumed build differs from the other: %v", err)
	}
}

func TestBuildStripsRefusals(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, []byte("dear to somebody"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		request value.StripsRequest
		want    string
	}{
		{value.StripsRequest{Max: 3, Simplest: 2, Path: notes}, "notes.txt: this is not a database of strips: the file is in the way, remove it or choose another name"},
		{value.StripsRequest{Max: 3, Simplest: 2, Path: dir}, "is not a regular file"},
		{value.StripsRequest{Max: 3, Simplest: 2, Path: filepath.Join(dir, "missing", "strips.db")}, "there is no directory"},
		{value.StripsRequest{Max: 3, Simplest: 4, Path: filepath.Join(dir, "strips.db")}, "simplest equal games up to 0 to 3 points, not 4"},
		{value.StripsRequest{Max: 18, Simplest: 4, Path: filepath.Join(dir, "strips.db")}, "not 18"},
		{value.StripsRequest{Max: 3, Simplest: 2, Path: filepath.Join(dir, "strips.db"), Limits: job.Limits{Threads: 1000}}, "1000 threads are too many: the limit is 256"},
	} {
		if _, _, err := value.BuildStrips(t.Context(), c.request); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if text, err := os.ReadFile(notes); err != nil || string(text) != "dear to somebody" {
		t.Errorf("the notes are now %q, %v", text, err)
	}
}

// A closed database has no memory any more: it says so and does not end the program.
func TestClosedStrips(t *testing.T) {
	strips, err := value.OpenStrips(t.Context(), smallStrips(t, 3, 2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := strips.Frequent(t.Context(), 2, -1); err == nil {
		t.Error("-1 values are listed")
	}
	strips.Close()
	strips.Close()
	_, looking := strips.Lookup(t.Context(), value.Strip{})
	_, listing := strips.Frequent(t.Context(), 2, 1)
	for _, err := range []error{looking, listing, strips.Verify(t.Context())} {
		if err == nil || err.Error() != "the database of strips is closed" {
			t.Error(err)
		}
	}
	if strips.Info().Max != 3 {
		t.Errorf("%+v", strips.Info())
	}
}

// A database of another size is not replaced: it may have taken minutes.
func TestBuildStripsKeepsOthers(t *testing.T) {
	path := smallStrips(t, 3, 2)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = value.BuildStrips(t.Context(), value.StripsRequest{Max: 4, Simplest: 3, Path: path})
	if err == nil || !strings.Contains(err.Error(), "is a database of strips of 3 and 2 points") {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the database has changed: %v", err)
	}
}

// In the user's cache a small database is built if there is none.
func TestStripsInTheCache(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for range 2 {
		db, err := value.OpenStrips(t.Context(), job.Cache)
		if err != nil {
			t.Fatal(err)
		}
		info := db.Info()
		if err := db.Verify(t.Context()); err != nil || info.Path == "" || info.Max < 9 || info.Max > 12 {
			t.Errorf("%+v, %v", info, err)
		}
		db.Close()
	}
}

func TestCancelledLookups(t *testing.T) {
	db, err := value.OpenStrips(t.Context(), smallStrips(t, 6, 6))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	row, err := value.ParseStrip("..x.")
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Lookup(ended, row); !errors.Is(err, context.Canceled) {
		t.Errorf("a lookup: %v", err)
	}
	if _, err := db.Frequent(ended, 6, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("frequent values: %v", err)
	}
}
