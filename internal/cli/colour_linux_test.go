package cli_test

import (
	"io"
	"strings"
	"testing"

	"tengen/internal/cli"
)

// Verdicts and boards have colours on a terminal that shows them, unless NO_COLOR has
// any value. What is not a terminal gets none, as the scripts see.
func TestColoursOnTerminal(t *testing.T) {
	solve := []string{"solve", "nogo", "1x3", "--each-move", "--memory", "64MiB"}
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // one database of strips for all of them
	const board, verdict = "1 \x1b[31m-\x1b[0m \x1b[1;32m+\x1b[0m \x1b[31m-\x1b[0m", "Black to play: \x1b[1;32mblack wins\x1b[0m"
	for _, c := range []struct {
		name, term, noColor string
		coloured            bool
	}{
		{"sixteen", "xterm", "", true},
		{"many", "xterm-256color", "", true},
		{"unwanted", "xterm-256color", "1", false},
		{"unwanted in any words", "xterm-256color", "please", false},
		{"dumb", "dumb", "", false},
		{"without", "vt100", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("TERM", c.term)
			t.Setenv("NO_COLOR", c.noColor)
			t.Setenv("COLORTERM", "")
			t.Setenv("TMUX", "")
			term := openTerminal(t, 24, 80)
			if code := cli.Main(solve, strings.NewReader(""), term.program, io.Discard); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			term.shows("method")
			term.mu.Lock()
			defer term.mu.Unlock()
			screen := term.screen.String()
			if c.coloured && (!strings.Contains(screen, board) || !strings.Contains(screen, verdict)) || !c.coloured && strings.Contains(screen, "\x1b") {
				t.Errorf("the terminal %s is written %q", c.term, screen)
			}
		})
	}
}

// A line of progress is written over on a terminal that can, and not on one that is dumb.
func TestProgressOnDumbTerminal(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for name, live := range map[string]bool{"xterm": true, "dumb": false, "": false} {
		t.Setenv("TERM", name)
		term := openTerminal(t, 24, 80)
		wait := []string{"solve", "nogo", "5x6", "--threads", "1", "--memory", "64MiB", "--timeout", "1s"}
		if code := cli.Main(wait, strings.NewReader(""), io.Discard, term.program); code != 3 {
			t.Fatalf("exit code %d", code)
		}
		term.shows("the time is up")
		term.mu.Lock()
		if screen := term.screen.String(); strings.Contains(screen, "\x1b") != live {
			t.Errorf("the terminal %q is written %q", name, screen)
		}
		term.mu.Unlock()
	}
}
