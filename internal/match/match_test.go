package match_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/match"
	"tengen/nogo"
	"tengen/sgf"
)

func options(a, b string) match.Options {
	return match.Options{
		Rules:    game.NoGo{},
		Size:     board.Size{Rows: 4, Cols: 4},
		Games:    2,
		Programs: [][]string{fake(a), fake(b)},
	}
}

func run(t *testing.T, o match.Options) match.Result {
	t.Helper()
	result, err := match.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// referee replays a game by the rules and returns who has won, by colour, if the game
// is over.
func replay(t *testing.T, size board.Size, g match.Record) board.Colour {
	t.Helper()
	var moves []board.Point
	for _, name := range g.Moves {
		p, err := size.ParsePoint(name)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, p)
	}
	p, toPlay, err := nogo.NewPosition(size).PlayAll(board.Black, moves)
	if err != nil {
		t.Fatalf("game %d: %v", g.Number, err)
	}
	if p.Legal(toPlay).IsEmpty() {
		return toPlay.Opponent()
	}
	return board.Empty
}

// Programs that break the protocol in harmless ways play whole games.
func TestDialects(t *testing.T) {
	for _, kind := range []string{"plain", "tight", "no empty line", "talks", "CRLF", "colour blind", "says the colour", "word by word"} {
		t.Run(kind, func(t *testing.T) {
			o := options(kind, "plain")
			o.Size = board.Size{Rows: 2, Cols: 3}
			o.Openings = match.Openings{Random: 1, Seed: 7}
			for _, g := range run(t, o).Games {
				winner := replay(t, o.Size, g)
				if winner == board.Empty || g.How != match.NoMove || (winner == board.Black) != (g.Winner == g.Black) {
					t.Errorf("%+v: the rules say that %v won", g, winner)
				}
			}
		})
	}
}

// Programs that fail lose every game, with the reason, and the match goes on.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		kind   string
		how    match.How
		reason string
	}{
		{"resigns", match.Resignation, "resigns"},
		{"passes", match.Illegal, "NoGo has no pass"},
		{"gives up", match.Protocol, `answers "illegal move" to genmove`},
		{"fails", match.Protocol, "refuses to move: cannot think of anything"},
		{"dies", match.Crash, "exit status 2"},
		{"dies at once", match.Crash, `exit status 3, saying "out of luck"`},
		{"quits", match.Crash, "it quit"},
		{"hangs", match.Time, "has not moved after"},
		{"stays", match.Time, "has not moved after"},
		{"floods", match.Protocol, "without an answer"},
		{"floods without a line", match.Protocol, "16 MiB without an answer to genmove"},
		{"closes its input", match.Crash, "it closed its input"},
		{"long line", match.Protocol, "to genmove"},
		{"cheats", match.Illegal, "the point is occupied"},
		{"off the board", match.Protocol, `answers "Z99"`},
		{"refuses", match.Protocol, "refuses the legal move"},
		{"refuses politely", match.Protocol, "refuses the legal move"},
	} {
		t.Run(test.kind, func(t *testing.T) {
			t.Parallel()
			o := options("plain", test.kind)
			o.Clock = match.Clock{PerMove: time.Minute}
			if test.how == match.Time {
				o.Clock.PerMove = time.Second
			}
			result := run(t, o)
			if result.Wins != [2]int{2, 0} {
				t.Errorf("%d to %d, want 2 to 0", result.Wins[0], result.Wins[1])
			}
			for _, g := range result.Games {
				replay(t, o.Size, g)
				if g.How != test.how || !strings.Contains(g.Reason, test.reason) || !strings.Contains(g.Reason, "(b)") {
					t.Errorf("lost by %s: %s; want %s: %s", g.How, g.Reason, test.how, test.reason)
				}
			}
		})
	}
}

func TestProgramsThatCannotPlay(t *testing.T) {
	o := options("plain", "one size")
	if _, err := match.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "program b does not play on 4x4") {
		t.Errorf("a refused board: %v", err)
	}
	o.Programs[0] = []string{filepath.Join(t.TempDir(), "none")}
	if _, err := match.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "program a cannot be started") {
		t.Errorf("no program: %v", err)
	}
}

// A program can run out of its time for the game although every move is quick.
func TestTimePerGame(t *testing.T) {
	o := options("plain", "slow")
	o.Clock = match.Clock{PerGame: 50 * time.Millisecond, Grace: time.Millisecond}
	o.Games = 1
	o.Programs[0], o.Programs[1] = o.Programs[1], o.Programs[0]
	g := run(t, o).Games[0]
	if g.How != match.Time || g.Winner != match.B || g.Reason != "black (a) has used up its 50ms for the game" {
		t.Errorf("%+v", g)
	}
}

