package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"tengen/internal/wholefile"
)

func TestNamelessLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	file, err := wholefile.NewNameless(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("for a while"); err != nil {
		t.Error(err)
	}
	text := make([]byte, 5)
	if _, err := file.ReadAt(text, 6); err != nil || string(text) != "while" {
		t.Errorf("%q, %v", text, err)
	}
	if err := file.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if _, err := wholefile.NewNameless(filepath.Join(dir, "missing")); err == nil {
		t.Error("a file was made in a folder that is not there")
	}
}
