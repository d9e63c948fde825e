//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/internal/cli"
)

// The names of files come from anybody. They are shown, and a terminal obeys nothing of
// them.
func TestNamesDoNotSteerTheTerminal(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := filepath.Join(t.TempDir(), "\x1b[2Jgames\u202e")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	const record = "(;GM[1]FF[4]SZ[2]RU[NoGo];B[aa])"
	for name, data := range map[string]string{"\x1b]0;owned\x07.sgf": record, "bad\x9b31m.sgf": "(;GM[1]", "openings": "Z9\n", "list": "what?\n"} {
		if err := os.WriteFile(at(name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"annotate", dir},
		{"annotate", at("bad\x9b31m.sgf")},
		{"annotate", at("none.sgf")},
		{"solve", "nogo", "2x2", "--certificate", at("proof"), "--memory", "64MiB"},
		{"solve", "nogo", "2x2", "--certificate", at("list"), "--memory", "64MiB"},
		{"solve", "nogo", "2x3", "--checkpoint", at("checkpoint"), "--memory", "64MiB"},
		{"solve", "nogo", "2x3", "--checkpoint", at("checkpoint"), "--memory", "64MiB"},
		{"proof", "verify", at("proof")},
		{"proof", "verify", at("list")},
		{"proof", "stats", at("proof")},
		{"table", "build", "go", "1x3", "-o", at("table")},
		{"table", "build", "go", "1x3", "-o", at("table")},
		{"table", "info", at("table")},
		{"table", "info", at("list")},
		{"strips", "build", "--max", "3", "-o", at("strips")},
		{"strips", "build", "--max", "3", "-o", at("strips")},
		{"strips", "info", at("strips")},
		{"value", "..", "--strips", "none", "--plot", at("plot.svg")},
		{"match", "--a", at("no such program"), "--b", at("no such program"), "--games", "1"},
		{"match", "--a", "cat", "--b", "cat", "--opening-set", at("openings")},
		{"suite", "--file", at("list"), "--engine", "cat"},
		{"man", at("man")},
		{"cluster", "solve", "nogo", "--list", at("list"), "--store", at("store")},
		{"solve", "nogo", "--position", "\x1b[2J"},
		{"value", "{0|\x1b[2J}"},
	} {
		var out, errOut bytes.Buffer
		cli.Main(args, strings.NewReader(""), &out, &errOut)
		said := out.String() + errOut.String()
		if i := strings.IndexFunc(said, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' }); i >= 0 {
			t.Errorf("%q: %q", args, said)
		}
		if said == "" {
			t.Errorf("%q says nothing", args)
		}
	}
}

// A command that reads a list from a pipe ends by the first signal, though nobody writes.
func TestListFromAPipeIsInterrupted(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Skip(err)
	}
	tengen, err := exec.LookPath("tengen")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tengen, "cluster", "solve", "nogo", "--list", pipe, "--store", filepath.Join(t.TempDir(), "store"))
	var errOut bytes.Buffer
	cmd.Stderr = &errOut
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	// Once somebody reads, the pipe can be opened to be written without waiting.
	for {
		writer, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			defer writer.Close()
			break
		}
		select {
		case <-done:
			t.Fatalf("the program ended: %s", errOut.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		cmd.Process.Kill()
		<-done
		t.Error("the signal was not heard")
	}
	if code := cmd.ProcessState.ExitCode(); code != 3 || errOut.String() != "tengen: interrupted; the list has not been read to its end\n" {
		t.Errorf("exit code %d, %q", code, errOut.String())
	}
}

// shellEngine writes a program that speaks GTP: what it does with some commands is given, and
// all others succeed.
func shellEngine(t *testing.T, cases string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "engine")
	script := "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n" + cases + "quit) printf '=\\n\\n'; exit;;\n*) printf '=\\n\\n';;\nesac; done\n"
	if err := os.WriteFile(path, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	return "sh " + path
}

// Boards that are not square are skipped for a program that has no command for them, and
// left out with --square.
func TestSuiteSkipsRectangles(t *testing.T) {
	const passes = "genmove*) printf '= pass\\n\\n';;\n"
	for name, program := range map[string]string{
		"lists its commands":         shellEngine(t, passes+"list_commands) printf '= boardsize\\nplay\\ngenmove\\n\\n';;\n"),
		"does not list its commands": shellEngine(t, passes+"list_commands|rectangular*) printf '? unknown command\\n\\n';;\n"),
	} {
		for _, square := range []bool{false, true} {
			args := []string{"suite", "--json", "--engine", program}
			if square {
				args = append(args, "--square")
			}
			var out, errOut bytes.Buffer
			code := cli.Main(args, strings.NewReader(""), &out, &errOut)
			var got struct{ Right, Wrong, Skipped int }
			if err := json.Unmarshal(out.Bytes(), &got); err != nil || code != 0 {
				t.Fatalf("%s: exit code %d, %v: %s", name, code, err, errOut.String())
			}
			want := 12
			if square {
				want = 0
			}
			if got.Skipped != want || got.Wrong != 72 || got.Right != 0 {
				t.Errorf("%s, square %v: %+v", name, square, got)
			}
		}
	}
}

// A match and a suite that are stopped by a signal print what there is, with --json.
func TestSignalledProgramsPrintJSON(t *testing.T) {
	tengen, err := exec.LookPath("tengen")
	if err != nil {
		t.Fatal(err)
	}
	reached := filepath.Join(t.TempDir(), "reached")
	if err := syscall.Mkfifo(reached, 0o666); err != nil {
		t.Skip(err)
	}
	// It moves once, and is does not answer at its second move. It writes to the pipe first.
	program := shellEngine(t, "genmove*) n=$((n+1)); if [ $n = 2 ]; then echo > "+reached+"; sleep 1000; fi; printf '= A1\\n\\n';;\nlist_commands) printf '= boardsize\\nrectangular_boardsize\\n\\n';;\n")
	other := shellEngine(t, "genmove*) printf '= C3\\n\\n';;\n")
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"match", "--size", "3x3", "--black", program, "--white", other}, `"games":0,`},
		{[]string{"match", "--size", "3x3", "--black", program, "--white", other}, `"unfinished":[{"number":1,"black":"a","opening":0,"moves":["A1","C3"]}]`},
		{[]string{"suite", "--engine", program}, `{"right":`},
	} {
		cmd := exec.Command(tengen, append(test.args, "--json")...)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.ReadFile(reached); err != nil { // to the end, or the program dies as it writes
			t.Fatal(err)
		}
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(out.String(), test.want) || !json.Valid(out.Bytes()) {
			t.Errorf("%v: exit code %d, %s%s", test.args, code, out.String(), errOut.String())
		}
	}
}
