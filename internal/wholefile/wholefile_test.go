package wholefile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"tengen/internal/longtest"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	for _, text := range []string{"first", "second", ""} {
		if err := (wholefile.Disk{}).Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != text {
			t.Errorf("%q, %v, want %q", got, err, text)
		}
	}
	// A directory has the name of the file, or the folder of the file is missing.
	if err := os.MkdirAll(filepath.Join(dir, "taken", "by"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "taken"), filepath.Join(dir, "no", "file")} {
		if err := (wholefile.Disk{}).Write(bad, nil); err == nil || !strings.Contains(err.Error(), bad) || strings.Contains(err.Error(), bad+".") {
			t.Errorf("%s was written, or the error does not name it: %v", bad, err)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("files are left behind: %v", entries)
	}
}

// A link stays a link: the file is written where it leads, even if nothing is there
// yet.
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
		if err := (wholefile.Disk{}).Write(first, []byte(text)); err != nil {
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
	if err := (wholefile.Disk{}).Write(round, nil); err == nil {
		t.Error("a link to itself was written")
	}
}

func TestDevicesAreNotReplaced(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Skip(err)
	}
	for _, name := range []string{os.DevNull, link} {
		if err := (wholefile.Disk{}).Write(name, nil); err == nil || err.Error() != name+" is not a regular file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A new file has the permissions of the umask. A file that replaces another keeps its
// permissions.
func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such permissions")
	}
	dir := t.TempDir()
	name, plain := filepath.Join(dir, "file"), filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	mode := func(name string) os.FileMode {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	for _, want := range []os.FileMode{mode(plain), 0o600, 0o444} {
		if _, err := os.Stat(name); err == nil {
			if err := os.Chmod(name, want); err != nil {
				t.Fatal(err)
			}
		}
		if err := (wholefile.Disk{}).Write(name, []byte("text")); err != nil {
			t.Fatal(err)
		}
		if got := mode(name); got != want {
			t.Errorf("permissions %v, want %v", got, want)
		}
	}
}

// The longest names that systems allow leave no room for the ending of a temporary
// name.
func TestLongName(t *testing.T) {
	for _, name := range []string{strings.Repeat("x", 255), strings.Repeat("盤", 85)} {
		if err := (wholefile.Disk{}).Write(filepath.Join(t.TempDir(), name), []byte("text")); err != nil {
			t.Error(err)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "notes")
	foreign := func(string) error { return errors.New("it is dear to somebody") }
	check := func(name, want string) {
		t.Helper()
		err := wholefile.Disk{}.Check("plot", name, foreign)
		if got := fmt.Sprint(err); !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	check(name, "<nil>")
	check("", "the name of the plot is empty")
	check(dir, "is not a regular file")
	check(filepath.Join(dir, "no", "file"), "there is no directory "+filepath.Join(dir, "no"))
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	check(name, "notes exists and is not a plot that may be replaced: it is dear to somebody")
	check(filepath.Join(name, "file"), "not a directory")
	if err := (wholefile.Disk{}).Check("plot", name, nil); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files are left behind: %v", entries)
	}
}

func TestClean(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"file", ".file.00c0ffee.tmp", ".file.notes.tmp", ".files.00c0ffee.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wholefile.Disk{}.Clean(filepath.Join(dir, "file"))
	entries, _ := os.ReadDir(dir)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), ".file.notes.tmp .files.00c0ffee.tmp file"; got != want {
		t.Errorf("%s is left, want %s", got, want)
	}
}

func TestInterrupted(t *testing.T) {
	longtest.Alone(t)
	long := bytes.Repeat([]byte("what is new "), 1<<16)
	for _, w := range []faulty.Writer{
		{Name: "a new file", Write: func(disk wholefile.Disk, dir string) error {
			return disk.Write(filepath.Join(dir, "file"), long)
		}},
		{Name: "a file over another", Before: map[string][]byte{"file": []byte("what is old")}, Cleans: true, Write: func(disk wholefile.Disk, dir string) error {
			disk.Clean(filepath.Join(dir, "file"))
			return disk.Write(filepath.Join(dir, "file"), long)
		}},
		{Name: "a stream", Before: map[string][]byte{"file": []byte("what is old")}, Write: func(disk wholefile.Disk, dir string) error {
			return disk.Stream(filepath.Join(dir, "file"), func(w io.Writer) error {
				for part := range slices.Chunk(long, 1000) {
					if _, err := w.Write(part); err != nil {
						return err
					}
				}
				return nil
			})
		}},
		{Name: "a check", Before: map[string][]byte{"file": []byte("what is old")}, Write: func(disk wholefile.Disk, dir string) error {
			if err := disk.Check("file", filepath.Join(dir, "file"), nil); err != nil {
				return err
			}
			return disk.Write(filepath.Join(dir, "file"), long)
		}},
	} {
		faulty.Interrupt(t, w)
	}
}
