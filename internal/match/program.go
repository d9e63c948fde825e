package match

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"tengen/gtp"
)

// Program is a player in a process of its own, with all processes that it starts. It can
// be started again after it has ended.
type Program struct {
	command []string
	process *process
}

// NewProgram returns a program that is not running yet.
func NewProgram(command []string) *Program { return &Program{command: command} }

// process is one run of a program.
type process struct {
	cmd    *exec.Cmd
	client *gtp.Client
	input  io.Closer
	output *os.File
	errors *Tail
	exited chan struct{} // closed when the process is gone
	err    error         // its exit, once it is gone
}

// quitTime is how long a program may take to quit.
const quitTime = time.Second

// Running reports whether the program was started and not ended.
func (p *Program) Running() bool { return p.process != nil }

// Start starts a program that does not run.
func (p *Program) Start() error {
	cmd := exec.Command(p.command[0], p.command[1:]...)
	OwnGroup(cmd)
	// We make the pipes ourselves, since os/exec closes its pipes while they are in use.
	source, input, err := os.Pipe()
	if err != nil {
		return err
	}
	output, sink, err := os.Pipe()
	if err != nil {
		source.Close()
		input.Close()
		return err
	}
	errors := &Tail{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = source, sink, errors
	cmd.WaitDelay = quitTime // for grandchildren that hold the error output open
	err = cmd.Start()
	source.Close()
	sink.Close()
	if err != nil {
		input.Close()
		output.Close()
		return err
	}
	life := &process{cmd: cmd, client: gtp.NewClient(output, inputPipe{input}), input: input, output: output, errors: errors, exited: make(chan struct{})}
	go func() {
		life.err = cmd.Wait()
		close(life.exited)
	}()
	p.process = life
	return nil
}

// inputPipe is the input of a program.
type inputPipe struct{ *os.File }

// Ask sends a command to a running program and waits for the answer, at most until
// limit.
func (p *Program) Ask(ctx context.Context, limit time.Duration, command string) (gtp.Reply, error) {
	if p.process == nil {
		return gtp.Reply{}, gtp.ErrClosed
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return p.process.client.Ask(ctx, command)
}

// Quit asks a program to end, and kills it if it does not.
func (p *Program) Quit() {
	life := p.process
	if life == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), quitTime)
	defer cancel()
	// Whatever the answer, the process is gone after this.
	_, _ = life.client.Ask(ctx, "quit")
	life.input.Close()
	select {
	case <-life.exited:
	case <-ctx.Done():
	}
	p.Kill()
}

// Kill ends a program and all processes that it has started.
func (p *Program) Kill() {
	life := p.process
	if life == nil {
		return
	}
	p.process = nil
	endGroup(life.cmd)
	life.input.Close()
	life.client.Close()
	life.output.Close()
	<-life.exited
}

// HowEnded says how a program ended: its exit status and the last line of its error
// output, or did if the program still runs.
func (p *Program) HowEnded(did string) string {
	if p.process == nil {
		return "it does not run"
	}
	select {
	case <-p.process.exited:
	case <-time.After(quitTime):
		return did
	}
	how := "it quit"
	if p.process.err != nil {
		how = p.process.err.Error()
	}
	if said := p.process.errors.Last(); said != "" {
		how += fmt.Sprintf(", saying %.60q", said)
	}
	return how
}

// Tail keeps the end of the text that is written to it.
type Tail struct {
	mu   sync.Mutex
	data []byte
}

const tailBytes = 4096

// Write keeps the last bytes.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = append(t.data, p...)
	if excess := len(t.data) - tailBytes; excess > 0 {
		t.data = append(t.data[:0], t.data[excess:]...)
	}
	return len(p), nil
}

// Last is the last line that is not empty.
func (t *Tail) Last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := bytes.TrimSpace(t.data)
	return strings.ToValidUTF8(string(text[bytes.LastIndexByte(text, '\n')+1:]), "\uFFFD")
}
