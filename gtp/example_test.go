package gtp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tengen/gtp"
)

// A program with one command of its own, and a dialogue with it.
func ExampleServer() {
	server := gtp.NewServer("counter", "1.0")
	server.Handle("count", func(_ context.Context, c gtp.Command) (string, error) {
		if len(c.Args) == 0 {
			return "", errors.New("nothing to count")
		}
		return fmt.Sprint(len(c.Args)), nil
	})
	dialogue := strings.NewReader("name\n7 count a b c\ncount\nplay black a1\nquit\n")
	if err := server.Serve(context.Background(), dialogue, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// = counter
	//
	// =7 3
	//
	// ? nothing to count
	//
	// ? unknown command
	//
	// =
}

// Client sends commands to another program; here it is a server at the other end
// of two pipes.
func ExampleClient() {
	ctx := context.Background()
	server := gtp.NewServer("player", "1.0")
	server.Handle("genmove", func(_ context.Context, c gtp.Command) (string, error) {
		if c.Text != "black" {
			return "", errors.New("syntax error")
		}
		return "B3", nil
	})
	commands, out := io.Pipe()
	in, answers := io.Pipe()
	go server.Serve(ctx, commands, answers)

	client := gtp.NewClient(in, out)
	defer func() {
		client.Close()
		in.Close()
		out.Close()
	}()
	reply, err := client.Ask(ctx, "genmove black")
	fmt.Println(reply.Text, err)
	_, err = client.Ask(ctx, "genmove green")
	fmt.Println(err)
	_, err = client.Ask(ctx, "quit")
	fmt.Println(err)
	// Output:
	// B3 <nil>
	// refused: syntax error
	// <nil>
}
