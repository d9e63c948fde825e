package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tengen/internal/cli"
)

// terminal is a pseudo-terminal as its user sees it: keys go in, and everything that
// was ever written to the screen comes out.
type terminal struct {
	t             *testing.T
	user, program *os.File
	mu            sync.Mutex
	screen        bytes.Buffer
}

func openTerminal(t *testing.T, rows, cols uint16) *terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no pseudo-terminals here")
	}
	if err := unix.IoctlSetPointerInt(int(user.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(user.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, user: user, program: program}
	term.resize(rows, cols)
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(term, user) })
	t.Cleanup(func() {
		program.Close()
		reading.Wait() // it fails when nobody can write any more
		user.Close()
	})
	return term
}

func (term *terminal) Write(p []byte) (int, error) {
	term.mu.Lock()
	defer term.mu.Unlock()
	return term.screen.Write(p)
}

// resize changes the window, which makes a program draw the whole screen.
func (term *terminal) resize(rows, cols uint16) {
	term.t.Helper()
	if err := unix.IoctlSetWinsize(int(term.user.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols}); err != nil {
		term.t.Fatal(err)
	}
	if err := unix.Kill(os.Getpid(), unix.SIGWINCH); err != nil {
		term.t.Fatal(err)
	}
}

// drawn waits until the board has come to the screen for the first time.
func (term *terminal) drawn() {
	term.t.Helper()
	for range 6000 {
		term.mu.Lock()
		n := term.screen.Len()
		term.mu.Unlock()
		if n > 200 {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	term.t.Fatal("nothing is drawn")
}

func (term *terminal) keys(keys string) {
	term.t.Helper()
	if _, err := term.user.WriteString(keys); err != nil {
		term.t.Fatal(err)
	}
}

// shows waits until a text is on the screen. Only what changes is written there, so
// the window changes until the text has been written as a whole.
func (term *terminal) shows(text string) {
	term.t.Helper()
	if !term.comes(text, 2400) {
		term.mu.Lock()
		defer term.mu.Unlock()
		term.t.Fatalf("%q is not shown:\n%q", text, term.screen.String())
	}
}

// comes looks for a text, a number of times.
func (term *terminal) comes(text string, looks int) bool {
	term.t.Helper()
	for i := range looks {
		term.mu.Lock()
		found := strings.Contains(term.screen.String(), text)
		term.mu.Unlock()
		if found {
			return true
		}
		term.resize(24, 80+uint16(i%2))
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// asks presses a key until a text is shown: a hint that ran out of time on a busy machine
// is asked for again.
func (term *terminal) asks(key, text string) {
	term.t.Helper()
	for range 20 {
		if term.keys(key); term.comes(text, 200) {
			return
		}
	}
	term.shows(text)
}

// TestPlayOnTerminal plays a game on a pseudo-terminal by keys and by mouse, and holds
// the terminal to be left as it was.
func TestPlayOnTerminal(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	solve := []string{"solve", "nogo", "1x3", "--memory", "64MiB"} // leaves its strips, for which a hint has no time under the race detector
	if code := cli.Main(solve, strings.NewReader(""), io.Discard, io.Discard); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	for name, c := range map[string]struct {
		args  []string
		steps func(term *terminal)
		code  int
	}{
		"keys": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.asks("\t", "B1 wins, proven; everything else loses.")
				term.keys("\r")
				term.shows("You win: White has no legal move")
				term.keys("q")
			},
			0,
		},
		"mouse": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.resize(24, 80)
				term.shows("Your turn: Black, move 1 at B1")
				term.resize(24, 80)
				time.Sleep(200 * time.Millisecond)
				for y := 1; y <= 24; y++ { // one of the lines is that of the board
					term.keys(fmt.Sprintf("\x1b[<0;41;%dM\x1b[<0;41;%dm", y, y))
				}
				term.shows("You win: White has no legal move")
				term.keys("q")
			},
			0,
		},
		"ctrl-c while thinking": {
			[]string{"nogo", "9x9", "--as", "w", "--time", "10m"},
			func(term *terminal) {
				term.shows("Black is thinking")
				term.keys("\x03")
			},
			3,
		},
		"ctrl-c with esc": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.keys("\x1b\x03")
			},
			3,
		},
		"ctrl-c in a paste without an end": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.keys("\x1b[200~")
				time.Sleep(100 * time.Millisecond)
				term.keys("\x03")
			},
			3,
		},
		"keys after a paste without an end": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.keys("\x1b[200~q q")
				term.keys("\x1b[C")
				term.shows("Your turn: Black, move 1 at C1")
				term.keys("q")
			},
			0,
		},
		"a size that is not the window's": {
			[]string{"nogo", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.keys("\x1b[8;2000;2000t")
				term.keys("\x1b[C")
				term.shows("Your turn: Black, move 1 at C1")
				term.keys("q")
			},
			0,
		},
		"ended from outside": {
			[]string{"nogo", "9x9", "--as", "w", "--time", "10m"},
			func(term *terminal) {
				term.shows("Black is thinking")
				if err := unix.Kill(os.Getpid(), unix.SIGTERM); err != nil {
					term.t.Fatal(err)
				}
			},
			3,
		},
		"go": {
			[]string{"go", "1x3"},
			func(term *terminal) {
				term.shows("Your turn: Black, move 1 at B1")
				term.asks("\t", "Exact: Black wins by 3; best is B1.")
				term.keys("p")
				term.shows("pass costs 6 points; B1 keeps +3. White plays B1: exact, White wins by 3 with") // and on the next line
				term.keys("qq")
			},
			0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("TERM", "xterm-256color")
			t.Setenv("LC_ALL", "C.UTF-8")
			term := openTerminal(t, 24, 80)
			before, err := unix.IoctlGetTermios(int(term.program.Fd()), unix.TCGETS)
			if err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			code := make(chan int)
			go func() {
				args := append([]string{"play"}, append(c.args, "--memory", "64MiB")...)
				code <- cli.Main(args, term.program, term.program, &stderr)
			}()
			c.steps(term)
			select {
			case got := <-code:
				if got != c.code {
					t.Errorf("exit code %d, want %d: %s", got, c.code, stderr.String())
				}
			case <-time.After(2 * time.Minute):
				t.Fatal("the program does not end")
			}
			after, err := unix.IoctlGetTermios(int(term.program.Fd()), unix.TCGETS)
			if err != nil || *after != *before {
				t.Errorf("the terminal is left in another state: %v", err)
			}
			term.shows("\x1b[?1049l") // the screen of before is back
		})
	}
}
