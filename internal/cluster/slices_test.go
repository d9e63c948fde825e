package cluster

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/strip"
	"tengen/proof"
	"tengen/tablebase"
)

// However slices come back, every thing is done once.
func TestSlicesCoverTheWhole(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(1, seed))
		s := newSlicer("test", 1+rng.IntN(500), pace{least: 1 + rng.IntN(9), most: 50})
		times := make([]int, s.whole)
		var done []span
		count := func(slice span) {
			done = append(done, slice)
			for i := slice.From; i < slice.To; i++ {
				times[i]++
			}
		}
		for steps := 0; !s.over(); steps++ {
			if steps == 20 { // another run goes on
				again := newSlicer("again", s.whole, s.pace)
				again.without(slices.Clone(done))
				s = again
			}
			id, slice, ok := s.cut()
			if !ok || rng.IntN(3) == 0 && len(s.out) > 1 {
				for id = range s.out {
					break
				}
				slice = s.out[id]
			}
			switch rng.IntN(3) {
			case 0:
				s.back(id)
			case 1:
				count(slice)
				s.finish(id, rng.Float64())
			}
		}
		for i, n := range times {
			if n != 1 {
				t.Fatalf("seed %d: thing %d of %d is done %d times", seed, i, s.whole, n)
			}
		}
		if s.done != s.whole {
			t.Errorf("seed %d: %d of %d are done", seed, s.done, s.whole)
		}
	}
}

