package sgf_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"tengen/sgf"
)

// hostile returns records of n bytes that take as much memory per byte as possible.
func hostile(n int) map[string]string {
	many := func(part string) string { return strings.Repeat(part, n/len(part)) }
	var names strings.Builder
	for i := range sgf.MaxProperties {
		fmt.Fprintf(&names, "%c%c[]", 'A'+i/26, 'A'+i%26)
	}
	return map[string]string{
		"nodes":       "(" + many(";") + ")",
		"variations":  "(;" + many("(;)") + ")",
		"depth":       many("(;") + strings.Repeat(")", n/2),
		"games":       many("(;)"),
		"brackets":    many("(") + "(;)",
		"spaces":      many("( ") + "(;)",
		"properties":  "(" + many(";B[]") + ")",
		"values":      "(;AB" + many("[]") + ")",
		"names":       "(;" + names.String() + many("ZZ[]") + ")",
		"again":       "(;" + many(names.String()) + ")",
		"long name":   "(;" + many("A") + "[])",
		"small name":  "(;A" + many("a") + "[])",
		"escapes":     "(;C[" + many(`\]`) + "])",
		"lines":       "(;C[" + many("\n") + "])",
		"sets":        many("(;CA[gbk]C[\x81\x40])"),
		"not closed":  "(;C[" + many("x"),
		"wrong late":  "(;C[" + many("\xff") + "]!",
		"wide values": "(;CA[gb18030]AB" + many("[\x81\x40]") + ")",
	}
}

// Parsing allocates in proportion to the record, whatever it holds.
func TestMemoryIsLinear(t *testing.T) {
	const perByte = 128
	allocated := func(text string) uint64 {
		data := []byte(text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		games, err := sgf.Parse(data)
		if err == nil {
			_, err = sgf.ReadGame(games[0])
		}
		_ = err // the memory is bounded whether it parses or not
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	double := hostile(512 << 10)
	for name, text := range hostile(256 << 10) {
		once, twice := allocated(text), allocated(double[name])
		t.Logf("%-12s %4d bytes of memory for each of %d", name, once/uint64(len(text)), len(text))
		if once > perByte*uint64(len(text)) || twice > 3*once+1<<20 {
			t.Errorf("%s: %d bytes take %d, and %d take %d", name, len(text), once, len(double[name]), twice)
		}
	}
}

// A reader with little memory sets a lower limit on nodes and values. The limit holds for
// all games of a record together.
func TestFewerNodes(t *testing.T) {
	for _, text := range []string{"(;;;;)", "(;)(;)(;)(;)", "(;(;)(;)(;))", "(;(;(;(;))))"} {
		if _, err := sgf.ParseWithin([]byte(text), 4); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		var wrong *sgf.SyntaxError
		if _, err := sgf.ParseWithin([]byte(text), 3); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "more than 3 nodes") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for values, want := range map[int]bool{4: true, 5: false} {
		if _, err := sgf.ParseWithin([]byte("(;AB"+strings.Repeat("[aa]", values)+")"), 1); (err == nil) != want {
			t.Errorf("%d values: %v", values, err)
		}
	}
}