func TestColoursAlternate(t *testing.T) {
	o := options("plain", "tight")
	o.Games = 5
	o.Openings = match.Openings{Random: 4, Seed: 3}
	games := run(t, o).Games
	for i, g := range games {
		if g.Black != match.Side(i%2) || g.Number != i+1 {
			t.Errorf("game %d: %+v", i+1, g)
		}
		if pair := games[i/2*2]; strings.Join(g.Moves[:4], " ") != strings.Join(pair.Moves[:4], " ") {
			t.Errorf("games %d and %d of a pair differ in their opening", pair.Number, g.Number)
		}
	}
	if a, b := games[0].Moves[:4], games[2].Moves[:4]; strings.Join(a, " ") == strings.Join(b, " ") {
		t.Error("two pairs have the same random opening")
	}
}

func TestRecords(t *testing.T) {
	o := options("plain", "dies")
	o.Size = board.Size{Rows: 3, Cols: 5}
	o.Records = filepath.Join(t.TempDir(), "records")
	result := run(t, o)
	for i, name := range []string{"game-0001.sgf", "game-0002.sgf"} {
		g, err := game.OpenRecord(filepath.Join(o.Records, name))
		if err != nil {
			t.Fatal(err)
		}
		want := []sgf.Result{"B+F", "W+F"}[i]
		if g.Size != o.Size || game.Recorded(g) != o.Rules || g.Result != want || len(g.Moves) != len(result.Games[i].Moves) || !strings.Contains(g.Comment, "exit status 2") {
			t.Errorf("record %+v of %+v", g, result.Games[i])
		}
		if names := []string{g.Black, g.White}; names[i] != "fake plain (a)" || names[1-i] != "fake dies (b)" {
			t.Errorf("players %q", names)
		}
		if _, err := game.Replay(o.Rules, g); err != nil {
			t.Error(err)
		}
	}
}

