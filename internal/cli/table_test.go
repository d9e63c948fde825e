package cli_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/board"
	"tengen/internal/cli"
	"tengen/tablebase"
)

// A file with right sums and a wrong value is an intact table, so the answer is no.
func TestVerifyFindsWrongValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "forged.table")
	var file bytes.Buffer
	w, err := tablebase.NewWriter(&file, tablebase.Header{Size: board.Size{Rows: 1, Cols: 1}, Boards: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(tablebase.Board{}), w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errOut bytes.Buffer
	if code := cli.Main([]string{"table", "verify", path}, nil, &out, &errOut); code != 1 || strings.Contains(errOut.String(), "tengen:") {
		t.Errorf("exit code %d, want 1: %s", code, &errOut)
	}
	if want := "forged.table gives the best stone on . the value 0, its moves say -1\n"; !strings.HasPrefix(out.String(), "not valid: ") || !strings.HasSuffix(out.String(), want) {
		t.Errorf("the verdict is %q", &out)
	}
	out.Reset()
	if code := cli.Main([]string{"table", "verify", path, "--json"}, nil, &out, &errOut); code != 1 || !strings.Contains(out.String(), `"valid":false,"proved":false,"failure":"`) {
		t.Errorf("exit code %d, want 1: %s", code, &out)
	}
}
