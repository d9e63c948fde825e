package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"tengen/internal/cluster"
)

// answered is a command that writes the answers of a list which are all in its store.
func answered(t *testing.T, position string) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(path, []byte(position+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := cluster.ReadList(strings.NewReader(position + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	_, err = cluster.SolveList(ctx, list, io.Discard, cluster.Options{Store: path + ".store", Joined: func(a cluster.Access) {
		a.Name = "one"
		go func() { done <- cluster.Work(ctx, cluster.WorkerOptions{Access: a, Memory: 64 << 20, Threads: 1}) }()
	}})
	cancel()
	if left := <-done; err != nil || left != nil {
		t.Fatal(err, left)
	}
	return []string{"cluster", "solve", "nogo", "--list", path, "--workers", "0", "--store", path + ".store", "--output", "answers.jsonl"}
}

// stopping is a writer that ends a command after its second page.
type stopping struct {
	bytes.Buffer
	stop context.CancelFunc
}

func (s *stopping) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if strings.Count(s.String(), "no search is under way") == 2 {
		s.stop()
	}
	return n, err
}

// A status that is watched is shown again until somebody stops it.
func TestClusterStatusIsWatched(t *testing.T) {
	server, err := cluster.Listen("127.0.0.1:0", "", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &stopping{stop: cancel}
	root := newRoot(&app{out: out, err: io.Discard})
	root.SetArgs([]string{"cluster", "status", "--nats", server.URL(), "--watch"})
	if err := root.ExecuteContext(ctx); err != nil {
		t.Error(err)
	}
}

// A status names positions, not keys, and what workers and masters wrote is shown escaped.
func TestClusterStatusIsPrintable(t *testing.T) {
	const evil = "\x1b]0;title\a\x1b[2J"
	var out bytes.Buffer
	printClusterStatus(&out, []cluster.Status{{
		Question: "nogo " + evil, Phase: "proof", Layer: evil, Line: evil, Banned: []string{evil},
		Workers: []cluster.WorkerStatus{
			{Name: "busy", Job: "00000000000000010000000000000002-0", About: "x../.o. w" + evil},
			{Name: "late" + evil, Job: "00000000000000010000000000000002-0"},
			{Name: "idle"},
		},
	}})
	for _, r := range out.String() {
		if r != '\n' && !unicode.IsGraphic(r) {
			t.Fatalf("%U is in %q", r, out.String())
		}
	}
	for _, want := range []string{"x../.o. w", "a job that is no longer needed", "nothing", `late\x1b]0;title\a`, `banned: \x1b]0;`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "0000000000") {
		t.Errorf("a key is shown: %s", out.String())
	}
}
