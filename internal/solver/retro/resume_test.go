package retro_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/tablebase"
)

func read(t testing.TB, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// only fails if there are files other than the named ones, which a build should
// not leave.
func only(t testing.TB, dir string, names ...string) {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		if !strings.Contains(" "+strings.Join(names, " ")+" ", " "+f.Name()+" ") {
			t.Errorf("%s is left behind", f.Name())
		}
	}
}

// scarce is a limit of memory for which values must be packed: as tightly as
// possible for a share of 0, and hardly for 1.
func scarce(t testing.TB, o retro.Options, plain retro.Report, share float64) int64 {
	t.Helper()
	least := retro.Need(o).Least
	if least >= plain.Memory {
		t.Fatalf("%s: %d bytes are needed at least, %d plainly", o.Size, least, plain.Memory)
	}
	return least + int64(share*float64(plain.Memory-1-least))
}

// Packing does not change the values.
func TestPackedBuilds(t *testing.T) {
	builds := []retro.Options{
		{Size: sizeOf(t, "2x6"), Loops: tablebase.Range},
		{Size: sizeOf(t, "3x4"), Loops: tablebase.Range, Distance: true},
	}
	shares := []float64{0, 1}
	if testing.Short() { // every phase once
		builds, shares = []retro.Options{{Size: sizeOf(t, "2x6"), Loops: tablebase.Range, Distance: true}}, shares[:1]
	}
	for _, o := range builds {
		plain, report := build(t, o)
		if report.Packed {
			t.Errorf("%s was packed without need", o.Size)
		}
		for _, share := range shares {
			o.Memory = scarce(t, o, report, share)
			packed, report := build(t, o)
			if !report.Packed || report.Memory > o.Memory {
				t.Errorf("%s took %d bytes of %d, packed: %v", o.Size, report.Memory, o.Memory, report.Packed)
			}
			if !bytes.Equal(read(t, plain.Path()), read(t, packed.Path())) {
				t.Errorf("%s: in %d bytes of memory the table differs", o.Size, o.Memory)
			}
		}
	}
}

// A build that is stopped again and again, in more or less memory, ends with the
// same file as one that is not.
func TestStopAndResume(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	builds := []retro.Options{
		{Size: sizeOf(t, "2x6"), Loops: tablebase.Range, Distance: true},
		{Size: sizeOf(t, "2x6")},
		{Size: sizeOf(t, "3x4"), Loops: tablebase.Range, Distance: true, Threads: 1},
	}
	if testing.Short() {
		builds = builds[1:2]
	}
	for _, o := range builds {
		dir := t.TempDir()
		whole, parts := filepath.Join(dir, "whole"), filepath.Join(dir, "parts")
		plain, err := retro.Build(context.Background(), whole, o)
		if err != nil {
			t.Fatal(err)
		}
		o.Checkpoint, o.Every = filepath.Join(dir, "checkpoint"), time.Hour
		stops := 0
		for done := false; !done; {
			ctx, cancel := context.WithCancel(context.Background())
			left := 3 + rnd.IntN(8)*(1+stops)
			o.Progress = func(retro.Progress) {
				if left--; left == 0 {
					cancel()
				}
			}
			o.Threads = 1 + rnd.IntN(3)
			o.Memory = 0
			if o.Loops == tablebase.Range && rnd.IntN(2) == 0 {
				o.Memory = scarce(t, o, plain, rnd.Float64())
			}
			report, err := retro.Build(ctx, parts, o)
			cancel()
			switch {
			case err == nil:
				done = true
			case !errors.Is(err, context.Canceled):
				t.Fatal(err)
			default:
				stops++
			}
			if stops > 0 && done && !report.Resumed {
				t.Error("the last run did not resume")
			}
			if done && report.Visits > plain.Visits+plain.Visits/4 {
				t.Errorf("%s: with %d stops %d evaluations, %d without: the work is repeated", o.Size, stops, report.Visits, plain.Visits)
			}
		}
		if stops == 0 {
			t.Error("the build was never stopped")
		}
		if !bytes.Equal(read(t, whole), read(t, parts)) {
			t.Errorf("%s: after %d stops the table differs", o.Size, stops)
		}
		only(t, dir, "whole", "parts")
	}
}

