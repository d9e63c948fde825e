package cli_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// running are the processes that a process has started, zombies left out.
func running(t *testing.T, parent int) (children []int) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		if state, of, ok := processState(path); ok && of == parent && state != "Z" {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(path)))
			if err != nil {
				t.Fatal(err)
			}
			children = append(children, pid)
		}
	}
	return children
}

func processState(path string) (state string, parent int, ok bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", 0, false
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // names have blanks
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return fields[0], parent, err == nil
}

// Workers on the machine of a master that is killed end at once, although the NATS server
// inside it goes with it. Nobody reads the token from their command lines.
func TestWorkersDieWithTheirMaster(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var said bytes.Buffer
	master := exec.Command("tengen", "cluster", "solve", "nogo", "5x5", "--workers", "2", "--memory", "128MiB", "--store", filepath.Join(t.TempDir(), "store"), "--log")
	master.Stderr = &said
	if err := master.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = master.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = master.Process.Kill()
		<-ended
		if t.Failed() {
			t.Log(said.String())
		}
	})
	token := ""
	for token == "" { // its workers can join now
		left, err := filepath.Glob(filepath.Join(os.Getenv("XDG_CACHE_HOME"), "tengen", "cluster", "*.token"))
		if err != nil {
			t.Fatal(err)
		}
		if len(left) > 0 {
			text, err := os.ReadFile(left[0])
			if err != nil {
				t.Fatal(err)
			}
			token = strings.TrimSpace(string(text))
		}
		select {
		case <-ended:
			t.Fatal("the master has ended")
		case <-time.After(10 * time.Millisecond):
		}
	}
	var workers []int
	for len(workers) < 2 {
		workers = running(t, master.Process.Pid)
		time.Sleep(10 * time.Millisecond)
	}
	for _, pid := range workers {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !strings.Contains(string(line), "--while-input") || strings.Contains(string(line), token) {
			t.Errorf("the command of a worker is %q, %v", line, err)
		}
	}
	time.Sleep(500 * time.Millisecond) // they are at work; earlier would be no excuse either
	if err := master.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	for _, pid := range workers {
		for {
			state, _, there := processState(fmt.Sprintf("/proc/%d/stat", pid))
			if !there || state == "Z" {
				break
			}
			if time.Since(killed) > 2*time.Second {
				t.Fatalf("worker %d is still there", pid)
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}
