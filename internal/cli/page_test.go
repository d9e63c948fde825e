package cli_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"tengen/internal/cli"
	"tengen/internal/longtest"
)

// The page on certificates shows a file byte by byte and, for whole boards, what
// any checker has to find. Both are made anew here.
func TestTheCertificatesOfThePage(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	text, err := os.ReadFile("../../docs/certificate-format.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile(`(?m)^\| (\dx\d) \|.*$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) < 5 {
		t.Fatalf("only %d boards were found", len(rows))
	}
	for _, row := range rows {
		t.Run(row[1], func(t *testing.T) {
			if row[1] == "4x5" || row[1] == "5x5" {
				longtest.Skip(t)
			}
			path := filepath.Join(t.TempDir(), "cert")
			tengen(t, "solve", "nogo", row[1], "--certificate", path, "--memory", "2GiB", "--threads", "1")
			var found struct {
				Winner    string
				Positions uint64
				Bytes     int64
				Searches  uint64 `json:"endgame_searches"`
				Nodes     uint64 `json:"endgame_nodes"`
				SHA256    string
			}
			if err := json.Unmarshal(tengen(t, "proof", "verify", path, "--json"), &found); err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(row[0], ",", "")
			got := fmt.Sprintf("| %s | %s | %d | %d | %d | %d | `%s` |", row[1],
				found.Winner, found.Positions, found.Bytes, found.Searches, found.Nodes, found.SHA256)
			if got != want {
				t.Errorf("the page says\n%s, it is\n%s", want, got)
			}
			if file, err := os.ReadFile(path); row[1] == "2x5" && !strings.Contains(string(text), hex.Dump(file)) {
				t.Errorf("%v; the page shows another file than\n%s", err, hex.Dump(file))
			}
		})
	}
}

// tengen runs a command that has to succeed and returns its output.
func tengen(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, diagnostics bytes.Buffer
	if code := cli.Main(args, io.LimitReader(nil, 0), &out, &diagnostics); code != 0 {
		t.Fatalf("tengen %s: exit code %d\n%s", strings.Join(args, " "), code, diagnostics.String())
	}
	return out.Bytes()
}
