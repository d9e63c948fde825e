package cli_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/gtp"
	"tengen/internal/cli"
	"tengen/nogo"
	"tengen/sgf"
	"tengen/weiqi"
)

// talk runs the command and returns how to ask it, which fails the test where the
// answer is a refusal, and how to try, which does not.
func talk(t *testing.T, args ...string) (ask func(string) string, try func(string) error) {
	t.Helper()
	commands, in := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan int)
	go func() {
		defer answers.Close()
		done <- cli.Main(append([]string{"gtp", "--threads", "1", "--memory", "64MiB"}, args...), commands, answers, io.Discard)
	}()
	client := gtp.NewClient(out, in)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	ask = func(command string) string {
		t.Helper()
		reply, err := client.Ask(ctx, command)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return reply.Text
	}
	try = func(command string) error {
		_, err := client.Ask(ctx, command)
		return err
	}
	t.Cleanup(func() {
		defer cancel()
		ask("quit")
		if code := <-done; code != 0 {
			t.Errorf("exit code %d", code)
		}
		client.Close()
		in.Close()
	})
	return ask, try
}

// checkProtocol asks what a program can do, as clients do first.
func checkProtocol(t *testing.T, ask func(string) string) {
	t.Helper()
	if v := ask("protocol_version"); v != "2" {
		t.Errorf("protocol version %s", v)
	}
	for _, name := range strings.Fields(ask("list_commands")) {
		if ask("known_command "+name) != "true" {
			t.Errorf("%s is listed and not known", name)
		}
	}
}

// A client plays both sides of a game through the command, the way GoGui does: it asks
// what the program can do first, keeps a board of its own and believes nothing.
func TestGTPClient(t *testing.T) {
	ask, _ := talk(t, "--playouts", "200", "--time", "0", "--play-on")
	checkProtocol(t, ask)
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
		if p, err = p.Play(c, move); err != nil {
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
	if got := ask("gogui-rules_final_result"); got != c.Opponent().String()+" wins" {
		t.Errorf("the result is said to be: %s", got)
	}
}

// The same for Go: the program has one side, and the other plays anything, legal or
// not. The board, the moves and the score are those of the rules, whoever asks.
func TestGTPClientOfGo(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	ask, try := talk(t, "--game", "go")
	checkProtocol(t, ask)
	size := board.Size{Rows: 2, Cols: 4}
	ask("rectangular_boardsize 4 2")
	rng := rand.New(rand.NewPCG(5, 6))
	for game := range 10 {
		ask("clear_board")
		human := board.Colour(game % 2)
		p := weiqi.NewPosition(size)
		for !p.Over() {
			checkGoBoard(t, ask, p)
			var move board.Point
			if p.ToPlay != human {
				move = parseVertex(t, size, ask("genmove "+p.ToPlay.String()))
				ask("undo")
			} else {
				move = anyMove(t, rng, p, try)
			}
			ask(fmt.Sprintf("play %s %s", p.ToPlay, vertexName(size, move)))
			next, err := weiqi.Rules{}.Play(p, move)
			if err != nil {
				t.Fatal(err)
			}
			p = next
		}
		if got, want := ask("final_score"), string(sgf.Score(float64(p.Score()))); got != want {
			t.Errorf("the score is %s, want %s for\n%s", got, want, size.Diagram(p.Stones))
		}
		// The first player of 2x4 has all of it.
		if human == board.White && p.Score() != 8 {
			t.Errorf("Black wins by %d, want 8", p.Score())
		}
	}
}

func checkGoBoard(t *testing.T, ask func(string) string, p weiqi.Position) {
	t.Helper()
	if got := strings.ToLower(strings.ReplaceAll(ask("gogui-rules_board"), "\n", "/")); got != p.String() {
		t.Fatalf("the board is %s, want %s", got, p)
	}
	if legal, want := len(strings.Fields(ask("gogui-rules_legal_moves"))), (weiqi.Rules{}).Legal(p).Len()+1; legal != want {
		t.Fatalf("%d legal moves, want %d with the pass:\n%s", legal, want, p.Size.Diagram(p.Stones))
	}
	if ask("gogui-rules_side_to_move") != p.ToPlay.String() {
		t.Fatalf("it is the turn of %s", p.ToPlay)
	}
}

// anyMove draws points until one is legal; the others must be refused.
func anyMove(t *testing.T, rng *rand.Rand, p weiqi.Position, try func(string) error) board.Point {
	t.Helper()
	for {
		move := weiqi.Pass
		if i := rng.IntN(p.Size.Points() + 1); i < p.Size.Points() {
			move = p.Size.All()[i]
		}
		if _, err := (weiqi.Rules{}).Play(p, move); err == nil {
			return move
		}
		var refusal *gtp.Refusal
		if err := try(fmt.Sprintf("play %s %s", p.ToPlay, vertexName(p.Size, move))); !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Text, "illegal move: ") {
			t.Fatalf("%s %s was not refused: %v", p.ToPlay, vertexName(p.Size, move), err)
		}
	}
}

func vertexName(size board.Size, p board.Point) string {
	if p == weiqi.Pass {
		return "pass"
	}
	return size.Name(p)
}

func parseVertex(t *testing.T, size board.Size, text string) board.Point {
	t.Helper()
	if text == "pass" {
		return weiqi.Pass
	}
	p, err := size.ParsePoint(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