func TestVerifyInSlices(t *testing.T) {
	s := newSystem(t)
	s.hire(nil)
	s.hire(nil)
	for _, size := range []string{"1x2", "3x5"} {
		q := Question{Position: empty(t, size), ToPlay: board.Black}
		c := certificate(t, q)
		whole, err := proof.Verify(t.Context(), c, proof.VerifyOptions{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, err := Verify(t.Context(), c, s.options())
		if err != nil {
			t.Fatal(err)
		}
		if !got.Valid || got.Positions != whole.Positions {
			t.Errorf("%s: in slices %+v, as a whole %+v", size, got, whole)
		}
	}
}

// certificate is the proof that one machine finds.
func certificate(t *testing.T, q Question) *proof.Certificate {
	t.Helper()
	path := filepath.Join(t.TempDir(), "certificate")
	if _, err := engine.Solve(t.Context(), engine.Request{Position: q.Position, ToPlay: q.ToPlay, Certificate: path, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}}); err != nil {
		t.Fatal(err)
	}
	c, err := proof.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// goTable builds a table, with its checksum.
func goTable(t *testing.T, size board.Size) (path, sha256 string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "table")
	if _, _, err := engine.BuildTable(t.Context(), engine.TableRequest{Size: size, Loops: engine.LoopsRange, Distance: true, Path: path}); err != nil {
		t.Fatal(err)
	}
	return path, sumOf(t, path)
}

func sumOf(t *testing.T, path string) string {
	t.Helper()
	table, err := engine.OpenTable(path)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	sum, err := table.Checksum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// A table is checked in slices as on one machine, even if the server loses it and whether
// or not the workers have searched before.
func TestTableInSlices(t *testing.T) {
	path, sum := goTable(t, board.Size{Rows: 3, Cols: 4})
	table, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	want, err := table.Verify(t.Context(), tablebase.Verification{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := newSystem(t)
	for workers := 1; workers <= 2; workers++ {
		o := s.options()
		lost := false
		o.Progress = func(now Status) {
			if lost || now.Phase != string(tabling) {
				return
			}
			lost = true
			h, err := connect(t.Context(), o.Access)
			if err != nil {
				t.Error(err)
				return
			}
			defer h.close()
			h.drop(t.Context(), now.Search, object{sum, 1})
			s.hire(nil)
		}
		got, err := VerifyTable(t.Context(), path, sum, o)
		if err != nil || got.Failure != nil {
			t.Fatal(err, got.Failure)
		}
		if (tablebase.Verified{Boards: got.Boards, Bans: got.Bans, Positions: got.Positions, Complete: got.Complete}) != want {
			t.Errorf("%d workers: %+v, one machine %+v", workers, got, want)
		}
		if workers == 2 {
			break
		}
		if a, err := Solve(t.Context(), Question{Position: empty(t, "2x2"), ToPlay: board.Black}, s.options()); err != nil || a.Winner != board.Black {
			t.Errorf("after a table: %v, %v", a.Winner, err)
		}
	}
}

// A table with a value that is wrong is refused by slices too.
func TestWrongTableInSlices(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wrong")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tablebase.NewWriter(file, tablebase.Header{Size: board.Size{Rows: 2, Cols: 2}, Boards: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(tablebase.Board{}), w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	table, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	_, wrong := table.Verify(t.Context(), tablebase.Verification{})
	s := newSystem(t)
	s.hire(nil)
	got, err := VerifyTable(t.Context(), path, sumOf(t, path), s.options())
	if err != nil || got.Failure == nil || strings.TrimPrefix(got.Failure.Error(), "the table") != strings.TrimPrefix(wrong.Error(), path) {
		t.Errorf("%v, %v, one machine says %v", got.Failure, err, wrong)
	}
	// The file is another by now.
	if _, err := VerifyTable(t.Context(), path, strings.Repeat("0", 64), s.options()); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a table with another sum: %v", err)
	}
}

// A database is the same, byte for byte, whoever makes it: workers that leave, one that
// dies with a job, a master that is stopped.
func TestStripsInSlices(t *testing.T) {
	dir := t.TempDir()
	r := engine.StripsRequest{Max: 10, Simplest: 4}
	build := func(name string, make func(engine.StripsRequest) error) []byte {
		t.Helper()
		r.Path = filepath.Join(dir, name)
		if err := make(r); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	want := build("local", func(r engine.StripsRequest) error {
		_, _, err := engine.BuildStrips(t.Context(), r)
		return err
	})
	s := newSystem(t)
	leave := s.hire(nil)
	same := func(name string, ctx context.Context, o Options) {
		t.Helper()
		if got := build(name, func(r engine.StripsRequest) error {
			_, _, err := BuildStrips(ctx, r, o)
			return err
		}); !bytes.Equal(got, want) {
			t.Errorf("%s is another database", name)
		}
	}
	same("one", t.Context(), s.options())

	s.hire(nil)
	o := s.options()
	if !testing.Short() {
		o.Progress = func(now Status) {
			if now.Out > 0 && leave != nil {
				s.robbed(now.Search)
				leave()
				leave = nil
			}
		}
	}
	same("two", t.Context(), o)

	o = s.options()
	ctx, stop := context.WithCancel(t.Context())
	o.Progress = func(now Status) {
		if now.Layer == "10" && now.Part > 0 {
			stop()
		}
	}
	r.Path = filepath.Join(dir, "stopped")
	if _, _, err := BuildStrips(ctx, r, o); err == nil {
		t.Log("it was not stopped in time")
	}
	stop()
	o.Progress = nil
	same("stopped", t.Context(), o)
}

// robbed takes a job as a worker does that dies at once.
func (s *system) robbed(search string) {
	h, err := connect(s.t.Context(), Access{URL: s.server.URL(), Name: "thief"})
	if err != nil {
		s.t.Error(err)
		return
	}
	defer h.close()
	consumer, err := h.workers(s.t.Context())
	if err != nil {
		s.t.Error(err)
		return
	}
	batch, err := consumer.FetchNoWait(1)
	if err != nil {
		s.t.Error(err)
		return
	}
	for m := range batch.Messages() {
		s.t.Log("taken and not done:", m.Subject(), search, time.Now())
	}
}

// A worker that makes slices falsely is sent away, and nothing is built on them.
func TestFalseStripsAreFound(t *testing.T) {
	s := newSystem(t)
	m, err := begin(t.Context(), "strips", s.options())
	if err != nil {
		t.Fatal(err)
	}
	defer m.end()
	l := &laying{m: m}
	right, err := strip.LayerSlice(t.Context(), nil, 0, strip.LayerEntries(1), 1)
	if err != nil {
		t.Fatal(err)
	}
	whole := span{0, len(right)}
	if err := l.check(t.Context(), nil, whole, "honest", right); err != nil {
		t.Error(err)
	}
	for name, made := range map[string][]byte{"liar": make([]byte, len(right)), "idler": right[1:]} {
		if err := l.check(t.Context(), nil, whole, name, made); err == nil || !m.banned[name] {
			t.Errorf("%s may go on: %v", name, err)
		}
	}
}
