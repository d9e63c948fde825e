package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tengen/board"
)

// promptly is the time in which a worker that is stopped must end.
const promptly = 2 * time.Second

// serverProcess is a NATS server that can be frozen and killed, and how to reach it.
func serverProcess(t *testing.T) (*process, Access) {
	t.Helper()
	dir := t.TempDir()
	p := start(t, filepath.Join(dir, "nats.log"), []string{roleVariable + "=nats", "ADDRESS=127.0.0.1:0", "FOLDER=" + dir}, os.Args[0])
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return p, Access{URL: "nats://127.0.0.1:" + strings.TrimSpace(line), Token: secret, Name: "leaver"}
}

func (p *process) freeze(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

// A worker that is stopped ends within two seconds, with or without its server: before it has
// joined, idle, and at a job with facts to publish.
func TestWorkerLeavesInTime(t *testing.T) {
	strikes := map[string]func(*process){
		"there":  func(*process) {},
		"killed": func(p *process) { p.kill() },
		"frozen": func(p *process) { p.freeze(t) },
	}
	for _, c := range []struct{ fault, when string }{
		{"there", "at a job"},
		{"killed", "before it joins"},
		{"killed", "some time before"},
		{"frozen", "before it joins"},
		{"frozen", "idle"},
		{"frozen", "some time before"},
	} {
		strike, when := strikes[c.fault], c.when
		t.Run(fmt.Sprintf("server %s, %s", c.fault, when), func(t *testing.T) {
			t.Parallel()
			p, access := serverProcess(t)
			if when == "before it joins" {
				strike(p)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			left := make(chan error, 1)
			go func() { left <- Work(ctx, WorkerOptions{Access: access, Memory: 64 << 20, Threads: 1}) }()
			switch when {
			case "idle":
				joined(t, access)
				strike(p)
			case "at a job", "some time before":
				searching, stop := context.WithCancel(t.Context())
				defer stop()
				busy := make(chan struct{}, 1)
				o := Options{Access: access, Store: filepath.Join(t.TempDir(), "store"), Progress: func(s Status) {
					if s.Jobs > 2 {
						select {
						case busy <- struct{}{}:
						default:
						}
					}
				}}
				over := make(chan error, 1)
				go func() {
					_, err := Solve(searching, Question{Position: empty(t, "5x5"), ToPlay: board.Black}, o)
					over <- err
				}()
				<-busy
				strike(p)
				if when == "some time before" {
					time.Sleep(3 * time.Second) // calls of the client are under way again
				}
				defer func() {
					stop()
					<-over
				}()
			}
			began := time.Now()
			cancel()
			if err := <-left; err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > promptly {
				t.Errorf("it took %s to leave", took)
			}
		})
	}
}

// joined waits for a heartbeat.
func joined(t *testing.T, a Access) {
	t.Helper()
	h, err := connect(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	heard, err := h.conn.SubscribeSync(heartbeatSubject)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := heard.NextMsgWithContext(t.Context()); err != nil {
		t.Fatal(err)
	}
}
