package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"tengen/internal/cluster"
)

// crew are the workers that a master starts on its own machine, processes of this program.
// One that dies is replaced. All end when their standard input does, so that none outlives
// a master that was killed.
type crew struct {
	size   int
	memory int64
	err    io.Writer
	log    bool
	ctx    context.Context
	cancel context.CancelFunc
	wait   sync.WaitGroup

	metrics *clusterMetrics // served as long as the crew is there, and so is the page
	page    *clusterPage
}

func newCrew(size int, memory int64, err io.Writer, log bool) *crew {
	ctx, cancel := context.WithCancel(context.Background())
	return &crew{size: size, memory: memory, err: err, log: log, ctx: ctx, cancel: cancel}
}

// start hires them.
func (c *crew) start(a cluster.Access) {
	for i := range c.size {
		c.wait.Go(func() {
			for c.ctx.Err() == nil {
				if err := c.work(a, i+1); err != nil && c.ctx.Err() == nil {
					fmt.Fprintf(c.err, "tengen: worker %d ended and is replaced: %v\n", i+1, err)
				}
				select {
				case <-c.ctx.Done():
				case <-time.After(500 * time.Millisecond):
				}
			}
		})
	}
}

// work runs one worker until it ends or the crew is dismissed.
func (c *crew) work(a cluster.Access, number int) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(program)
	// By its name the program knows itself, wherever the file is.
	cmd.Args = []string{
		os.Args[0], "worker", "--nats", a.URL, "--while-input", "--threads", "1",
		"--memory", strconv.FormatInt(c.memory/int64(c.size), 10) + "b", "--name", fmt.Sprintf("%s-%d-%d", hostName(), os.Getpid(), number),
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
	cmd.Stderr = io.Discard
	if c.log {
		cmd.Stderr = c.err
	}
	cmd.SysProcAttr = ownGroup()
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
		return err
	case <-c.ctx.Done():
	}
	input.Close()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = cmd.Process.Kill()
		<-done
	}
	return nil
}

// dismiss ends them all.
func (c *crew) dismiss() {
	c.cancel()
	c.wait.Wait()
	c.metrics.close()
	c.page.end()
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil {
		return "worker"
	}
	return name
}
