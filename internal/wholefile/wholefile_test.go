package wholefile_test

import (
	"os"
	"path/filepath"
	"strings"
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
		if err := wholefile.Write(bad, nil); err == nil || !strings.Contains(err.Error(), bad) || strings.Contains(err.Error(), bad+".") {
			t.Errorf("%s was written, or the error does not name it: %v", bad, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("files are left behind: %v", entries)
	}
}

// A link stays one: the file is written where it leads, even if nothing is there yet.
func TestLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "far"), 0o755); err != nil {
		t.Fatal(err)
	}
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	for link, to := range map[string]string{first: "second", second: "far/file"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	for _, text := range []string{"new", "changed"} {
		if err := wholefile.Write(first, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "far", "file")); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	for _, link := range []string{first, second} {
		if _, err := os.Readlink(link); err != nil {
			t.Error(err)
		}
	}
	round := filepath.Join(dir, "round")
	if err := os.Symlink("round", round); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Write(round, nil); err == nil {
		t.Error("a link to itself was written")
	}
}

func TestDevicesAreNotReplaced(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{os.DevNull, link} {
		if err := wholefile.Write(name, nil); err == nil || err.Error() != name+" is not a regular file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
