package faulty

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tengen/internal/wholefile"
)

// Writer is one way in which the program writes files into a folder.
type Writer struct {
	Name string
	// Before are files that are there when it begins, by their names in the folder.
	Before map[string][]byte
	// Write writes. It may be called in many folders.
	Write func(disk wholefile.Disk, dir string) error
	// Same reports whether two contents of a file are equivalent; nil compares bytes.
	Same func(name string, a, b []byte) bool
	// Warns says that the writer reports a failure by a warning and returns no error.
	Warns bool
	// Grows is a file that may be left unfinished: another run continues it.
	Grows string
	// Cleans says that a run removes the temporary files of a run that was killed.
	Cleans bool
}

// Interrupt runs the writer once without faults, and then once for each fault of each of
// its steps. After every run each file must be the old one or the new one, with no other
// file beside them. After a crash another run must succeed.
func Interrupt(t *testing.T, w Writer) {
	t.Helper()
	healthy := newSystem(-1, none)
	dir := w.folder(t)
	if err := w.Write(wholefile.On(healthy), dir); err != nil {
		t.Fatalf("%s: undisturbed: %v", w.Name, err)
	}
	after := read(t, dir)
	if len(healthy.steps) == 0 || maps.EqualFunc(after, w.Before, bytes.Equal) {
		t.Fatalf("%s: nothing was written", w.Name)
	}
	runs, old := 0, 0
	for at, step := range healthy.steps {
		for _, f := range faultsOf(step) {
			runs++
			s := newSystem(at, f)
			if stayed := w.interrupt(t, s, after, step); stayed {
				old++
			}
		}
	}
	t.Logf("%s: %d steps (%s), interrupted in %d ways: %d times nothing had changed, %d times the new was there, never neither",
		w.Name, len(healthy.steps), summary(healthy.steps), runs, old, runs-old)
}

// faultsOf is what can go wrong in a step.
func faultsOf(step string) []fault {
	if step == "write" {
		return []fault{fails, partial, short, killed, torn, powerless, forgotten}
	}
	return []fault{fails, killed, powerless, forgotten}
}

func (w Writer) folder(t *testing.T) string {
	dir := t.TempDir()
	for name, content := range w.Before {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// interrupt has one step go wrong, and reports whether all files stayed as they were.
func (w Writer) interrupt(t *testing.T, s *system, after map[string][]byte, step string) bool {
	t.Helper()
	dir := w.folder(t)
	err := w.Write(wholefile.On(s), dir)
	where := w.Name + ", step " + step + " " + s.fault.String()
	found := read(t, dir)
	// A writer may write what is missing after a short write.
	excused := w.Warns || step == "remove" || s.fault.crash() || s.fault == short && w.all(found, after)
	if err == nil && !excused {
		t.Errorf("%s: no error", where)
	}
	left := w.compare(t, where, found, after, s.fault.crash() || step == "remove")
	stayed := w.all(found, w.Before)
	if !s.fault.crash() && w.Grows == "" {
		return stayed
	}
	if err := w.Write(wholefile.On(newSystem(-1, none)), dir); err != nil {
		t.Errorf("%s: the next run: %v", where, err)
		return stayed
	}
	for name, content := range read(t, dir) {
		switch {
		case slices.Contains(left, name) && !w.Cleans, name == w.Grows:
		case !w.same(name, content, after[name]):
			t.Errorf("%s: after the next run %s is there, or is not the new one", where, name)
		}
	}
	return stayed
}

// compare finds every file as it was before or as it is after, and lists temporary
// files, which a crash may leave.
func (w Writer) compare(t *testing.T, where string, found, after map[string][]byte, crash bool) []string {
	t.Helper()
	var left []string
	for name, content := range found {
		switch {
		case w.is(name, content, w.Before), w.is(name, content, after), name == w.Grows:
		case strings.HasSuffix(name, ".tmp") && strings.HasPrefix(filepath.Base(name), ".") && crash:
			left = append(left, name)
		default:
			t.Errorf("%s: %s is neither the old one nor the new one, %d bytes", where, name, len(content))
		}
	}
	for name := range w.Before {
		_, stays := after[name]
		if _, there := found[name]; stays && !there {
			t.Errorf("%s: %s is gone", where, name)
		}
	}
	return left
}

func (w Writer) is(name string, content []byte, in map[string][]byte) bool {
	other, there := in[name]
	return there && w.same(name, content, other)
}

func (w Writer) same(name string, a, b []byte) bool {
	if w.Same != nil {
		return w.Same(name, a, b)
	}
	return bytes.Equal(a, b)
}

// all reports whether the files of a folder are these, but for temporary ones.
func (w Writer) all(found, want map[string][]byte) bool {
	for name, content := range found {
		if !w.is(name, content, want) && name != w.Grows && !strings.HasSuffix(name, ".tmp") {
			return false
		}
	}
	return true
}

// read is what a folder holds.
func read(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		found[filepath.ToSlash(name)], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// summary counts steps of a kind.
func summary(steps []string) string {
	count := map[string]int{}
	for _, step := range steps {
		count[step]++
	}
	var parts []string
	for _, step := range slices.Sorted(maps.Keys(count)) {
		part := step
		if n := count[step]; n > 1 {
			part = fmt.Sprintf("%s ×%d", step, n)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Files are what a writer writes undisturbed, to be there before another.
func Files(t *testing.T, write func(disk wholefile.Disk, dir string) error) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	if err := write(wholefile.On(newSystem(-1, none)), dir); err != nil {
		t.Fatal(err)
	}
	return read(t, dir)
}
