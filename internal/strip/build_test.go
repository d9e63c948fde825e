package strip_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"tengen/internal/strip"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var ordinary = strip.Options{Max: 8, Simplest: 7, Threads: 2}

func build(t *testing.T, path string, o strip.Options) []byte {
	t.Helper()
	if err := strip.Build(context.Background(), path, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + ".partial"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the partial file is left behind: %v", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The result does not depend on the number of threads.
func TestThreadsBuildTheSame(t *testing.T) {
	dir := t.TempDir()
	want := build(t, filepath.Join(dir, "one"), strip.Options{Max: 9, Simplest: 6, Threads: 1})
	for _, threads := range []int{0, 2, 5} {
		got := build(t, filepath.Join(dir, "many"), strip.Options{Max: 9, Simplest: 6, Threads: threads})
		if !bytes.Equal(got, want) {
			t.Errorf("%d threads build another file", threads)
		}
	}
}

// A build that is stopped at any point goes on to the same file.
func TestStoppedBuildsGoOn(t *testing.T) {
	dir := t.TempDir()
	want := build(t, filepath.Join(dir, "whole"), ordinary)
	for _, section := range []string{"bounds for n = 1", "bounds for n = 6", "bounds for n = 8", "games"} {
		path := filepath.Join(dir, strings.ReplaceAll(section, " ", "-"))
		ctx, cancel := context.WithCancel(context.Background())
		o := ordinary
		o.Progress = func(p strip.Progress) {
			if p.Section == section {
				cancel()
			}
		}
		err := strip.Build(ctx, path, o)
		cancel()
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if _, err := os.Stat(path); err == nil {
				t.Errorf("stopped at %s, and yet there is a file", section)
			}
		}
		if got := build(t, path, ordinary); !bytes.Equal(got, want) {
			t.Errorf("stopped at %s, the build went on to another file", section)
		}
	}
}

// A build goes on to the same file if its process was killed while writing or the
// disk lost the end of the file.
func TestCutBuildsGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "strips")
	want := build(t, path, ordinary)
	for _, length := range []int{0, 7, 40, 41, 64, 500, len(want) / 2, len(want) - 40, len(want) - 1, len(want)} {
		if err := os.WriteFile(path+".partial", want[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if got := build(t, path, ordinary); !bytes.Equal(got, want) {
			t.Errorf("from %d bytes the build went on to another file", length)
		}
	}
	damaged := bytes.Clone(want)
	damaged[300] ^= 64
	if err := os.WriteFile(path+".partial", damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := build(t, path, ordinary); !bytes.Equal(got, want) {
		t.Error("from a damaged beginning the build went on to another file")
	}
}

func TestBuildRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "strips")
	for _, o := range []strip.Options{
		{Max: 0},
		{Max: strip.MaxBounds + 1},
		{Max: 5, Simplest: 6},
		{Max: 15, Simplest: strip.MaxSimplest + 1},
		{Max: 5, Simplest: -1},
		{Max: 5, Threads: -1},
	} {
		if err := strip.Build(context.Background(), path, o); err == nil {
			t.Errorf("%+v is built", o)
		}
		if _, err := strip.Make(context.Background(), o); err == nil {
			t.Errorf("%+v is made", o)
		}
	}
	if err := os.WriteFile(path+".partial", []byte(strings.Repeat("my notes ", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := strip.Build(context.Background(), path, ordinary); err == nil || !strings.Contains(err.Error(), "remove the file") {
		t.Errorf("somebody's notes are taken for a partial file: %v", err)
	}
	if err := strip.Build(context.Background(), filepath.Join(dir, "missing", "strips"), ordinary); err == nil {
		t.Error("a file is made in a directory that is not there")
	}
}

// Every section ends with a report that it is done.
func TestProgressReachesTheEnd(t *testing.T) {
	last := make(map[string]strip.Progress)
	o := ordinary
	o.Progress = func(p strip.Progress) { last[p.Section] = p }
	if _, err := strip.Make(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	if len(last) != o.Max+1 {
		t.Errorf("progress of %d sections", len(last))
	}
	for name, p := range last {
		if p.Done != p.Total || p.Total == 0 {
			t.Errorf("%s ended with %d of %d", name, p.Done, p.Total)
		}
	}
}

func TestStoppedMakeSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := strip.Make(ctx, ordinary); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped before it began: %v", err)
	}
}

// The cache is filled on first need and used from then on; a damaged file is
// reported, and without a place for files the database lives in memory.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	t.Setenv("HOME", dir)
	first, err := strip.OpenOrBuild(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	info := first.Info()
	path, err := strip.CachePath(info.Max, info.Simplest)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	again, err := strip.OpenOrBuild(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if again.Info() != info {
		t.Errorf("built %+v, found %+v", info, again.Info())
	}
	again.Close()
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := strip.OpenOrBuild(context.Background()); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a truncated cache: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	homeless, err := strip.OpenOrBuild(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if homeless.Info() != info {
		t.Errorf("in memory it is %+v", homeless.Info())
	}
}

func BenchmarkLookup(b *testing.B) {
	db := openDatabase(b)
	strips := make([]strip.Strip, 1<<12)
	for i := range strips {
		strips[i], _ = strip.At(11, uint64(i)*2654435761%strip.Count(11))
	}
	b.Run("bounds", func(b *testing.B) {
		for i := range b.N {
			db.Bounds(strips[i%len(strips)])
		}
	})
	for i := range strips {
		strips[i], _ = strip.At(9, uint64(i)*2654435761%strip.Count(9))
	}
	b.Run("simplest", func(b *testing.B) {
		for i := range b.N {
			db.Simplest(strips[i%len(strips)])
		}
	})
}

func BenchmarkMake(b *testing.B) {
	for range b.N {
		if _, err := strip.Make(context.Background(), strip.Options{Max: 11, Simplest: 9, Threads: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
