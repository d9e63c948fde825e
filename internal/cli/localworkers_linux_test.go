package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/internal/cluster"
)

// A banned worker is not started again: it would answer falsely again, under the same name.
// The reason is printed.
func TestBannedWorkerIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "worker")
	count := filepath.Join(dir, "count")
	text := "#!/bin/sh\necho started >> " + count + "\nprintf 'tengen: banned: it said \\033[2Jnonsense\\n' >&2\nexit 1\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c := newLocalWorkers(1, 64<<20, &said, false)
	c.program = func() (string, error) { return script, nil }
	c.start(cluster.Access{})
	c.wait.Wait() // for ever, if it were replaced
	times, err := os.ReadFile(count)
	if err != nil || string(times) != "started\n" {
		t.Errorf("%q, %v", times, err)
	}
	for _, want := range []string{"worker 1 is not replaced: banned: it said \\x1b[2Jnonsense", "no worker is left on this machine"} {
		if !strings.Contains(said.String(), want) {
			t.Errorf("%q is not in %q", want, said.String())
		}
	}
}
