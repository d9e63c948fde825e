package wholefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"tengen/internal/wholefile"
)

func TestLock(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Skip(err)
	}
	first, err := wholefile.Acquire(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{name, link} {
		if _, err := wholefile.Acquire(other); !isHeld(err) {
			t.Errorf("%s is locked twice: %v", other, err)
		}
	}
	first.Release()
	second, err := wholefile.Acquire(link)
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("a lock is left behind: %v", entries)
	}
	if _, err := wholefile.Acquire(filepath.Join(dir, "no", "file")); err == nil || isHeld(err) {
		t.Errorf("a file in no folder is locked: %v", err)
	}
}

// A lock is held by one goroutine at a time, although its file is removed at every
// release.
func TestLockIsHadByOne(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	var held, times atomic.Int64
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 500 {
				lock, err := wholefile.Acquire(name)
				if isHeld(err) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if held.Add(1) != 1 {
					t.Error("two have the lock")
				}
				times.Add(1)
				held.Add(-1)
				lock.Release()
			}
		})
	}
	group.Wait()
	if times.Load() == 0 {
		t.Error("nobody ever had the lock")
	}
}

func isHeld(err error) bool {
	var held *wholefile.Held
	return errors.As(err, &held)
}