// Records of other games are not overwritten. A resumed match adds the missing records
// and leaves the others alone.
func TestRecordsAreKept(t *testing.T) {
	o := options("plain", "resigns")
	dir := t.TempDir()
	o.Records, o.Log = filepath.Join(dir, "records"), filepath.Join(dir, "match.json")
	run(t, o)
	first, second := filepath.Join(o.Records, "game-0001.sgf"), filepath.Join(o.Records, "game-0002.sgf")
	want, err := os.ReadFile(second)
	if err != nil {
		t.Fatal(err)
	}
	other := o
	other.Log = ""
	if _, err := match.Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), first+" is the record of another game") {
		t.Errorf("a second match in the same directory: %v", err)
	}
	if err := os.Remove(first); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(second, append(want, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	run(t, o)
	if _, err := os.Stat(first); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(second); len(got) != len(want)+1 {
		t.Error("a record that was there was written again")
	}
	if err := os.WriteFile(first, []byte("(;GM[1]SZ[4];B[aa])"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := match.Run(context.Background(), o); err == nil {
		t.Error("the record of another game was taken for one of this match")
	}
}

// Two matches cannot be saved in one file at the same time, even under different names
// of it.
func TestOneMatchAFile(t *testing.T) {
	o := options("plain", "resigns")
	dir := t.TempDir()
	o.Log = filepath.Join(dir, "match.json")
	second := o
	second.Log = filepath.Join(dir, "link")
	if err := os.Symlink("match.json", second.Log); err != nil {
		t.Skip(err)
	}
	refused := 0
	o.Finished = func(match.Record, match.Result) {
		if _, err := match.Run(context.Background(), second); err != nil && strings.Contains(err.Error(), "another match is being kept in") {
			refused++
		}
	}
	run(t, o)
	if refused != 2 {
		t.Errorf("a second match was refused %d times, want 2", refused)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("a lock is left behind: %v", entries)
	}
	run(t, second)
}

// A match that is stopped and resumed has the same games as one that is not stopped.
func TestResume(t *testing.T) {
	o := options("plain", "resigns")
	o.Games = 6
	o.Openings = match.Openings{Random: 3, Seed: 11}
	whole := run(t, o)

	o.Log = filepath.Join(t.TempDir(), "match.json")
	ctx, cancel := context.WithCancel(context.Background())
	o.Finished = func(g match.Record, _ match.Result) {
		if g.Number == 3 {
			cancel()
		}
	}
	part, err := match.Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(part.Games) != 3 {
		t.Fatalf("%d games, %v", len(part.Games), err)
	}
	resumed := run(t, o)
	played := 0
	o.Finished = func(match.Record, match.Result) { played++ }
	again := run(t, o)
	if played != 0 {
		t.Errorf("%d games were played in a match that was over", played)
	}
	for i, g := range whole.Games {
		for _, r := range []match.Result{resumed, again} {
			if got := r.Games[i]; strings.Join(got.Moves, " ") != strings.Join(g.Moves, " ") || got.Winner != g.Winner || got.Black != g.Black {
				t.Errorf("game %d is %+v, want %+v", i+1, got, g)
			}
		}
	}
	o.Games = 7
	if more := run(t, o); len(more.Games) != 7 {
		t.Errorf("%d games, want one more", len(more.Games))
	}
}

func TestLogsThatAreRefused(t *testing.T) {
	o := options("plain", "plain")
	o.Log = filepath.Join(t.TempDir(), "match.json")
	run(t, o)
	good, err := os.ReadFile(o.Log)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += 5 {
		bad := append([]byte{}, good...)
		bad[i] ^= 1
		if i%3 == 0 {
			bad = good[:i]
		}
		if err := os.WriteFile(o.Log, bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := match.Run(context.Background(), o); err == nil {
			t.Fatalf("a log with byte %d changed, or cut there, was taken", i)
		}
		if left, _ := os.ReadFile(o.Log); string(left) != string(bad) {
			t.Fatal("a log that was refused was changed")
		}
	}
	for _, cut := range []int{0, 1, len(good) / 2, len(good) - 1} {
		os.WriteFile(o.Log, good[:cut], 0o644)
		if _, err := match.Run(context.Background(), o); err == nil || cut < len(good)-1 && !strings.Contains(err.Error(), "the file is empty or cut off") {
			t.Errorf("a log cut after %d bytes: %v", cut, err)
		}
	}
	os.WriteFile(o.Log, good, 0o644)
	for _, change := range []func(*match.Options){
		func(o *match.Options) { o.Size = board.Size{Rows: 5, Cols: 5} },
		func(o *match.Options) { o.Openings.Random = 1 },
		func(o *match.Options) { o.Clock.PerMove = time.Second },
		func(o *match.Options) { o.Programs[1] = fake("tight") },
	} {
		other := o
		change(&other)
		if _, err := match.Run(context.Background(), other); err == nil || !strings.Contains(err.Error(), "another match") {
			t.Errorf("the log of another match: %v", err)
		}
	}
}

func TestSequentialTestEndsTheMatch(t *testing.T) {
	o := options("plain", "resigns")
	o.Games = 100
	o.Test = &match.Test{Low: 0, High: 200}
	result := run(t, o)
	if n := len(result.Games); n >= 100 || n%2 != 0 || !result.Test.Done || !result.Test.Accepted {
		t.Errorf("%d games, %+v", n, result.Test)
	}
}

// The test ends after whole pairs also if several games are played at a time.
func TestSequentialTestEndsWithWholePairs(t *testing.T) {
	o := options("plain", "resigns")
	o.Games, o.Parallel = 100, 3
	o.Test = &match.Test{Low: 0, High: 200}
	result := run(t, o)
	for i, g := range result.Games {
		if g.Number != i+1 {
			t.Errorf("game %d stands at place %d", g.Number, i+1)
		}
	}
	if n := len(result.Games); n >= 100 || n%2 != 0 || !result.Test.Accepted || result.Test.Pairs > n/2 {
		t.Errorf("%d games, %+v", n, result.Test)
	}
}

// A program that never answers in the form of the protocol ends the match at its first
// command. Options.Asked is called with that command.
func TestProgramWithoutSigns(t *testing.T) {
	o := options("plain", "no signs")
	o.Games = 10
	o.Clock.Patience = time.Second
	var last string
	o.Asked = func(game int, program, command string) {
		if command != "" {
			last = fmt.Sprintf("game %d: %s %s", game, program, command)
		}
	}
	result, err := match.Run(context.Background(), o)
	want := `program b has not answered name, its first command, after 1s; it said "ok fake no signs", and an answer begins with = or ?: does it speak the Go Text Protocol?`
	if err == nil || err.Error() != want || len(result.Games) > 0 {
		t.Errorf("%d games, %v", len(result.Games), err)
	}
	if last != "game 1: b name" {
		t.Errorf("the match waited for %q", last)
	}
}

// The result of a stopped match has the game that was interrupted.
func TestUnfinishedGame(t *testing.T) {
	o := options("plain", "plain")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o.Moved = func(game, move int) {
		if game == 2 && move == 3 {
			cancel()
		}
	}
	result, err := match.Run(ctx, o)
	if !errors.Is(err, context.Canceled) || len(result.Games) != 1 || len(result.Unfinished) != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	if g := result.Unfinished[0]; g.Number != 2 || len(g.Moves) != 3 || g.Winner != match.Nobody || g.Black != match.B {
		t.Errorf("%+v", g)
	}
}

func TestBadOptions(t *testing.T) {
	for _, change := range []func(*match.Options){
		func(o *match.Options) { o.Games = 0 },
		func(o *match.Options) { o.Openings.Random = 16 },
		func(o *match.Options) { o.Records = os.Args[0] },
		func(o *match.Options) { o.Size, o.Records = board.Size{Rows: 1, Cols: 60}, t.TempDir() },
		func(o *match.Options) { o.Log = filepath.Join(t.TempDir(), "no", "log") },
		func(o *match.Options) { o.Log = t.TempDir() },
		func(o *match.Options) { o.Log = os.DevNull },
	} {
		o := options("plain", "plain")
		change(&o)
		if _, err := match.Run(context.Background(), o); err == nil {
			t.Errorf("%+v was played", o)
		}
	}
}
