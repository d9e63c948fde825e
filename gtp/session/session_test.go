package session_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/board"
	"tengen/engine"
	"tengen/gtp/session"
	"tengen/nogo"
	"tengen/player"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// firstMover plays the first legal point and knows that a side with a single move left
// has lost. It stands in for a player where transcripts must not depend on one.
type firstMover struct {
	budget   engine.Budget // of the last move
	pondered atomic.Int32
	closed   bool
}

func (m *firstMover) Move(_ context.Context, p nogo.Position, c board.Colour, b engine.Budget) (engine.Choice, error) {
	m.budget = b
	var choice engine.Choice
	for q := range p.Legal(c).Points() {
		choice.Moves = append(choice.Moves, engine.MoveStats{Move: q, Visits: 100, WinShare: 0.625, Prior: 0.5, Line: []board.Point{q}})
	}
	switch len(choice.Moves) {
	case 0:
		return choice, player.ErrNoMove
	case 1:
		choice.Known, choice.Moves[0].Known = player.Lost, player.Lost
	}
	choice.Move = choice.Moves[0].Move
	return choice, nil
}

func (m *firstMover) Ponder(context.Context, nogo.Position, board.Colour) { m.pondered.Add(1) }
func (m *firstMover) Parts() []string                                     { return nil }
func (m *firstMover) Close() error                                        { m.closed = true; return nil }

func newSession(t testing.TB, change func(*session.Options)) *session.Session {
	o := session.Options{
		Version:  "test",
		Size:     board.Size{Rows: 3, Cols: 3},
		NewMover: func(board.Size) (engine.Mover, error) { return &firstMover{}, nil },
		Memory:   16 << 20,
		Threads:  1,
	}
	if change != nil {
		change(&o)
	}
	s, err := session.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// ask sends lines and returns what comes back.
func ask(t testing.TB, s *session.Session, lines string) string {
	var out strings.Builder
	if err := s.Server().Serve(context.Background(), strings.NewReader(lines+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTranscripts replays the commands of each file, the lines that begin with ">", and
// wants the answers between them.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newSession(t, func(o *session.Options) {
				o.PlayOn = strings.Contains(file, "play-on")
				o.Turns = strings.Contains(file, "turns")
			})
			var got strings.Builder
			for line := range strings.Lines(string(want)) {
				if command, ok := strings.CutPrefix(line, ">"); ok {
					got.WriteString(line + ask(t, s, strings.TrimSpace(command)))
				} else if strings.HasPrefix(line, "#") {
					got.WriteString(line)
				}
			}
			if *rewrite {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got.String() != string(want) {
				t.Errorf("the conversation is now\n%s\nif it changed on purpose, run this test with -rewrite", got.String())
			}
		})
	}
}

func TestClocks(t *testing.T) {
	mover := &firstMover{}
	s := newSession(t, func(o *session.Options) {
		o.NewMover = func(board.Size) (engine.Mover, error) { return mover, nil }
		o.Budget = engine.Budget{Time: 3 * time.Second}
	})
	for _, test := range []struct {
		commands  string
		low, high time.Duration
	}{
		{"", 3 * time.Second, 3 * time.Second},
		{"time_settings 0 2 1", 1900 * time.Millisecond, 2 * time.Second},
		{"time_settings 0 10 5", 1900 * time.Millisecond, 2 * time.Second},
		{"time_settings 0 0.5 1", 400 * time.Millisecond, 500 * time.Millisecond},
		{"time_settings 60 0 0", 5 * time.Second, 15 * time.Second},
		{"time_settings 60 10 1", 10 * time.Second, 20 * time.Second},
		{"time_settings 1 10 1", 500 * time.Millisecond, time.Second},
		{"time_settings 0 30 0", 3 * time.Second, 3 * time.Second},
		{"time_settings 0 0 0", 3 * time.Second, 3 * time.Second},
		{"time_settings 600 0 0\ntime_left b 1 0", time.Millisecond, time.Second / 4},
		{"time_settings 600 20 10\ntime_left b 4 2", 1900 * time.Millisecond, 2 * time.Second},
		{"time_settings 600 0 0\ntime_left b 0 0", time.Millisecond, time.Millisecond},
		{"time_settings 600 0 0\ntime_left w 1 0", 100 * time.Second, 200 * time.Second},
	} {
		ask(t, s, "clear_board\n"+test.commands+"\ngenmove b")
		if got := mover.budget.Time; got < test.low || got > test.high {
			t.Errorf("after %q a move gets %v, want %v to %v", test.commands, got, test.low, test.high)
		}
	}
}

func TestPondering(t *testing.T) {
	mover := &firstMover{}
	s := newSession(t, func(o *session.Options) {
		o.NewMover = func(board.Size) (engine.Mover, error) { return mover, nil }
		o.Ponder = true
	})
	ask(t, s, "genmove b\nplay w C3\nreg_genmove b")
	if n := mover.pondered.Load(); n != 1 {
		t.Errorf("the player pondered %d times, want once after genmove", n)
	}
}

