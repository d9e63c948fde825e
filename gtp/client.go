package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Client sends commands to a program that speaks the protocol. It accepts answers that
// break the protocol in ways that real programs do: no space behind the sign, other
// output around the answer, no empty line after it, any command number. It sends no
// command numbers, since some programs fail on them. So after a command that was given
// up the program must be ended: a late answer could not be distinguished from the next.
//
// A client is for one goroutine.
type Client struct {
	out   io.Writer
	lines <-chan arrival
	stop  chan struct{}
	once  sync.Once     // closes stop
	read  *atomic.Int64 // bytes of the program's output so far
}

// arrival is a line of output and the time at which it arrived.
type arrival struct {
	line string
	at   time.Time
}

// Reply is the answer to a command that was not refused.
type Reply struct {
	Text string
	Took time.Duration // from the command to the first line of the answer
}

// Refusal is an answer that begins with a question mark.
type Refusal struct{ Text string }

func (r *Refusal) Error() string { return "refused: " + r.Text }

// Errors about a program that has closed a stream, often because it has ended.
var (
	ErrClosed      = errors.New("the program closed its output")
	ErrInputClosed = errors.New("the program closed its input")
)

// maxNoise bounds the number of lines that are read for one command. maxNoiseBytes
// bounds the bytes, since a line need not end. About maxAnswerBytes of an answer are
// kept.
const (
	maxNoise       = 1 << 16
	maxNoiseBytes  = 16 << 20
	maxAnswerBytes = 1 << 20
)

// glance is the interval at which a silent program is checked.
const glance = 50 * time.Millisecond

// quiet is how long the client waits for the empty line after an answer.
const quiet = 100 * time.Millisecond

// Unanswered is the error about a command that was given up before it was answered.
type Unanswered struct {
	Command string
	Said    string // the last line of output that is not an answer; "" if there was none
	Err     error  // of the context
}

func (u *Unanswered) Error() string {
	return fmt.Sprintf("%s is not answered%s: %v", u.Command, u.Instead(), u.Err)
}

func (u *Unanswered) Unwrap() error { return u.Err }

// Instead is a clause with the output that came in place of an answer, or "" if there
// was none.
func (u *Unanswered) Instead() string {
	if u.Said == "" {
		return ""
	}
	return fmt.Sprintf("; it said %.60q, and an answer begins with = or ?", u.Said)
}

// breakable is an input that knows when nobody reads it any more. If the program closes
// its input after a command was written, no write fails: Broken is the only way to
// notice.
type breakable interface{ Broken() bool }

// NewClient reads a program's output from in and writes its input to out. If out has a
// method Broken, it must report whether nobody reads it any more. Close the client
// first, then both streams.
func NewClient(in io.Reader, out io.Writer) *Client {
	lines := make(chan arrival)
	c := &Client{out: out, lines: lines, stop: make(chan struct{}), read: &atomic.Int64{}}
	go func() {
		defer close(lines)
		r := bufio.NewReader(counter{in, c.read})
		for {
			line, err := readLine(r)
			if err != nil && line == "" {
				return
			}
			select {
			case lines <- arrival{line, time.Now()}:
			case <-c.stop:
				return
			}
		}
	}()
	return c
}

// counter counts the bytes that are read through it.
type counter struct {
	io.Reader
	bytes *atomic.Int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// Close stops reading the program's output.
func (c *Client) Close() { c.once.Do(func() { close(c.stop) }) }

// Ask sends a command, which is one line, and waits for the answer until ctx ends. The
// error is a *Refusal, ErrClosed, ErrInputClosed, *Unanswered when ctx ends, or says that
// the program has sent too much output without an answer.
func (c *Client) Ask(ctx context.Context, command string) (Reply, error) {
	if strings.ContainsAny(command, "\r\n") {
		// The answer to a second line would be taken for that to the next command.
		return Reply{}, fmt.Errorf("the command %.60q is more than one line", command)
	}
	if !c.drain() {
		return Reply{}, ErrClosed
	}
	start := time.Now()
	if err := c.send(ctx, command); err != nil {
		return Reply{}, err
	}
	return c.answer(ctx, command, start)
}

// answer reads to the end of the answer and drops the output before it.
func (c *Client) answer(ctx context.Context, command string, start time.Time) (Reply, error) {
	input, watched := c.out.(breakable)
	broken := false
	before := c.read.Load()
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	said := ""
	for lines := 0; lines < maxNoise; {
		select {
		case <-ctx.Done():
			return Reply{}, &Unanswered{command, said, ctx.Err()}
		case <-ticker.C:
			if c.read.Load()-before > maxNoiseBytes {
				return Reply{}, fmt.Errorf("%d MiB without an answer to %s", maxNoiseBytes>>20, command)
			}
			if broken {
				return Reply{}, ErrInputClosed
			}
			// A last answer may still be on its way.
			broken = watched && input.Broken()
		case got, more := <-c.lines:
			if !more {
				return Reply{}, ErrClosed
			}
			if sign, text, ok := status(got.line); ok {
				text = strings.TrimSpace(text + "\n" + c.rest(ctx))
				if sign == '?' {
					return Reply{}, &Refusal{text}
				}
				return Reply{text, got.at.Sub(start)}, nil
			}
			if line := strings.TrimSpace(printable(got.line)); line != "" {
				said = line
			}
			lines++
		}
	}
	return Reply{}, fmt.Errorf("%d lines without an answer to %s", maxNoise, command)
}

// send writes the command. It gives up on a program that does not read when ctx ends.
func (c *Client) send(ctx context.Context, command string) error {
	sent := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.out, command+"\n")
		sent <- err
	}()
	select {
	case err := <-sent:
		if err != nil {
			return fmt.Errorf("%w: %w", ErrInputClosed, err)
		}
		return nil
	case <-ctx.Done():
		return &Unanswered{Command: command, Err: ctx.Err()}
	}
}

// drain drops output that came without a command. It reports whether more can come.
func (c *Client) drain() bool {
	for range maxNoise {
		select {
		case _, more := <-c.lines:
			if !more {
				return false
			}
		default:
			return true
		}
	}
	return true
}

// rest reads an answer to its empty line, or until the program is quiet.
func (c *Client) rest(ctx context.Context) string {
	var lines []string
	bytes := 0
	silence := time.NewTimer(quiet)
	defer silence.Stop()
	for len(lines) < maxNoise && bytes < maxAnswerBytes {
		select {
		case got, more := <-c.lines:
			line := strings.TrimRight(got.line, "\r\n")
			if !more || line == "" {
				return strings.Join(lines, "\n")
			}
			lines = append(lines, line)
			bytes += len(line)
			silence.Reset(quiet)
		case <-silence.C:
			return strings.Join(lines, "\n")
		case <-ctx.Done():
			return strings.Join(lines, "\n")
		}
	}
	return strings.Join(lines, "\n")
}

// status parses the first line of an answer: a sign, an optional number, and the text.
func status(line string) (sign byte, text string, ok bool) {
	line = printable(line)
	if line == "" || line[0] != '=' && line[0] != '?' {
		return 0, "", false
	}
	return line[0], strings.TrimSpace(strings.TrimLeft(line[1:], "0123456789")), true
}
