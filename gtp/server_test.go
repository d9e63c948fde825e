package gtp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"

	"tengen/gtp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newServer has a command of each kind.
func newServer() *gtp.Server {
	s := gtp.NewServer("test", "1.0")
	s.Handle("echo", func(_ context.Context, c gtp.Command) (string, error) {
		return strings.ReplaceAll(c.Text, "/", "\n"), nil
	})
	s.Handle("fail", func(_ context.Context, c gtp.Command) (string, error) {
		return "", errors.New("it\nfailed " + c.Text)
	})
	s.Handle("think", func(ctx context.Context, _ gtp.Command) (string, error) {
		<-ctx.Done()
		return "enough", nil
	})
	s.HandleStream("watch", func(ctx context.Context, c gtp.Command, line func(string)) error {
		if len(c.Args) > 0 {
			return errors.New("watch takes no arguments")
		}
		line("first")
		<-ctx.Done()
		line("last")
		return nil
	})
	s.Handle("panic", func(context.Context, gtp.Command) (string, error) {
		panic("out of luck")
	})
	s.HandleStream("panics", func(_ context.Context, c gtp.Command, line func(string)) error {
		if len(c.Args) > 0 {
			line("first")
		}
		panic("out of luck")
	})
	s.HandleStream("silent", func(ctx context.Context, _ gtp.Command, _ func(string)) error {
		<-ctx.Done()
		return nil
	})
	return s
}

func TestConversation(t *testing.T) {
	long := strings.Repeat("x", gtp.MaxLine)
	for _, test := range []struct{ name, in, want string }{
		{"empty input", "", ""},
		{"nothing to answer", "\n \t\r\n# comment\n\x01\n", ""},
		{"number", "5 name\n", "=5 test\n\n"},
		{"no line end", "name", "= test\n\n"},
		{"CRLF", "1 name\r\n2 version\r\n", "=1 test\n\n=2 1.0\n\n"},
		{"number alone", "17\n", "?17 there is no command after the number\n\n"},
		{"unknown", "1 nope\nnope\n", "?1 unknown command\n\n? unknown command\n\n"},
		{"long", "1 echo " + long + "\n2 name\n", "?1 the line is longer than 65536 characters\n\n=2 test\n\n"},
		{"panic", "1 panic\n2 name\n", "?1 panic failed by a fault of this program: out of luck\n\n=2 test\n\n"},
		{"panic of a stream", "1 panics\n2 name\n", "?1 panics failed by a fault of this program: out of luck\n\n=2 test\n\n"},
		{"panic within a stream", "1 panics late\n2 name\n", "=1\nfirst\n\n=2 test\n\n"},
		{"empty answer", "echo\n", "=\n\n"},
		{"lines", "echo a/b\n", "= a\nb\n\n"},
		{"text below the sign", "echo /a/b\n", "=\na\nb\n\n"},
		{"no empty line within an answer", "echo a//b//\n", "= a\nb\n\n"},
		{"failure on one line", "3 fail x\n", "?3 it failed x\n\n"},
		{"known", "known_command name\nknown_command watch\nknown_command nope\nknown_command\n", "= true\n\n= true\n\n= false\n\n= false\n\n"},
		{"quit", "1 quit\n2 name\n", "=1\n\n"},
		{"stream ends by a command", "1 watch\n2 name\n", "=1\nfirst\nlast\n\n=2 test\n\n"},
		{"stream ends by an empty line", "1 watch\n\n2 name\n", "=1\nfirst\nlast\n\n=2 test\n\n"},
		{"stream ends with the input", "watch\n", "=\nfirst\nlast\n\n"},
		{"stream refused", "4 watch me\n", "?4 watch takes no arguments\n\n"},
		{"stream without a line", "4 silent\nname\n", "=4\n\n= test\n\n"},
		{"interrupt", "think\n# interrupt\nname\n", "= enough\n\n= test\n\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			if err := newServer().Serve(context.Background(), strings.NewReader(test.in), &out); err != nil {
				t.Fatal(err)
			}
			if out.String() != test.want {
				t.Errorf("answers\n%s\nwant\n%s", out.String(), test.want)
			}
		})
	}
}

// Commands that come in while another runs are answered in order, even if there are
// more of them than maxAhead.
func TestOrder(t *testing.T) {
	var in, want strings.Builder
	in.WriteString("think\n# interrupt\n")
	want.WriteString("= enough\n\n")
	for range 3000 {
		in.WriteString("echo a\n")
		want.WriteString("= a\n\n")
	}
	var out strings.Builder
	if err := newServer().Serve(context.Background(), iotest.OneByteReader(strings.NewReader(in.String())), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want.String() {
		t.Error("answers are missing or out of order")
	}
}

// An answer is there before the next command is sent.
func TestDialogue(t *testing.T) {
	server, client := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- newServer().Serve(context.Background(), server, out) }()
	lines := bufio.NewScanner(answers)
	for _, step := range []struct{ send, want string }{
		{"1 name", "=1 test"},
		{"2 watch", "=2"},
		{"", "first"},
		{"3 name", "last"},
		{"", "=3 test"},
	} {
		if step.send != "" {
			io.WriteString(client, step.send+"\n")
		}
		for lines.Scan() && lines.Text() == "" {
		}
		if lines.Text() != step.want {
			t.Fatalf("after %q came %q, want %q", step.send, lines.Text(), step.want)
		}
	}
	go io.Copy(io.Discard, answers)
	io.WriteString(client, "quit\n")
	if err := <-done; err != nil {
		t.Error(err)
	}
	client.Close()
	out.Close()
}

func TestServeEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in, client := io.Pipe()
	defer client.Close()
	done := make(chan error)
	go func() { done <- newServer().Serve(ctx, in, io.Discard) }()
	io.WriteString(client, "think\n")
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Serve ended with %v", err)
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestAnswersThatCannotBeWritten(t *testing.T) {
	for _, in := range []string{"name\nname\n", "watch\nname\n"} {
		if err := newServer().Serve(context.Background(), strings.NewReader(in), brokenWriter{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("Serve ended with %v", err)
		}
	}
}

func FuzzServe(f *testing.F) {
	f.Add("1 name\nwatch\n\n3 fail\nquit\n")
	f.Add("echo //\n# interrupt\nknown_command a b\n")
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "think") {
			t.Skip("waits for an interrupt")
		}
		var out strings.Builder
		if err := newServer().Serve(context.Background(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		// One answer for each command before quit, each closed by the only empty line.
		want := 0
		for line := range strings.SplitSeq(in, "\n") {
			if c, ok := gtp.Parse(line); ok {
				want++
				if c.Name == "quit" {
					break
				}
			}
		}
		if got := strings.Count(out.String(), "\n\n"); got != want {
			t.Errorf("%d answers to %d commands:\n%q\n%q", got, want, in, out.String())
		}
	})
}

// Panicked is called with the panic and the place where it happened.
func TestPanicIsTold(t *testing.T) {
	s := newServer()
	var told string
	s.Panicked = func(c gtp.Command, value any, stack []byte) { told = fmt.Sprintf("%s: %v\n%s", c.Name, value, stack) }
	if err := s.Serve(t.Context(), strings.NewReader("panic\n"), io.Discard); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(told, "panic: out of luck\n") || !strings.Contains(told, "server_test.go") {
		t.Errorf("told %q", told)
	}
}
