package session_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/session"
	"tengen/nogo"
	"tengen/weiqi"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// TestMain keeps the tables of the tests apart from the user's, in one place for all
// tests.
func TestMain(m *testing.M) {
	cache, err := os.MkdirTemp("", "tengen-*")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache)
	goleak.VerifyTestMain(m, goleak.Cleanup(func(code int) {
		os.RemoveAll(cache)
		os.Exit(code)
	}))
}

// firstMover plays the first legal point and knows that a side with a single move
// left has lost. It replaces a real player where transcripts must not depend on one.
type firstMover struct {
	budget   play.Budget // of the last move
	pondered atomic.Int32
	closed   bool
}

func (m *firstMover) Move(_ context.Context, p nogo.Position, c board.Colour, b play.Budget) (game.Choice, error) {
	m.budget = b
	var choice game.Choice
	for q := range p.Legal(c).Points() {
		choice.Moves = append(choice.Moves, game.MoveStats{Move: q, Visits: 100, WinShare: 0.625, Prior: 0.5, Line: []board.Point{q}})
	}
	switch len(choice.Moves) {
	case 0:
		return choice, play.ErrNoMove
	case 1:
		choice.Known, choice.Moves[0].Known = game.Lost, game.Lost
	}
	choice.Move = choice.Moves[0].Move
	return choice, nil
}

func (m *firstMover) Ponder(context.Context, nogo.Position, board.Colour) { m.pondered.Add(1) }
func (m *firstMover) Parts() []string                                     { return nil }
func (m *firstMover) Playouts() int                                       { return 0 }
func (m *firstMover) Ownership(nogo.Position, board.Colour) []float64     { return nil }
func (m *firstMover) Slow() (float64, bool)                               { return 0, false }
func (m *firstMover) SetThreads(int)                                      {}
func (m *firstMover) Close() error                                        { m.closed = true; return nil }

// errSlowTable keeps tests from building tables that take long.
var errSlowTable = errors.New("the tests have no table of this board")

