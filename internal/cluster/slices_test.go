package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tengen/board"
	engine "tengen/engine/job"
	"tengen/engine/solve"
	tables "tengen/engine/table"
	"tengen/engine/value"
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
		got, _, err := Verify(t.Context(), c, s.options())
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
	if _, err := solve.NoGo(t.Context(), solve.Request{Position: q.Position, ToPlay: q.ToPlay, Certificate: path, Limits: engine.Limits{Memory: 64 << 20, Threads: 1}}); err != nil {
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
	if _, _, err := tables.Build(t.Context(), tables.Request{Size: size, Loops: tablebase.Range, Distance: true, Path: path}); err != nil {
		t.Fatal(err)
	}
	return path, sumOf(t, path)
}

func sumOf(t *testing.T, path string) string {
	t.Helper()
	table, err := tablebase.Open(path, 0)
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
		got, _, err := VerifyTable(t.Context(), path, sum, o)
		if err != nil || got.Failure != nil {
			t.Fatal(err, got.Failure)
		}
		if got.Verified != want {
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

// wrongTable is a table of one board that is not one of those it should have.
func wrongTable(t *testing.T) string {
	t.Helper()
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
	return path
}

// A table with a value that is wrong is refused by slices too.
func TestWrongTableInSlices(t *testing.T) {
	path := wrongTable(t)
	table, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	_, wrong := table.Verify(t.Context(), tablebase.Verification{})
	s := newSystem(t)
	s.hire(nil)
	got, _, err := VerifyTable(t.Context(), path, sumOf(t, path), s.options())
	if err != nil || got.Failure == nil || got.Failure.Error() != wrong.Error() {
		t.Errorf("%v, %v, one machine says %v", got.Failure, err, wrong)
	}
	// The file is another by now.
	if _, _, err := VerifyTable(t.Context(), path, strings.Repeat("0", 64), s.options()); err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("a table with another sum: %v", err)
	}
}

// A database is the same, byte for byte, whoever makes it: workers that leave, one that
// dies with a job, a master that is stopped.
func TestStripsInSlices(t *testing.T) {
	dir := t.TempDir()
	r := value.StripsRequest{Max: 10, Simplest: 4}
	build := func(name string, run func(value.StripsRequest) error) []byte {
		t.Helper()
		r.Path = filepath.Join(dir, name)
		if err := run(r); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(r.Path)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	want := build("local", func(r value.StripsRequest) error {
		_, _, err := value.BuildStrips(t.Context(), r)
		return err
	})
	s := newSystem(t)
	leave := s.hire(nil)
	same := func(name string, ctx context.Context, o Options) {
		t.Helper()
		if got := build(name, func(r value.StripsRequest) error {
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

// forge changes what came of a slice.
func forge[R any](t *testing.T, change func(*R)) func(*result) {
	return func(r *result) {
		var made R
		if err := json.Unmarshal(r.Slice, &made); err != nil {
			t.Error(err)
		}
		change(&made)
		text, err := json.Marshal(made)
		if err != nil {
			t.Error(err)
		}
		r.Slice = text
	}
}

// liar hires a worker that forges its slices. It must be sent away.
// onlySlices changes results of slices and leaves the others alone.
func onlySlices(forge func(*result)) func(*result) {
	return func(r *result) {
		if forge != nil && len(r.Slice) > 0 {
			forge(r)
		}
	}
}

func (s *system) liar(forger func(*result)) (name string) {
	s.hire(func(o *WorkerOptions) { o.forge, name = onlySlices(forger), o.Name })
	return name
}

// Workers that make slices of strips falsely are sent away, and nothing is built on them.
func TestFalseStripsAreFound(t *testing.T) {
	r := value.StripsRequest{Max: 9, Simplest: 4, Path: filepath.Join(t.TempDir(), "local")}
	if _, _, err := value.BuildStrips(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*[]byte){
		"false": func(made *[]byte) { (*made)[len(*made)/2] ^= 1 },
		"short": func(made *[]byte) { *made = (*made)[1:] },
		"empty": func(made *[]byte) { *made = []byte{} },
	} {
		s := newSystem(t)
		liar := s.liar(forge(t, change))
		o := s.options()
		var banned []string
		hired := false
		o.Progress = func(now Status) {
			if banned = now.Banned; len(banned) > 0 && !hired { // the liar has begun
				hired = true
				s.hire(nil)
			}
		}
		r.Path = filepath.Join(t.TempDir(), "shared")
		if _, _, err := BuildStrips(t.Context(), r, o); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got, err := os.ReadFile(r.Path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: another database, %v", what, err)
		}
		if !slices.Equal(banned, []string{liar}) {
			t.Errorf("%s: banned are %v, not %s", what, banned, liar)
		}
	}
}

// A worker that lies after it has made parts of layers that are done ends the build, and so
// does one of which that is not known.
func TestLiarOfEarlierLayersEndsBuild(t *testing.T) {
	for _, c := range []struct {
		about about
		layer int
		ends  bool
	}{
		{about{Authors: []string{"honest"}, Made: 11}, 12, false},
		{about{Authors: []string{"honest", "liar"}, Made: 11}, 12, true},
		{about{Authors: []string{"honest"}, Made: 10}, 12, true},
		{about{}, 5, false}, // the master makes small layers itself
	} {
		l := &laying{m: &master{about: c.about}}
		if err := l.suspicion(c.layer, "liar"); (err != nil) != c.ends {
			t.Errorf("%+v at layer %d: %v", c.about, c.layer, err)
		}
	}
}

// Neither can a worker sign a wrong file as good, nor a good one as wrong.
func TestLyingCheckers(t *testing.T) {
	right, rightSum := goTable(t, board.Size{Rows: 2, Cols: 3})
	wrong := wrongTable(t)
	good := forge(t, func(r *tableReport) { r.Wrong = "" })
	bad := forge(t, func(r *tableReport) { r.Wrong = "A1 \x1b[2J is worth 6" })
	for _, c := range []struct {
		what, path, sum string
		forger          func(*result)
		valid           bool
	}{
		{"a wrong table signed as good", wrong, sumOf(t, wrong), good, false},
		{"a good table signed as wrong", right, rightSum, bad, true},
		{"a good table with too many boards", right, rightSum, forge(t, func(r *tableReport) { r.Boards++ }), true},
	} {
		s := newSystem(t)
		liar := s.liar(c.forger)
		v, k, err := VerifyTable(t.Context(), c.path, c.sum, s.withHonest(c.valid))
		if err != nil || (v.Failure == nil) != c.valid {
			t.Errorf("%s: %v, %v", c.what, v.Failure, err)
		}
		if !slices.Equal(k.Banned, []string{liar}) || k.Again == 0 || slices.Contains(k.Workers, liar) {
			t.Errorf("%s: it rests on %+v", c.what, k)
		}
	}
	c := certificate(t, Question{Position: empty(t, "3x5"), ToPlay: board.Black})
	for what, forger := range map[string]func(*result){
		"valid signed as not valid": forge(t, func(r *proof.Report) { r.Valid, r.Failure = false, &proof.Failure{Reason: "because"} }),
		"with other counts":         forge(t, func(r *proof.Report) { r.Positions += 7 }),
	} {
		s := newSystem(t)
		liar := s.liar(forger)
		r, k, err := Verify(t.Context(), c, s.withHonest(true))
		if err != nil || !r.Valid || !slices.Equal(k.Banned, []string{liar}) {
			t.Errorf("%s: %+v, %+v, %v", what, r, k, err)
		}
	}
}

// TestFalseCountsAreCountedAgain has a worker that is honest in its first slice, which is
// always checked, and then counts a board too many. Its count must not make a table wrong.
func TestFalseCountsAreCountedAgain(t *testing.T) {
	right, sum := goTable(t, board.Size{Rows: 3, Cols: 4})
	s := newSystem(t)
	count := forge(t, func(r *tableReport) { r.Boards++ })
	done := 0
	s.liar(func(r *result) {
		if done++; done == 2 {
			count(r)
		}
	})
	v, k, err := VerifyTable(t.Context(), right, sum, s.withHonest(true))
	if err != nil || v.Failure != nil || !v.Complete || done < 2 {
		t.Errorf("after %d slices: %+v, %v; it rests on %+v", done, v, err, k)
	}
}

// withHonest hires an honest worker when one is banned.
func (s *system) withHonest(wanted bool) Options {
	o := s.options()
	o.Progress = func(now Status) {
		if len(now.Banned) > 0 && wanted {
			wanted = false
			s.hire(nil)
		}
	}
	return o
}

// A worker that is honest at first and lies later is found out by chance, and all it has
// said is found again by others.
func TestSlicesOfLiarAreDoneAgain(t *testing.T) {
	s := newSystem(t)
	m, err := begin(t.Context(), "shared", s.options())
	if err != nil {
		t.Fatal(err)
	}
	defer m.end()
	const things = 40_000
	sum := map[int]int{}
	task := &sharing[int]{
		m: m, kind: tabling, name: "count",
		add:     func(s span, n int) (bool, error) { sum[s.From] = n; return false, nil },
		suspect: func(span, int) bool { return false },
		again: func(s span, n int) (string, *int, error) {
			right := s.len()
			if n == right {
				return "", nil, nil
			}
			return "it cannot count", &right, nil
		},
	}
	task.slicer = newSlicer("count", things, pace{least: 10, most: 10})
	task.authors, task.everyone = map[int]author{}, map[string]bool{}
	for i := 0; !task.done(); i++ {
		j, ok := task.next()
		if !ok {
			t.Fatal("nothing is given out, and not all is counted")
		}
		worker, n := "honest", j.Slice.len()
		if i%4 == 0 && !m.banned["liar"] {
			worker = "liar"
			if i > 100 {
				n++
			}
		}
		if _, err := task.take(result{ID: j.ID, Kind: tabling, Worker: worker, Slice: json.RawMessage(fmt.Sprint(n))}); err != nil {
			t.Fatal(err)
		}
	}
	total := 0
	for _, n := range sum {
		total += n
	}
	if total != things || !m.banned["liar"] || m.banned["honest"] {
		t.Errorf("%d things of %d, banned are %v", total, things, m.banned)
	}
	for _, a := range task.authors {
		if a.worker == "liar" {
			t.Errorf("slice %d to %d is a liar's", a.From, a.To)
		}
	}
	// So it is in the store.
	kept := 0
	if err := each(m.store, answerBucket, func(key string, k keptSlice[int]) error {
		if k.Worker == "liar" {
			t.Errorf("%s is a liar's", key)
		}
		kept += k.Result
		return nil
	}); err != nil || kept != things {
		t.Errorf("%d things are kept, %v", kept, err)
	}
}

// A check that was killed after it had found a fault finds it again, whatever good slices
// are in the store behind it.
func TestFaultInStoreIsKept(t *testing.T) {
	path, sum := goTable(t, board.Size{Rows: 3, Cols: 4})
	table, err := tablebase.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if table.Frames() < 2 {
		t.Fatalf("the table has %d frames", table.Frames())
	}
	s := newSystem(t)
	o := s.options()
	kept, about, err := openStore(o.Store, VerifyQuestion(sum), "killed")
	if err != nil {
		t.Fatal(err)
	}
	const fault = "A1 is worth 6, not 5"
	for i := range table.Frames() {
		slice := keptSlice[tableReport]{span{i, i + 1}, "honest", tableReport{}}
		if i == 0 {
			slice.Result.Wrong = fault
		}
		if err := kept.put(about, answerBucket, fmt.Sprintf("table-%012d", i), slice); err != nil {
			t.Fatal(err)
		}
	}
	kept.close()
	v, _, err := VerifyTable(t.Context(), path, sum, o)
	if err != nil || v.Failure == nil || v.Failure.Error() != fault {
		t.Errorf("the fault is forgotten: %v, %v", v.Failure, err)
	}
}
