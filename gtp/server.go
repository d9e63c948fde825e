// Package gtp implements both ends of the Go Text Protocol, version 2. Server answers the
// commands that are registered with it. Client sends commands to another program. Neither
// knows a board or a game; the caller registers the commands of a game.
//
// Every command is answered: errors become "? …", and so do panics. A command that reports
// while it runs is a stream. The next line of input ends it.
package gtp

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
)

// MaxLine is the longest line in bytes. Longer lines are refused.
const MaxLine = 1 << 16

// Handler answers a command. Its error is sent as the failure answer.
type Handler func(ctx context.Context, c Command) (string, error)

// Stream answers a command line by line until ctx ends. Any further input ends ctx. An
// error before the first line is sent as the failure answer. Later errors cannot be sent,
// so a stream checks its arguments first.
type Stream func(ctx context.Context, c Command, line func(text string)) error

// Server is a set of commands, begun by NewServer. Register everything before Serve.
type Server struct {
	// Panicked is called after a handler has panicked, with the value and the stack. It
	// may be nil. The command is answered with a failure either way.
	Panicked func(c Command, value any, stack []byte)

	handlers map[string]Handler
	streams  map[string]Stream
}

// interrupt is the comment by which GoGui asks for an early answer. The line is not a
// command and gets no answer. A server that lists the command gogui-interrupt supports it.
const interrupt = "# interrupt"

// NewServer returns a server with the commands about the protocol itself.
func NewServer(name, version string) *Server {
	s := &Server{handlers: map[string]Handler{}, streams: map[string]Stream{}}
	constant := func(text string) Handler {
		return func(context.Context, Command) (string, error) { return text, nil }
	}
	s.Handle("protocol_version", constant("2"))
	s.Handle("name", constant(name))
	s.Handle("version", constant(version))
	s.Handle("gogui-interrupt", constant(""))
	s.Handle("quit", constant(""))
	s.Handle("list_commands", func(context.Context, Command) (string, error) {
		return strings.Join(s.Names(), "\n"), nil
	})
	s.Handle("known_command", func(_ context.Context, c Command) (string, error) {
		return fmt.Sprint(len(c.Args) == 1 && s.knows(c.Args[0])), nil
	})
	return s
}

// Handle registers a command.
func (s *Server) Handle(name string, h Handler) { s.handlers[name] = h }

// HandleStream registers a command that reports while it runs.
func (s *Server) HandleStream(name string, h Stream) { s.streams[name] = h }

// Names lists the commands in alphabetical order.
func (s *Server) Names() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(s.handlers)), maps.Keys(s.streams))
	slices.Sort(names)
	return names
}

func (s *Server) knows(name string) bool { return s.handlers[name] != nil || s.streams[name] != nil }

// Serve answers commands until quit, the end of the input, or the end of ctx. It returns
// an error if ctx ends or an answer cannot be written. When ctx ends, a read of in may
// still be under way.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	conversation := &conversation{server: s, input: readLines(ctx, in), out: bufio.NewWriter(out)}
	for {
		line, err := conversation.next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		quit, err := conversation.answer(ctx, line)
		if quit || err != nil {
			return err
		}
	}
}

// readLines sends the lines of the input. Lines that are too long are cut one byte after
// the limit.
func readLines(ctx context.Context, in io.Reader) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		r := bufio.NewReader(in)
		for {
			line, err := readLine(r)
			if err != nil && line == "" {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// readLine keeps at most MaxLine+1 bytes of a line, so that the caller sees that it is too
// long.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), MaxLine+1-len(line))]...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return string(line), err
		}
	}
}

// conversation is one call of Serve: the lines that have come in, and the output for
// answers.
type conversation struct {
	server *Server
	input  <-chan string
	ahead  []string // came in while a command ran
	out    *bufio.Writer
}

// maxAhead bounds the number of lines that are read while a command runs. Further lines
// wait in the input.
const maxAhead = 1 << 10