// Work is not lost when the table cannot be written.
func TestStopWhileWriting(t *testing.T) {
	dir := t.TempDir()
	o := retro.Options{Size: sizeOf(t, "3x3"), Distance: true, Checkpoint: filepath.Join(dir, "checkpoint"), Every: time.Hour}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p retro.Progress) {
		if p.Phase == "writing" {
			cancel()
		}
	}
	first, err := retro.Build(ctx, filepath.Join(dir, "table"), o)
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	only(t, dir, "checkpoint")
	o.Progress = nil
	second, err := retro.Build(context.Background(), filepath.Join(dir, "table"), o)
	if err != nil || second.Visits != first.Visits {
		t.Errorf("%d evaluations before and %d after resuming: %v", first.Visits, second.Visits, err)
	}
	table, _ := build(t, retro.Options{Size: o.Size, Distance: true})
	if !bytes.Equal(read(t, filepath.Join(dir, "table")), read(t, table.Path())) {
		t.Error("the table differs")
	}
	only(t, dir, "table")
}

// If a table cannot be written, there is no file under its name, and its
// checkpoint remains.
func TestTableCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	table := filepath.Join(dir, "table")
	o := retro.Options{Size: sizeOf(t, "2x4"), Checkpoint: filepath.Join(dir, "checkpoint"), Every: time.Hour}
	o.Progress = func(p retro.Progress) {
		if p.Phase == "writing" {
			if err := os.Mkdir(table, 0o755); err != nil {
				t.Error(err)
			}
		}
	}
	_, err := retro.Build(context.Background(), table, o)
	if err == nil || !strings.Contains(err.Error(), "the work is saved in "+o.Checkpoint) {
		t.Fatal(err)
	}
	only(t, dir, "table", "checkpoint")
	if err := os.Remove(table); err != nil {
		t.Fatal(err)
	}
	o.Progress = nil
	if report, err := retro.Build(context.Background(), table, o); err != nil || !report.Resumed {
		t.Errorf("resumed: %v, %v", report.Resumed, err)
	}
	only(t, dir, "table")
}

// buildVariable holds a job for which the test binary builds a table instead of testing.
const buildVariable = "TENGEN_TEST_BUILD"

// job is a build in a process of its own.
type job struct {
	Dir      string
	Size     board.Size
	Loops    tablebase.Loops
	Distance bool
	Memory   int64
	Every    time.Duration
}

func TestMain(m *testing.M) {
	if text := os.Getenv(buildVariable); text != "" {
		if err := runJob(text); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func runJob(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	_, err := retro.Build(context.Background(), filepath.Join(j.Dir, "killed"), retro.Options{
		Size: j.Size, Loops: j.Loops, Distance: j.Distance, Memory: j.Memory,
		Checkpoint: filepath.Join(j.Dir, "checkpoint"), Every: j.Every,
	})
	return err
}

// A build whose process is killed is resumed by the next process and ends with the
// same file, with enough memory or too little.
func TestKillAndResume(t *testing.T) {
	t.Run("3x4", func(t *testing.T) {
		killAndResume(t, retro.Options{Size: sizeOf(t, "3x4"), Every: time.Millisecond}, 50*time.Millisecond, false)
	})
	t.Run("3x4 packed", func(t *testing.T) {
		if testing.Short() {
			t.Skip("not in short mode")
		}
		killAndResume(t, retro.Options{Size: sizeOf(t, "3x4"), Loops: tablebase.Range, Distance: true, Every: 50 * time.Millisecond}, 200*time.Millisecond, true)
	})
	t.Run("3x6", func(t *testing.T) {
		longtest.Skip(t)
		killAndResume(t, retro.Options{Size: sizeOf(t, "3x6"), Every: 10 * time.Second}, time.Minute, false)
	})
	t.Run("4x4 packed", func(t *testing.T) {
		longtest.Skip(t)
		killAndResume(t, retro.Options{Size: sizeOf(t, "4x4"), Every: time.Second}, 10*time.Second, true)
	})
}

// killAndResume kills a build after patience, then after twice that time, and so
// on until it is done.
func killAndResume(t *testing.T, o retro.Options, patience time.Duration, packed bool) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	report, err := retro.Build(context.Background(), whole, o)
	if err != nil {
		t.Fatal(err)
	}
	if packed {
		o.Memory = scarce(t, o, report, 0.2)
	}
	text, err := json.Marshal(job{dir, o.Size, o.Loops, o.Distance, o.Memory, o.Every})
	if err != nil {
		t.Fatal(err)
	}
	kills := 0
	for ; !endsWithin(t, string(text), patience<<kills); kills++ {
	}
	t.Logf("killed %d times", kills)
	if !bytes.Equal(read(t, whole), read(t, filepath.Join(dir, "killed"))) {
		t.Errorf("%s: after %d kills the table differs", o.Size, kills)
	}
	if _, err := os.Stat(filepath.Join(dir, "checkpoint")); err == nil {
		t.Error("the checkpoint is left behind")
	}
}

// endsWithin runs a job and kills it if it takes longer.
func endsWithin(t *testing.T, text string, patience time.Duration) bool {
	t.Helper()
	run := exec.Command(os.Args[0])
	run.Env = append(os.Environ(), buildVariable+"="+text)
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
		return true
	case <-time.After(patience):
		_ = run.Process.Kill()
		<-ended
		return false
	}
}

