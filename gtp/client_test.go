package gtp_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"tengen/gtp"
)

// answering is a program that gives the same answer to every command.
func answering(t *testing.T, text string) *gtp.Client {
	in, out := io.Pipe()
	commands, sent := io.Pipe()
	go func() {
		defer out.Close()
		for scanner := bufio.NewScanner(commands); scanner.Scan(); {
			if scanner.Text() == "die" {
				return
			}
			if _, err := io.WriteString(out, text); err != nil {
				return
			}
		}
	}()
	client := gtp.NewClient(in, sent)
	t.Cleanup(func() {
		client.Close()
		in.Close()
		sent.Close()
		commands.Close()
	})
	return client
}

func TestDialects(t *testing.T) {
	for _, test := range []struct{ answer, want, refused string }{
		{"= J9\n\n", "J9", ""},
		{"=J9\n\n", "J9", ""},
		{"=12 J9\n\n", "J9", ""},
		{"=\n\n", "", ""},
		{"= \r\n\r\n", "", ""},
		{"log line\n\n= J9\n\n", "J9", ""},
		{"= illegal move\n\n", "illegal move", ""},
		{"= a\nb\n\n", "a\nb", ""},
		{"= J9\n", "J9", ""}, // no empty line
		{"? illegal move\n\n", "", "illegal move"},
		{"?3 no\n\n", "", "no"},
		{"?\n\n", "", ""},
		{"= C# 2\n\n\n\n", "C# 2", ""},
	} {
		client := answering(t, test.answer)
		for range 2 { // the second time nothing of the first answer is left
			reply, err := client.Ask(context.Background(), "genmove b")
			var refusal *gtp.Refusal
			switch {
			case errors.As(err, &refusal) && (test.answer[0] != '?' || refusal.Text != test.refused):
				t.Errorf("%q is the refusal %q, want %q", test.answer, refusal.Text, test.refused)
			case err != nil && refusal == nil:
				t.Errorf("%q: %v", test.answer, err)
			case err == nil && (test.answer[0] == '?' || reply.Text != test.want):
				t.Errorf("%q is %q, want %q", test.answer, reply.Text, test.want)
			}
		}
	}
}

func TestProgramsThatFail(t *testing.T) {
	client := answering(t, "noise\n")
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err := client.Ask(ctx, "name"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that does not answer: %v", err)
	}
	client = answering(t, strings.Repeat("noise\n", 1<<16))
	if _, err := client.Ask(context.Background(), "name"); err == nil || !strings.Contains(err.Error(), "without an answer to name") {
		t.Errorf("a program that floods: %v", err)
	}
	client = answering(t, "=\n\n")
	for range 2 {
		if _, err := client.Ask(context.Background(), "die"); !errors.Is(err, gtp.ErrClosed) {
			t.Errorf("a program that has ended: %v", err)
		}
	}
}

// A program that reads nothing holds up neither Ask nor Close.
func TestProgramThatDoesNotRead(t *testing.T) {
	in, out := io.Pipe()
	commands, sent := io.Pipe()
	client := gtp.NewClient(in, sent)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := client.Ask(ctx, "name")
	var unanswered *gtp.Unanswered
	if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &unanswered) || unanswered.Command != "name" {
		t.Error(err)
	}
	client.Close()
	client.Close() // does nothing
	out.Close()
	commands.Close()
}

// A second line would get an answer too, which the next command would take for its own.
func TestCommandOfTwoLines(t *testing.T) {
	client := answering(t, "= A1\n\n= B2\n\n")
	for _, command := range []string{"genmove b\ngenmove w", "name\r\n"} {
		if _, err := client.Ask(context.Background(), command); err == nil || !strings.Contains(err.Error(), "more than one line") {
			t.Errorf("%q: %v", command, err)
		}
	}
}

// Output that never ends is given up although it has no lines.
func TestFloodWithoutLines(t *testing.T) {
	client := answering(t, strings.Repeat("flood ", 3<<20))
	if _, err := client.Ask(context.Background(), "genmove b"); err == nil || err.Error() != "16 MiB without an answer to genmove b" {
		t.Errorf("a flood: %v", err)
	}
}

// The beginning of an answer that does not end is kept.
func TestFloodInAnAnswer(t *testing.T) {
	client := answering(t, "= A1\n"+strings.Repeat(strings.Repeat("flood ", 5000)+"\n", 300))
	reply, err := client.Ask(context.Background(), "genmove b")
	if err != nil || !strings.HasPrefix(reply.Text, "A1\n") || len(reply.Text) > 2<<20 {
		t.Errorf("%d bytes of an answer: %v", len(reply.Text), err)
	}
}

func TestInputClosed(t *testing.T) {
	in, out := io.Pipe()
	commands, sent := io.Pipe()
	client := gtp.NewClient(in, sent)
	defer out.Close()
	defer in.Close()
	defer client.Close()
	commands.Close()
	if _, err := client.Ask(context.Background(), "genmove b"); !errors.Is(err, gtp.ErrInputClosed) {
		t.Errorf("a program that reads nothing: %v", err)
	}
}
