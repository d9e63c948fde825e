package wholefile_test

import (
	"os"
	"path/filepath"
	"testing"

	"tengen/internal/wholefile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"first", "second", ""} {
		if err := wholefile.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	// A directory in the way, and one that is missing.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "by"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "taken"), filepath.Join(dir, "no", "file")} {
		if err := wholefile.Write(bad, nil); err == nil {
			t.Errorf("%s was written", bad)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("files are left behind: %v", entries)
	}
}