func (c *conversation) next(ctx context.Context) (string, error) {
	if len(c.ahead) > 0 {
		line := c.ahead[0]
		c.ahead = c.ahead[1:]
		return line, nil
	}
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case line, more := <-c.input:
		if !more {
			// The reader ends with the context too, and may be seen first.
			return "", cmp.Or(ctx.Err(), io.EOF)
		}
		return line, nil
	}
}

func (c *conversation) answer(ctx context.Context, line string) (quit bool, err error) {
	command, ok := Parse(line)
	switch {
	case !ok:
		return false, nil
	case len(line) > MaxLine:
		return false, c.fail(command, fmt.Errorf("the line is longer than %d characters", MaxLine))
	case command.Name == "":
		return false, c.fail(command, errors.New("there is no command after the number"))
	}
	if stream := c.server.streams[command.Name]; stream != nil {
		return false, c.stream(ctx, command, stream)
	}
	handler := c.server.handlers[command.Name]
	if handler == nil {
		return false, c.fail(command, errors.New("unknown command"))
	}
	var text string
	c.watch(ctx, func(line string) bool { return strings.HasPrefix(line, interrupt) }, func(ctx context.Context) {
		defer c.recovered(command, &err)
		text, err = handler(ctx, command)
	})
	if err != nil {
		return false, c.fail(command, err)
	}
	return command.Name == "quit", c.succeed(command, text)
}

// watch runs work and ends its context when a line comes in for which stops is true. Lines
// are kept for later. The end of the input is kept too, and it stops a stream as a line
// does.
func (c *conversation) watch(ctx context.Context, stops func(line string) bool, work func(context.Context)) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(ctx)
	}()
	if slices.ContainsFunc(c.ahead, stops) {
		cancel()
	}
	input := c.input
	for {
		if len(c.ahead) >= maxAhead {
			input = nil
		}
		select {
		case <-done:
			return
		case line, more := <-input:
			if !more {
				input = nil
			} else {
				c.ahead = append(c.ahead, line)
			}
			if stops(line) {
				cancel()
			}
		}
	}
}

// recovered turns a panic of a handler into the failure of its command. It is deferred.
func (c *conversation) recovered(command Command, err *error) {
	value := recover()
	if value == nil {
		return
	}
	*err = fmt.Errorf("%s failed by a fault of this program: %v", command.Name, value)
	if report := c.server.Panicked; report != nil {
		report(command, value, debug.Stack())
	}
}

func (c *conversation) stream(ctx context.Context, command Command, stream Stream) error {
	begun := false
	line := func(text string) {
		if !begun {
			begun = true
			fmt.Fprintf(c.out, "=%s\n", command.ID)
		}
		fmt.Fprintln(c.out, strings.ReplaceAll(text, "\n", " "))
		c.out.Flush()
	}
	var err error
	anything := func(string) bool { return true }
	c.watch(ctx, anything, func(ctx context.Context) {
		defer c.recovered(command, &err)
		err = stream(ctx, command, line)
	})
	switch {
	case begun:
		return c.end("")
	case err != nil:
		return c.fail(command, err)
	}
	return c.succeed(command, "")
}

func (c *conversation) succeed(command Command, text string) error {
	return c.end("=" + command.ID + body(text) + "\n")
}

func (c *conversation) fail(command Command, err error) error {
	return c.end("?" + command.ID + body(strings.Join(strings.Fields(err.Error()), " ")) + "\n")
}

// end writes the rest of an answer and its empty line.
func (c *conversation) end(text string) error {
	if _, err := c.out.WriteString(text + "\n"); err != nil {
		return err
	}
	return c.out.Flush()
}

// body is the part of an answer after the sign and the number. A text that begins with a
// line end starts on the next line. Other empty lines are left out, since they would end
// the answer.
func body(text string) string {
	first, rest, _ := strings.Cut(strings.TrimRight(text, " \n"), "\n")
	if first != "" {
		first = " " + first
	}
	var b strings.Builder
	b.WriteString(first)
	for line := range strings.SplitSeq(rest, "\n") {
		if strings.TrimSpace(line) != "" {
			b.WriteString("\n" + line)
		}
	}
	return b.String()
}
