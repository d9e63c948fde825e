package cli_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/gtp"
	"tengen/internal/cli"
	"tengen/nogo"
)

// A client plays both sides of a game through the command, the way GoGui does: it asks
// what the program can do first, keeps a board of its own and believes nothing.
func TestGTPClient(t *testing.T) {
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan int)
	go func() {
		defer answers.Close()
		done <- cli.Main([]string{"gtp", "--playouts", "200", "--time", "0", "--threads", "1", "--memory", "64MiB", "--play-on"}, commands, answers, io.Discard)
	}()
	client := gtp.NewClient(out, in)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ask := func(command string) string {
		t.Helper()
		reply, err := client.Ask(ctx, command)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return reply.Text
	}
	if v := ask("protocol_version"); v != "2" {
		t.Errorf("protocol version %s", v)
	}
	known := strings.Fields(ask("list_commands"))
	for _, name := range known {
		if ask("known_command "+name) != "true" {
			t.Errorf("%s is listed and not known", name)
		}
	}
	size := board.Size{Rows: 4, Cols: 6}
	ask("rectangular_boardsize 6 4")
	ask("clear_board")
	p, c := nogo.NewPosition(size), board.Black
	for !p.Legal(c).IsEmpty() {
		if legal := len(strings.Fields(ask("gogui-rules_legal_moves"))); legal != p.Legal(c).Len() {
			t.Fatalf("%d legal moves, want %d:\n%s", legal, p.Legal(c).Len(), size.Diagram(p.Stones))
		}
		move, err := size.ParsePoint(ask("genmove " + c.String()))
		if err != nil {
			t.Fatal(err)
		}
		// Taken back and told again it is the same move.
		ask("undo")
		ask("play " + c.String() + " " + size.Name(move))
		if p, err = p.Play(move, c); err != nil {
			t.Fatal(err)
		}
		c = c.Opponent()
		if got := strings.ToLower(strings.ReplaceAll(ask("gogui-rules_board"), "\n", "/")); got != p.String() {
			t.Fatalf("the board is %s, want %s", got, p)
		}
	}
	if got := ask("genmove " + c.String()); got != "resign" {
		t.Errorf("without a legal move the program answers %s", got)
	}
	if got := ask("gogui-rules_final_result"); got != c.Opponent().String() {
		t.Errorf("%s is said to have won", got)
	}
	ask("quit")
	if code := <-done; code != 0 {
		t.Errorf("exit code %d", code)
	}
	client.Close()
	in.Close()
}
