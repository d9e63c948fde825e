package solve

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/wholefile"
	"tengen/nogo"
)

// checkpointOn is a checkpoint of an empty board that says how many positions it has cost.
func checkpointOn(t *testing.T, size board.Size, nodes uint64) []byte {
	t.Helper()
	r, err := prepare(Request{Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.open(t.Context(), false, job.Cost{}); err != nil {
		t.Fatal(err)
	}
	defer r.solver.Close()
	path := filepath.Join(t.TempDir(), "made")
	c, err := job.OpenCheckpoint(path, r.header(), wholefile.Disk{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Release()
	if err := c.Save(job.Cost{Nodes: nodes}, saved{&r.found, r.solver}); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// What comes into the place of a checkpoint while a search runs, past the lock, as a copy
// from elsewhere does, is replaced only by more work on the same question.
func TestMoreWorkIsNotReplacedByLess(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size, most := board.Size{Rows: 2, Cols: 3}, uint64(1)<<40
	for _, test := range []struct {
		what  string
		there []byte
		stays string // what the warning says; "" if it is replaced
	}{
		{"less work", checkpointOn(t, size, 0), ""},
		{"more work", checkpointOn(t, size, most), "has been replaced by a checkpoint with other or more work"},
		{"another question", checkpointOn(t, board.Size{Rows: 2, Cols: 2}, 0), "has been replaced by a checkpoint with other or more work"},
		{"another file", []byte("notes"), "has been replaced by another file"},
	} {
		path := filepath.Join(t.TempDir(), "checkpoint")
		result, err := NoGo(t.Context(), Request{
			Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Checkpoint: path,
			Started: func(job.Plan) {
				if err := os.WriteFile(path, test.there, 0o644); err != nil {
					t.Error(err)
				}
			},
		})
		if err != nil || result.Winner == board.NoWinner {
			t.Errorf("%s: the answer is lost: %v", test.what, err)
		}
		found, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if stayed := bytes.Equal(found, test.there); stayed != (test.stays != "") {
			t.Errorf("%s: it stays: %v", test.what, stayed)
		}
		if said := strings.Join(result.Warnings, "\n"); (said == "") != (test.stays == "") || !strings.Contains(said, test.stays) {
			t.Errorf("%s: the warning is %q, want %q", test.what, said, test.stays)
		}
	}
}

// A search that resumes a checkpoint and is stopped at once leaves no less in it.
func TestResumedWorkIsKept(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size, most := board.Size{Rows: 4, Cols: 5}, uint64(1)<<40
	path := filepath.Join(t.TempDir(), "checkpoint")
	if err := os.WriteFile(path, checkpointOn(t, size, most), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	request := Request{Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 64 << 20, Threads: 1}, Checkpoint: path}
	request.Started = func(job.Plan) { stop() }
	if _, err := NoGo(ctx, request); !errors.Is(err, context.Canceled) {
		t.Fatalf("a search that is stopped ends with %v", err)
	}
	var plan job.Plan
	ctx, stop = context.WithCancel(t.Context())
	request.Started = func(p job.Plan) {
		plan = p
		stop()
	}
	if _, err := NoGo(ctx, request); !errors.Is(err, context.Canceled) || plan.Past < most {
		t.Errorf("of %d positions %d are left: %v", most, plan.Past, err)
	}
}

// The checkpoint of a search keeps what was found of its certificate, and whoever resumes it
// writes the same file.
func TestCheckpointKeepsTheProof(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 3, Cols: 5}
	path := filepath.Join(t.TempDir(), "checkpoint")
	certified := func() (Result, []byte) {
		var file bytes.Buffer
		result, err := NoGo(t.Context(), Request{
			Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 64 << 20, Threads: 1},
			Checkpoint: path, CertificateTo: &file,
		})
		if err != nil {
			t.Fatal(err)
		}
		return result, file.Bytes()
	}
	first, want := certified()
	r, err := prepare(Request{Position: nogo.NewPosition(size), Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	c, err := job.OpenCheckpoint(path, r.header(), wholefile.Disk{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Resume(func(resumed bool, spent job.Cost) (job.Saver, error) { return r.open(t.Context(), resumed, spent) })
	c.Release()
	if err != nil || r.found.Positions() < uint64(first.Certificate.Positions) {
		t.Errorf("%v: of a proof with %d positions %d are kept", err, first.Certificate.Positions, r.found.Positions())
	}
	if second, got := certified(); !second.Resumed || !bytes.Equal(got, want) {
		t.Errorf("resumed: %v; the certificate is another", second.Resumed)
	}
}
