package gtp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// Client asks a program that speaks the protocol. It takes what programs are seen to
// answer, not only what they should: no space behind the sign, other output around the
// answer, no empty line after it, any numbers. It sends no numbers itself, since not
// every program bears them; after a command that was given up, end the program.
//
// A client is for one goroutine.
type Client struct {
	out   io.Writer
	lines <-chan arrival
	stop  chan struct{}
	read  *atomic.Int64 // bytes of the program's output so far
}

// arrival is a line and when it came, which is when the answer was there.
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

// What a program has closed, often by ending.
var (
	ErrClosed      = errors.New("the program closed its output")
	ErrInputClosed = errors.New("the program closed its input")
)

// maxNoise bounds the lines that are read for one command, and maxNoiseBytes their
// length: a line need not end. Of an answer about maxAnswerBytes are kept.
const (
	maxNoise       = 1 << 16
	maxNoiseBytes  = 16 << 20
	maxAnswerBytes = 1 << 20
)

// glance is how often a program that says nothing is looked at.
const glance = 50 * time.Millisecond

// quiet is how long the empty line after an answer is waited for.
const quiet = 100 * time.Millisecond

// breakable is an input that tells when nobody reads it any more. A command may be
// written before the program closes its input, and no error tells of that.
type breakable interface{ Broken() bool }

// NewClient talks to a program through its output, in, and its input, out, which may
// have a method Broken that reports whether nobody reads it. Close the client, then
// both streams.
func NewClient(in io.Reader, out io.Writer) *Client {
	lines := make(chan arrival)
	c := &Client{out, lines, make(chan struct{}), &atomic.Int64{}}
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

// counter counts what is read through it.
type counter struct {
	io.Reader
	bytes *atomic.Int64
}

func (c counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.bytes.Add(int64(n))
	return n, err
}

// Close lets go of the program's output.
func (c *Client) Close() { close(c.stop) }

// Ask sends a command and waits for the answer until ctx ends. The error is a *Refusal,
// ErrClosed, ErrInputClosed, that of ctx, or says that there is no end of other output.
func (c *Client) Ask(ctx context.Context, command string) (Reply, error) {
	if !c.drain() {
		return Reply{}, ErrClosed
	}
	start := time.Now()
	if err := c.send(ctx, command); err != nil {
		return Reply{}, err
	}
	return c.answer(ctx, command, start)
}

// answer reads up to the answer and through it.
func (c *Client) answer(ctx context.Context, command string, start time.Time) (Reply, error) {
	input, watched := c.out.(breakable)
	broken := false
	before := c.read.Load()
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for lines := 0; lines < maxNoise; {
		select {
		case <-ctx.Done():
			return Reply{}, ctx.Err()
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
			lines++
		}
	}
	return Reply{}, fmt.Errorf("%d lines without an answer to %s", maxNoise, command)
}

// send does not wait for a program that reads nothing any more.
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
		return ctx.Err()
	}
}

// drain drops what the program has said without being asked, and reports whether it
// can say more.
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

// rest reads an answer to its empty line, or until the program falls silent.
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

// status recognises the first line of an answer: a sign, perhaps a number, the text.
func status(line string) (sign byte, text string, ok bool) {
	line = printable(line)
	if line == "" || line[0] != '=' && line[0] != '?' {
		return 0, "", false
	}
	return line[0], strings.TrimSpace(strings.TrimLeft(line[1:], "0123456789")), true
}
