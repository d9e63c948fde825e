//go:build unix

package match_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/internal/match"
)

// Processes that a program has started end with it.
func TestNoOrphans(t *testing.T) {
	file := filepath.Join(t.TempDir(), "child")
	t.Setenv("TENGEN_TEST_CHILD", file)
	o := options("plain", "leaves a child")
	o.Games = 1
	o.Clock = match.Clock{PerMove: 300 * time.Millisecond}
	run(t, o)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if state, err := os.ReadFile("/proc/" + string(text) + "/stat"); err == nil && len(state) > 0 && isZombie(string(state)) {
			return
		}
		if syscall.Kill(pid, 0) != nil {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d is still there", pid)
}

// The client does not wait for a program that closes its input before it
// has read a command.
func TestInputClosedUnread(t *testing.T) {
	o := options("plain", "stops reading")
	o.Clock = match.Clock{PerMove: time.Hour, Patience: time.Hour}
	for _, g := range run(t, o).Games {
		if g.How != match.Crash || g.Winner != match.A || !strings.Contains(g.Reason, "it closed its input") {
			t.Errorf("%+v", g)
		}
	}
}

// isZombie reads a line of /proc: the state follows the name in brackets.
func isZombie(stat string) bool {
	for i := len(stat) - 3; i > 0; i-- {
		if stat[i] == ')' {
			return stat[i+2] == 'Z'
		}
	}
	return false
}
