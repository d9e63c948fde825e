package cluster

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
)

// tinyDisk is a folder with room for so much, which can be made larger.
func tinyDisk(t *testing.T, size string) (dir string, enlarge func(size string)) {
	t.Helper()
	dir = t.TempDir()
	if os.Getuid() != 0 {
		t.Skip("disks are mounted by root")
	}
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tengen", dir).CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", dir).Run() })
	return dir, func(size string) {
		if out, err := exec.Command("mount", "-o", "remount,size="+size, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}

// A disk that is full ends a master with a sentence. What is decided is kept, and the same
// command goes on when there is room.
func TestFullDiskEndsTheMaster(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, enlarge := tinyDisk(t, "3m")
	store := filepath.Join(dir, "store")
	q := Question{Position: empty(t, "4x6"), ToPlay: board.Black}
	working, dismiss := context.WithCancel(t.Context())
	defer dismiss()
	hired := make(chan error, 1)
	work := func(a Access) {
		a = Access{URL: a.URL, Name: "one"} // the token is found, of each run
		go func() { hired <- Work(working, WorkerOptions{Access: a, Memory: 64 << 20, Threads: 1}) }()
	}
	decided := 0
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, err := Solve(ctx, q, Options{Store: store, Log: log(t), Budgets: small, Share: 1, Joined: work, Progress: func(s Status) { decided = s.Decided }})
	if err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "full") {
		t.Fatalf("the disk is full, and the master says %v", err)
	}
	t.Log(err)
	enlarge("64m")
	if now := count(t, store, q.String()); now < decided || decided == 0 {
		t.Fatalf("%d positions were decided, %d are left", decided, now)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	_, err = Solve(ctx, q, Options{Store: store, Log: log(t), Budgets: small, Share: 1, Progress: func(s Status) {
		if s.Decided > decided+20 {
			cancel()
		}
	}})
	if err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("with room again: %v", err)
	}
	dismiss()
	if err := <-hired; err != nil {
		t.Error(err)
	}
}
