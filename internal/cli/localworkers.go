package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tengen/internal/cluster"
	"tengen/internal/match"
	"tengen/internal/text"
)

// localWorkers are the workers that a master starts on its own machine: processes of this
// program. A worker that dies is replaced. A banned one is not, for its answers would be
// false again. Workers end when their standard input does, so none outlives a master that
// was killed.
type localWorkers struct {
	size   int
	memory int64
	err    io.Writer
	log    bool
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup

	program func() (string, error) // the program of a worker

	metrics *clusterMetrics // metrics and page end with the workers
	page    *clusterPage
}

func newLocalWorkers(size int, memory int64, err io.Writer, log bool) *localWorkers {
	ctx, cancel := context.WithCancel(context.Background())
	return &localWorkers{size: size, memory: memory, err: err, log: log, program: os.Executable, ctx: ctx, cancel: cancel}
}

// start starts the workers, and replaces those that die until stop is called.
func (w *localWorkers) start(a cluster.Access) {
	left := int64(w.size)
	for i := range w.size {
		w.wait.Go(func() {
			for w.ctx.Err() == nil {
				err := w.work(a, i+1)
				if err == nil || w.ctx.Err() != nil {
					continue
				}
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == exitNo {
					fmt.Fprintf(w.err, "tengen: worker %d is not replaced: %v\n", i+1, err)
					if atomic.AddInt64(&left, -1) == 0 {
						fmt.Fprintln(w.err, "tengen: no worker is left on this machine; the search waits for others to join")
					}
					return
				}
				fmt.Fprintf(w.err, "tengen: worker %d ended and is replaced: %v\n", i+1, err)
				select {
				case <-w.ctx.Done():
				case <-time.After(500 * time.Millisecond):
				}
			}
		})
	}
}

// work runs one worker until it ends or all are stopped.
func (w *localWorkers) work(a cluster.Access, number int) error {
	program, err := w.program()
	if err != nil {
		return err
	}
	cmd := exec.Command(program)
	// The first argument is the name of this program, wherever its file is. The token is not
	// an argument, since all users of the machine can read arguments.
	cmd.Args = []string{
		os.Args[0], "worker", "--nats", a.URL, "--while-input", "--threads", "1",
		"--memory", strconv.FormatInt(w.memory/int64(w.size), 10) + "b", "--name", fmt.Sprintf("%s-%d-%d", hostName(), os.Getpid(), number),
	}
	for flag, value := range map[string]string{"--credentials": a.Credentials, "--tls-ca": a.CA, "--tls-cert": a.Cert, "--tls-key": a.Key} {
		if value != "" {
			cmd.Args = append(cmd.Args, flag, value)
		}
	}
	if a.TLS {
		cmd.Args = append(cmd.Args, "--tls")
	}
	cmd.Env = append(os.Environ(), "TENGEN_TOKEN="+a.Token)
	said := &match.Tail{} // its last line is the reason why a worker ended
	cmd.Stderr = said
	if w.log {
		cmd.Stderr = io.MultiWriter(w.err, said)
	}
	match.OwnGroup(cmd) // the master stops the workers, not the Ctrl-C of the terminal
	input, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		if last := said.Last(); err != nil && last != "" {
			err = fmt.Errorf("%s (%w)", text.Printable(strings.TrimPrefix(last, "tengen: ")), err)
		}
		return err
	case <-w.ctx.Done():
	}
	input.Close()
	select {
	case <-done:
	case <-time.After(3 * time.Second): // a worker ends within two seconds
		_ = cmd.Process.Kill()
		<-done
	}
	return nil
}

// stop ends all workers.
func (w *localWorkers) stop() {
	w.cancel()
	w.wait.Wait()
	w.metrics.close()
	w.page.end()
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "worker"
	}
	return name
}
