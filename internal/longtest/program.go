package longtest

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// Program compiles a C++ program of docs/checker, also one that is written for a graphics
// card, and returns its path. Only long tests want one.
func Program(t testing.TB, source string, libraries ...string) string {
	t.Helper()
	Skip(t)
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"-O2", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++", "-o", program, source}, libraries...)
	if out, err := exec.Command("c++", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s needs a C++ compiler and its libraries %v\n%s", err, source, libraries, out)
	}
	return program
}