// A file that is not an intact checkpoint of the same build is refused and not
// changed.
func TestBadCheckpoints(t *testing.T) {
	dir := t.TempDir()
	path, table := filepath.Join(dir, "checkpoint"), filepath.Join(dir, "table")
	o := retro.Options{Size: sizeOf(t, "3x3"), Checkpoint: path, Every: time.Hour}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(p retro.Progress) {
		if p.Phase == "values" {
			cancel()
		}
	}
	if _, err := retro.Build(ctx, table, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	good := read(t, path)
	o.Progress = nil
	if resumes, err := o.Resumes(); !resumes || err != nil {
		t.Errorf("there is work to go on from: %v, %v", resumes, err)
	}
	refuse := func(what string, raw []byte, o retro.Options) {
		t.Helper()
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := retro.Build(context.Background(), table, o)
		if err == nil || !strings.Contains(err.Error(), "remove it to begin anew") {
			t.Errorf("%s: %v", what, err)
		}
		if !bytes.Equal(read(t, path), raw) {
			t.Errorf("%s: the file was touched", what)
		}
		only(t, dir, "checkpoint")
	}
	for _, n := range []int{0, 7, 20, 60, len(good) - 1} {
		refuse("cut short", good[:n], o)
	}
	for _, at := range []int{0, 9, 13, 30, len(good) / 2, len(good) - 1} {
		bad := bytes.Clone(good)
		bad[at] ^= 4
		refuse("altered", bad, o)
	}
	other := o
	other.Size = sizeOf(t, "2x4")
	refuse("another size", good, other)
	if _, err := other.Resumes(); err == nil {
		t.Error("work on another board is taken for this one's")
	}
	other = o
	other.Distance = true
	refuse("other contents", good, other)
}

func TestLimits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "table")
	for _, c := range []struct {
		o    retro.Options
		want string
	}{
		{retro.Options{Size: sizeOf(t, "5x5")}, "tables go to 22"},
		{retro.Options{Size: sizeOf(t, "1x40")}, "tables go to 22"},
		{retro.Options{Size: sizeOf(t, "4x5"), Memory: 1 << 28}, "MiB of memory"},
		{retro.Options{Size: sizeOf(t, "2x2"), Checkpoint: filepath.Join(path, "none", "checkpoint")}, "no directory"},
	} {
		_, err := retro.Build(context.Background(), path, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.o.Size, err)
		}
	}
	if _, err := retro.Build(context.Background(), filepath.Join(path, "no", "such"), retro.Options{Size: sizeOf(t, "2x2")}); err == nil {
		t.Error("a table was written nowhere")
	}
}

// The estimate of Need is close to the memory that a build takes.
func TestNeed(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode")
	}
	for _, name := range []string{"2x6", "3x4", "1x12"} {
		o := retro.Options{Size: sizeOf(t, name), Loops: tablebase.Range, Distance: true}
		_, report := build(t, o)
		if need := retro.Need(o).Plain; need < report.Memory*9/10 || need > report.Memory*12/10 {
			t.Errorf("%s: %d bytes estimated, %d used", name, need, report.Memory)
		}
	}
}
