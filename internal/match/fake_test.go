package match_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/board"
	"tengen/nogo"
)

// The test binary also serves as the programs that play, by the arguments: fake KIND.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		runFake(os.Args[2])
		return
	}
	goleak.VerifyTestMain(m)
}

func fake(kind string) []string { return []string{os.Args[0], "fake", kind} }

// fakePlayer is a program that plays the first legal point, in a dialect or with a
// fault.
type fakePlayer struct {
	kind     string
	position nogo.Position
	turn     board.Colour
	moves    int
}

func runFake(kind string) {
	if kind == "child" {
		time.Sleep(time.Hour)
	}
	if kind == "dies at once" {
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	}
	if kind == "leaves a child" {
		child := exec.Command(os.Args[0], "fake", "child")
		if err := child.Start(); err == nil {
			os.WriteFile(os.Getenv("TENGEN_TEST_CHILD"), fmt.Appendf(nil, "%d", child.Process.Pid), 0o644)
		}
	}
	if moves, ok := strings.CutPrefix(kind, "plays "); ok {
		playScript(strings.Fields(moves))
		return
	}
	f := &fakePlayer{kind: kind, position: nogo.NewPosition(board.Size{Rows: 9, Cols: 9})}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		words := strings.Fields(in.Text())
		if len(words) == 0 {
			continue
		}
		switch {
		case kind == "closes its input" && words[0] == "genmove":
			os.Stdin.Close()
		case kind == "stops reading" && words[0] == "genmove":
			os.Stdin.Close()
			time.Sleep(time.Hour)
		}
		f.answer(f.command(words))
		if kind == "word by word" && words[0] == "known_command" {
			f.answer("", true)
		}
		if kind == "closes its input" && words[0] == "genmove" {
			time.Sleep(time.Hour)
		}
		if words[0] == "quit" && kind != "stays" {
			return
		}
	}
	if kind == "stays" {
		time.Sleep(time.Hour)
	}
}

// playScript is a program that plays the given moves one after the other and ignores
// the opponent.
func playScript(moves []string) {
	next := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch words := strings.Fields(in.Text()); words[0] {
		case "list_commands":
			fmt.Print("= clear_board\ngenmove\nquit\n\n")
		case "clear_board":
			next = 0
			fmt.Print("=\n\n")
		case "genmove":
			fmt.Printf("= %s\n\n", moves[next%len(moves)])
			next++
		case "quit":
			fmt.Print("=\n\n")
			return
		default:
			fmt.Print("=\n\n")
		}
	}
}

func (f *fakePlayer) answer(text string, ok bool) {
	switch {
	case f.kind == "tight" && ok:
		fmt.Printf("=%s\n\n", text)
	case f.kind == "no signs":
		fmt.Printf("ok %s\n\n", text)
	case f.kind == "no empty line":
		fmt.Printf("= %s\n", text)
	case f.kind == "talks":
		fmt.Printf("thinking hard\n\n= %s\nand more\n\n\n", text)
	case f.kind == "CRLF":
		fmt.Printf("= %s\r\n\r\n", text)
	case ok:
		fmt.Printf("= %s\n\n", text)
	default:
		fmt.Printf("? %s\n\n", text)
	}
}

func (f *fakePlayer) command(words []string) (string, bool) {
	switch words[0] {
	case "name":
		return "fake " + f.kind, true
	case "boardsize", "rectangular_boardsize":
		if f.kind == "one size" {
			return "unacceptable size", false
		}
		var size [2]int
		for i := range size {
			fmt.Sscan(words[min(i+1, len(words)-1)], &size[i])
		}
		f.position = nogo.NewPosition(board.Size{Rows: size[1], Cols: size[0]})
	case "clear_board":
		f.position, f.turn, f.moves = nogo.NewPosition(f.position.Size), board.Black, 0
	case "komi", "time_settings", "time_left":
		return "unknown command", false
	case "play":
		return f.play(words[1], words[2])
	case "genmove":
		return f.genmove(words[1])
	}
	return "", true
}

func (f *fakePlayer) play(colour, point string) (string, bool) {
	switch {
	case f.kind == "refuses" && f.moves > 0:
		return "illegal move", false
	case f.kind == "refuses politely" && f.moves > 0:
		return "illegal move", true
	}
	f.moves++
	p, _ := f.position.Size.ParsePoint(point)
	c, _ := board.ParseColour(colour)
	if f.kind == "colour blind" {
		c = f.turn
	}
	f.position.Stones[c].Add(p)
	f.turn = c.Opponent()
	return "", true
}

func (f *fakePlayer) genmove(colour string) (string, bool) {
	f.moves++
	c, _ := board.ParseColour(colour)
	if f.kind == "colour blind" {
		c = f.turn
	}
	late := f.moves > 3
	switch {
	case f.kind == "resigns" && late:
		return "resign", true
	case f.kind == "passes" && late:
		return "PASS", true
	case f.kind == "gives up" && late:
		return "illegal move", true
	case f.kind == "fails" && late:
		return "cannot think of anything", false
	case f.kind == "dies" && late:
		panic("out of luck")
	case f.kind == "quits" && late:
		os.Exit(0)
	case (f.kind == "hangs" || f.kind == "stays" || f.kind == "leaves a child") && late:
		time.Sleep(time.Hour)
	case f.kind == "floods" && late:
		for range 1 << 18 {
			fmt.Println("a flood of words")
		}
	case f.kind == "floods without a line" && late:
		for words := []byte(strings.Repeat("flood ", 1<<10)); ; {
			if _, err := os.Stdout.Write(words); err != nil {
				os.Exit(0)
			}
		}
	case f.kind == "long line" && late:
		return strings.Repeat("A1", 1<<20), true
	case f.kind == "slow":
		time.Sleep(30 * time.Millisecond)
	case f.kind == "cheats" && late:
		for q := range f.position.Stones[c.Opponent()].Points() {
			return f.position.Size.Name(q), true
		}
	case f.kind == "off the board" && late:
		return "Z99", true
	}
	for q := range f.position.Legal(c).Points() {
		f.position.Stones[c].Add(q)
		f.turn = c.Opponent()
		name := f.position.Size.Name(q)
		if f.kind == "says the colour" {
			name = colour + " " + strings.ToLower(name)
		}
		return name, true
	}
	return "resign", true
}
