package cli_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"tengen/internal/cli"
	"tengen/internal/longtest"
)

// noise is one thing that a terminal, or a broken one, may send.
func noise(rng *rand.Rand) string {
	number := func() int { return []int{0, 1, 5, 8, rng.IntN(100), 200, 201, rng.IntN(1 << 20)}[rng.IntN(8)] }
	switch rng.IntN(10) {
	case 0:
		keys := "\t\r \x1b?hjklpusinwA1B2Cc\x7f"
		return keys[rng.IntN(len(keys)):][:1]
	case 1:
		return "\x1b" + []string{"[A", "[B", "[C", "[D", "OP", "[3~", "[1;5C", "[Z", "", "\x1b"}[rng.IntN(10)]
	case 2: // the mouse, in both of its languages
		if rng.IntN(4) == 0 {
			return "\x1b[M" + string([]byte{byte(32 + rng.IntN(96)), byte(33 + rng.IntN(90)), byte(33 + rng.IntN(30))})
		}
		return fmt.Sprintf("\x1b[<%d;%d;%d%c", rng.IntN(70), rng.IntN(90), rng.IntN(30), "Mm"[rng.IntN(2)])
	case 3: // where the cursor is
		return fmt.Sprintf("\x1b[%s%d;%dR", []string{"", "?"}[rng.IntN(2)], number(), number())
	case 4: // pastes, with and without an end
		return "\x1b[200~" + []string{"", "B2", "Q16 q q", strings.Repeat("x", 100)}[rng.IntN(4)] + []string{"", "\x1b[201~"}[rng.IntN(2)]
	case 5: // strings of the terminal, with and without an end
		return "\x1b" + "]P_^X"[rng.IntN(5):][:1] + []string{"", "11;rgb:0/0/0", "1$r", "?"}[rng.IntN(4)] + []string{"", "\a", "\x1b\\"}[rng.IntN(3)]
	case 6: // any control sequence; u is left out, which may be Ctrl-Z
		return fmt.Sprintf("\x1b[%s%d;%d%c", []string{"", "<", "?", ">"}[rng.IntN(4)], number(), number(), "ABcFHIMORStyz~$_^@"[rng.IntN(18)])
	case 7: // a size told by the terminal
		return fmt.Sprintf("\x1b[8;%d;%dt", number(), number())
	case 8: // a sequence cut short
		return []string{"\x1b[", "\x1b[2", "\x1b[200", "\x1b[<0;1", "\x1bO", "\x9b", "\x9b200~", "\xe2\x97"}[rng.IntN(8)]
	}
	bytes := make([]byte, 1+rng.IntN(6)) // without Ctrl-C, Ctrl-Z
	for i := range bytes {
		for bytes[i] = 3; bytes[i] == 3 || bytes[i] == 26; {
			bytes[i] = byte(rng.IntN(256))
		}
	}
	return string(bytes)
}

// noisyGame is a board that was sent noise and then one Ctrl-C.
type noisyGame struct {
	seed   uint64
	sent   []string
	stderr bytes.Buffer
	code   chan int
}

func playWithNoise(t *testing.T, seed uint64) *noisyGame {
	rng := rand.New(rand.NewPCG(seed, 23))
	term := openTerminal(t, 24, 80)
	g := &noisyGame{seed: seed, code: make(chan int, 1)}
	go func() {
		g.code <- cli.Main([]string{"play", "go", "3x3", "--ascii", "--memory", "64MiB"}, term.program, term.program, &g.stderr)
	}()
	term.drawn()
	for range 1 + rng.IntN(12) {
		if rng.IntN(5) == 0 {
			rows, cols := uint16(rng.IntN(30)), uint16(rng.IntN(90))
			if rng.IntN(3) == 0 {
				rows, cols = 0, 0
			}
			term.resize(rows, cols)
			g.sent = append(g.sent, fmt.Sprintf("%dx%d", rows, cols))
			continue
		}
		text := noise(rng)
		term.keys(text)
		g.sent = append(g.sent, fmt.Sprintf("%q", text))
		if rng.IntN(4) == 0 { // up to more than the decoder waits for the rest of a sequence
			time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		}
	}
	term.keys("\x03")
	return g
}

// TestPlayHearsCtrlC sends noise to the board, whose window changes meanwhile, and then
// one Ctrl-C, which must end it whatever came before.
func TestPlayHearsCtrlC(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("LC_ALL", "C.UTF-8")
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Chdir(t.TempDir()) // w saves the game
	runs, batch := uint64(48), uint64(16)
	if longtest.On() {
		runs = 2000
	}
	for seed := uint64(0); seed < runs; {
		var games []*noisyGame
		for range batch {
			games = append(games, playWithNoise(t, seed))
			seed++
		}
		for _, g := range games {
			select {
			case code := <-g.code:
				if code != 3 && code != 0 { // two q leave the board
					t.Errorf("seed %d: exit code %d after %s: %s", g.seed, code, g.sent, g.stderr.String())
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("seed %d: Ctrl-C is not heard after %s", g.seed, g.sent)
			}
		}
	}
}
