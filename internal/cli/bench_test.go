package cli_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"tengen/engine/solve"
	"tengen/internal/cli"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// The signatures stand in a file: a change of a search has to say that it is one.
func TestBenchSignature(t *testing.T) {
	if testing.Short() {
		t.Skip("not in short mode")
	}
	const golden = "testdata/bench.golden"
	var got strings.Builder
	for _, method := range solve.Methods() {
		if method == solve.Auto {
			continue
		}
		var out, errOut bytes.Buffer
		if code := cli.Main([]string{"bench", "--json", "--method", string(method)}, nil, &out, &errOut); code != 0 {
			t.Fatalf("bench ends with %d: %s", code, errOut.String())
		}
		var object struct {
			Signature string
			Nodes     uint64
		}
		if err := json.Unmarshal(out.Bytes(), &object); err != nil || object.Nodes == 0 {
			t.Fatalf("bench prints %s: %v", out.String(), err)
		}
		got.WriteString(string(method) + " " + object.Signature + "\n")
	}
	if *rewrite {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("signatures\n%swant\n%sif the search changed on purpose, run this test with -rewrite and say so in the commit", got.String(), want)
	}
}
