package gtp_test

import (
	"context"
	"errors"
	"fmt"
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

// Client asks another program; here its answers are written beforehand.
func ExampleClient() {
	var sent strings.Builder
	client := gtp.NewClient(strings.NewReader("= B3\n\n? syntax error\n\n"), &sent)
	defer client.Close()
	reply, err := client.Ask(context.Background(), "genmove black")
	fmt.Println(reply.Text, err)
	_, err = client.Ask(context.Background(), "genmove green")
	fmt.Println(err)
	fmt.Printf("%q\n", sent.String())
	// Output:
	// B3 <nil>
	// refused: syntax error
	// "genmove black\ngenmove green\n"
}
