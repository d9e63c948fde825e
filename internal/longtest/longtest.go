// Package longtest marks tests that take minutes. They run when the environment
// variable TENGEN_LONG is 1, which is what `make test-long` sets. It also marks those that
// the race detector need not see.
package longtest

import (
	"os"
	"testing"
)

// Skip leaves the test unless long tests were asked for.
func Skip(t testing.TB) {
	t.Helper()
	if !On() {
		t.Skip("a long test: set TENGEN_LONG=1 or run make test-long")
	}
}

// On reports whether long tests were asked for, for tests that only grow.
func On() bool { return os.Getenv("TENGEN_LONG") == "1" }

// Times is how often a test tries something at random: more often if long tests were asked for.
func Times(usual, long int) int {
	if On() {
		return long
	}
	return usual
}

// Alone leaves a test with one thread to the run without the race detector: under it the
// test would take ten times as long, and there is nothing to find.
func Alone(t testing.TB) {
	t.Helper()
	if Raced {
		t.Skip("it has one thread: nothing to race")
	}
}
