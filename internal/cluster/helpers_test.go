package cluster

import (
	"context"
	"fmt"
	"io"
	"os"
	"testing"
)

// roles are what this program is when a test starts it again as another process.
var roles = map[string]func(context.Context) error{}

const roleVariable = "TENGEN_TEST_ROLE"

func TestMain(m *testing.M) {
	play, ok := roles[os.Getenv(roleVariable)]
	if !ok {
		os.Exit(m.Run())
	}
	// A process does not outlive the test that has its input.
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	if err := play(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