func newSession(t testing.TB, change func(*session.Options)) *session.Session {
	o := session.Options{
		Store: job.Cache, Table: job.Cache,
		Version:  "test",
		Rules:    game.NoGo{},
		Size:     board.Size{Rows: 3, Cols: 3},
		NewMover: func(context.Context, board.Size) (play.Mover, error) { return &firstMover{}, nil },
		NewGoMover: func(ctx context.Context, size board.Size) (*play.GoMover, error) {
			if size.Points() > 9 && size.Points() <= 16 {
				return nil, errSlowTable
			}
			return play.NewGo(ctx, play.GoOptions{Table: job.Cache, Size: size, Limits: job.Limits{Threads: 1}})
		},
		Exact: job.Limits{Memory: 16 << 20, Threads: 1},
	}
	if change != nil {
		change(&o)
	}
	s, err := session.New(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// ask sends lines and returns the answers.
func ask(t testing.TB, s *session.Session, lines string) string {
	var out strings.Builder
	if err := s.Server().Serve(context.Background(), strings.NewReader(lines+"\n"), &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestTranscripts replays the commands of each file, the lines that begin with ">",
// and compares the answers with the lines between them.
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
		o.NewMover = func(context.Context, board.Size) (play.Mover, error) { return mover, nil }
		o.Budget = play.Budget{Time: 3 * time.Second}
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
		{"time_settings 1 10 1", 10 * time.Second, 11 * time.Second},
		{"time_settings 1 10 5", 2900 * time.Millisecond, 3 * time.Second},
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
		o.NewMover = func(context.Context, board.Size) (play.Mover, error) { return mover, nil }
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
		o.NewMover = func(ctx context.Context, size board.Size) (play.Mover, error) {
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
	for _, command := range []string{"loadsgf " + dir + "/none.sgf", "loadsgf " + dir, "printsgf " + dir + "/no/such/place.sgf", "printsgf " + os.DevNull, "printsgf " + dir} {
		if got := ask(t, s, command); !strings.HasPrefix(got, "? cannot ") {
			t.Errorf("%s: %s", command, got)
		}
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("a device was replaced: %v, %v", info, err)
	}
	if got, want := ask(t, s, "rectangular_boardsize 3 1\nplay b A1\nfinal_score"), "has a legal move\n"; !strings.HasSuffix(strings.TrimRight(got, "\n")+"\n", want) {
		t.Errorf("%q, want %q at the end", got, want)
	}
}

// Stones that were not played in turn are written as setup.
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

// A position that later setup stones have removed from the record cannot be entered.
func TestRecordWithLateSetup(t *testing.T) {
	file := filepath.Join(t.TempDir(), "late.sgf")
	if err := os.WriteFile(file, []byte("(;GM[1]SZ[5];B[aa];W[bb];B[cc];W[dd];AE[aa];B[ee])"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, nil)
	if got := ask(t, s, "loadsgf "+file+" 2"); !strings.Contains(got, "can be entered from move 5 on") {
		t.Error(got)
	}
	for _, move := range []string{" 5", " 6", ""} {
		if got := ask(t, s, "loadsgf "+file+move); got != "=\n\n" {
			t.Error(got)
		}
	}
}

// A game of Go with passes, a komi and a ko comes back from its record.
func TestRecordsOfGo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "go.sgf")
	s := newSession(t, func(o *session.Options) { o.Rules, o.Size = game.Go{}, board.Size{Rows: 2, Cols: 4} })
	ask(t, s, "komi 1.5\ngogui-play_sequence b A1 w C2 b B2 w D1 b pass w B1 b C1\nprintsgf "+file)
	before := ask(t, s, "showboard")
	after := ask(t, s, "komi 0\nboardsize 2\nloadsgf "+file)
	if after += ask(t, s, "showboard"); after != "=\n\n=\n\n=\n\n"+before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if got := ask(t, s, "play w B1"); !strings.Contains(got, "retake the ko") {
		t.Errorf("the ban is lost: %s", got)
	}
	if got := ask(t, s, "play w pass\nplay b pass\nfinal_score\nprintsgf"); !strings.Contains(got, "B+0.5\n") || !strings.Contains(got, "KM[1.5]") || !strings.Contains(got, "RE[B+0.5]") {
		t.Error(got)
	}
	if got := ask(t, s, "loadsgf "+file+" 6\nfinal_score\nshowboard"); !strings.Contains(got, "white to play, black has passed, move 6") {
		t.Error(got)
	}
	for text, want := range map[string]string{
		"(;GM[1]SZ[2]RU[NoGo];B[aa])":                "the record is of NoGo",
		"(;GM[1]SZ[2];B[aa];B[bb])":                  "move 2: black plays B1, but it is the turn of white",
		"(;GM[1]SZ[2]AB[aa][bb]PL[W];W[ab])":         "no liberty",
		"(;GM[1]SZ[2]AB[aa][ab]AW[ba][bb];B[])":      "the stones set up",
		"(;GM[1]SZ[9];B[aa])":                        "tables go to",
		"(;GM[1]SZ[3];B[];W[];B[aa];W[])":            "",
		"(;GM[1]SZ[3]AB[aa:cb];B[];W[];B[];W[];B[])": "",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got := ask(t, s, "loadsgf "+file)
		if want == "" && got != "=\n\n" || want != "" && (!strings.HasPrefix(got, "? cannot load file: ") || !strings.Contains(got, want)) {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// A board without its table is refused with the command that builds the table, and
// the game does not change.
func TestMissingTables(t *testing.T) {
	s := newSession(t, func(o *session.Options) { o.Rules = game.Go{} })
	got := ask(t, s, "play b B2\nrectangular_boardsize 4 5\ngogui-rules_board")
	if !strings.Contains(got, "? unacceptable size: there is no table of 4x5 yet") || !strings.Contains(got, `"tengen table build go 4x5" builds it`) ||
		!strings.HasSuffix(got, "= ...\n.X.\n...\n\n") {
		t.Error(got)
	}
	if _, err := session.New(context.Background(), session.Options{Rules: game.Go{Rules: weiqi.TrompTaylor}, Size: board.Size{Rows: 3, Cols: 3}}); err == nil {
		t.Error("a session under rules that nobody plays by")
	}
}

// Every offered command answers invalid input with an error, in both games.
func TestNonsense(t *testing.T) {
	for _, rules := range game.All() {
		t.Run(rules.Name(), func(t *testing.T) {
			talkNonsense(t, newSession(t, func(o *session.Options) { o.Rules = rules }))
		})
	}
}

func talkNonsense(t *testing.T, s *session.Session) {
	for _, name := range s.Server().Names() {
		if name == "quit" || name == "printsgf" {
			continue
		}
		for _, args := range []string{"", "b", "b b", "go", "nogo", "b pass", "-1 -1 -1", "1e999 nan inf", "b Z99", "w pass", "x y z w", "99999999999999999999"} {
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
	f.Add("tengen-game go\nrectangular_boardsize 4 2\nplay b A1\nplay w pass\nplay b pass\nfinal_score\nkomi 0.5\nprintsgf\ngenmove w")
	f.Add("tengen-game go\nboardsize 2\nplay b A1\nplay b B2\nplay w A2\ngenmove w\ntengen-results b\ntengen-solve\ngogui-rules_legal_moves\nundo")
	f.Add("boardsize 3\ntengen-game go\ngogui-setup b A1 w B2\ngogui-setup_player w\nkata-analyze maxmoves 2\nlz-genmove_analyze b 5\ntengen-game nogo\ngenmove b")
	f.Add("tengen-game go\nrectangular_boardsize 1 30\ngenmove b\ngenmove w\nset_free_handicap A1\nlegal_moves\nshowboard")
	f.Fuzz(func(t *testing.T, text string) {
		s := newSession(t, func(o *session.Options) { o.Exact.Time = 50 * time.Millisecond })
		for line := range strings.SplitSeq(text, "\n") {
			// Fuzzing writes no files, and asks for exact results on small boards
			// only.
			if strings.Contains(line, "sgf") && strings.TrimSpace(line) != "printsgf" {
				continue
			}
			ask(t, s, line)
		}
	})
}

// The page shows an example of a mistake. The test makes it again.
func TestTheMistakeOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/gtp.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(page), "The cost of a mistake in Go, in points:\n\n```\n")
	example, _, _ = strings.Cut(example, "```")
	if !ok {
		t.Fatal("the page has no example")
	}
	s, got := newSession(t, nil), ""
	for _, exchange := range strings.Split(strings.TrimSpace(example), "\n\n") {
		command, _, _ := strings.Cut(exchange, "\n")
		got += command + "\n" + strings.ReplaceAll(ask(t, s, command), "= \n", "=\n")
	}
	if strings.TrimSpace(got) != strings.TrimSpace(example) {
		t.Errorf("the page says\n%s\nit is\n%s", example, got)
	}
}