// A size that the player refuses leaves the game as it was.
func TestRefusedSize(t *testing.T) {
	var movers []*firstMover
	s := newSession(t, func(o *session.Options) {
		o.NewMover = func(size board.Size) (engine.Mover, error) {
			if size.Points() > 9 {
				return nil, os.ErrInvalid
			}
			movers = append(movers, &firstMover{})
			return movers[len(movers)-1], nil
		}
	})
	got := ask(t, s, "play b B2\nboardsize 4\nlegal_moves w\nboardsize 2\nlegal_moves w")
	want := "=\n\n? unacceptable size: invalid argument\n\n= A1 B1 C1 A2 C2 A3 B3 C3\n\n=\n\n= A1 B1 A2 B2\n\n"
	if got != want {
		t.Errorf("answers\n%s\nwant\n%s", got, want)
	}
	if len(movers) != 2 || !movers[0].closed || movers[1].closed {
		t.Error("the player of the old size is to be closed, and only that")
	}
}

func TestRecords(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a game.sgf")
	s := newSession(t, nil)
	for _, step := range []struct{ command, want string }{
		{"rectangular_boardsize 3 2\nplay b B1\nplay w A2\nprintsgf " + file, "=\n\n=\n\n=\n\n=\n\n"},
		{"boardsize 9\nloadsgf " + file + "\ngogui-rules_board", "=\n\n=\n\n= O..\n.X.\n\n"},
		{"loadsgf " + file + " 2\ngogui-rules_board\ngogui-rules_side_to_move", "=\n\n= ...\n.X.\n\n= white\n\n"},
		{"loadsgf " + file + " 99\ngogui-rules_board", "=\n\n= O..\n.X.\n\n"},
		{"undo\nundo\nundo", "=\n\n=\n\n? cannot undo: no move has been played\n\n"},
		{"loadsgf " + file + " 0", "? syntax error: move 0: moves count from 1\n\n"},
	} {
		if got := ask(t, s, step.command); got != step.want {
			t.Errorf("%s\ngives\n%s\nwant\n%s", step.command, got, step.want)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 1 {
		t.Errorf("files are left behind: %v", entries)
	}
	for _, command := range []string{"loadsgf " + dir + "/none.sgf", "loadsgf " + dir, "printsgf " + dir + "/no/such/place.sgf"} {
		if got := ask(t, s, command); !strings.HasPrefix(got, "? cannot ") {
			t.Errorf("%s: %s", command, got)
		}
	}
}

// Stones that were not played in turn come back as setup.
func TestRecordOfASetup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "setup.sgf")
	s := newSession(t, nil)
	before := ask(t, s, "play b A1\nplay b C3\nplay w B2\nshowboard\nprintsgf "+file)
	after := ask(t, s, "clear_board\nloadsgf "+file+"\nshowboard")
	if cut := func(text string) string {
		_, b, _ := strings.Cut(text, "3 ")
		b, _, _ = strings.Cut(b, "move")
		return b
	}; cut(before) != cut(after) {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// Every command that is offered answers nonsense without falling over.
func TestNonsense(t *testing.T) {
	s := newSession(t, nil)
	for _, name := range s.Server().Names() {
		if name == "quit" || name == "printsgf" {
			continue
		}
		for _, args := range []string{"", "b", "b b", "-1 -1 -1", "1e999 nan inf", "b Z99", "w pass", "x y z w", "99999999999999999999"} {
			got := ask(t, s, "1 "+name+" "+args)
			if !strings.HasSuffix(got, "\n\n") || strings.Count(got, "\n\n") != 1 || got[1] != '1' {
				t.Errorf("%s %s: %q", name, args, got)
			}
		}
	}
}

func FuzzSession(f *testing.F) {
	f.Add("boardsize 2\nplay b A1\ngenmove w\nundo\nshowboard\nfinal_score")
	f.Add("rectangular_boardsize 4 1\ngogui-setup b A1 w C1\ntengen-regions\ntengen-values w\ntengen-results")
	f.Add("set_free_handicap A1 B2\nlz-analyze w 10\nkata-genmove_analyze b interval 5 maxmoves 1\nprintsgf")
	f.Add("time_settings 1 2 3\ntime_left b 0 0\ngogui-play_sequence b A1 w pass")
	f.Fuzz(func(t *testing.T, text string) {
		s := newSession(t, func(o *session.Options) { o.Timeout = 50 * time.Millisecond })
		for line := range strings.SplitSeq(text, "\n") {
			// Fuzzing leaves files alone, and exact results to small boards.
			if strings.Contains(line, "sgf") && strings.TrimSpace(line) != "printsgf" {
				continue
			}
			ask(t, s, line)
		}
	})
}
