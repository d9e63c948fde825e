package game_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/game"
	"tengen/sgf"
	"tengen/weiqi"
)

func read(t testing.TB, text string) *sgf.Game {
	t.Helper()
	record, err := game.ReadRecord(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return record
}

// Games of all kinds, moves of either colour in any order, come back from their records.
func TestRecordsAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := anyRules.Draw(t, "rules")
		start := game.NewPosition(anySize.Draw(t, "size"))
		start.ToPlay = anyColour.Draw(t, "to play")
		g := game.New(rules, start)
		g.Komi = float64(rapid.IntRange(-9, 9).Draw(t, "komi")) / 2
		for range rapid.IntRange(0, 40).Draw(t, "length") {
			c := g.Position().ToPlay
			if rapid.IntRange(0, 15).Draw(t, "out of turn") == 0 {
				c = c.Opponent()
			}
			g.PlayAs(c, drawMove(t, g))
		}
		record := g.Record()
		record.Black, record.White, record.Comment = "Ann", "Bob", "played\nby hand"
		var text bytes.Buffer
		if err := game.WriteRecord(&text, record); err != nil {
			t.Fatal(err)
		}
		again, err := game.ReadRecord(&text)
		if err != nil || game.Recorded(again) != rules || again.Black != "Ann" || again.Comment != record.Comment || again.Result != record.Result {
			t.Fatalf("%+v is read back as %+v of %s, %v", record, again, game.Recorded(again), err)
		}
		back, err := game.Replay(rules, again)
		if superko := rules.Superko() != weiqi.Basic; superko && err != nil {
			return // a board from before a move out of turn has repeated, which no record can show
		}
		if err != nil || back.Position().Stones != g.Position().Stones || back.Position().ToPlay != g.Position().ToPlay || rules.Scored() && back.Komi != g.Komi {
			t.Fatalf("%+v is replayed as\n%s, %v, want\n%s", record, show(back), err, show(g))
		}
		if again := back.Record(); !slices.Equal(again.Moves, record.Moves) {
			t.Fatalf("recorded as %v, then as %v", record.Moves, again.Moves)
		}
	})
}

func TestReplay(t *testing.T) {
	// White takes a ko in the corner of a 3x4 board.
	const ko = "(;SZ[4:3]AB[ab][ba]AW[bb][ca]PL[W];W[aa]"
	psk := game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}}
	for _, c := range []struct {
		text  string
		rules game.Rules
		want  string // the board, or the error
	}{
		{"(;RU[NoGo]SZ[3]AB[bb];W[aa];B[cc];W[ca])", game.NoGo{}, "o.o/.x./..x"},
		{"(;SZ[3];B[aa];W[aa])", game.NoGo{}, "move 2: white may not play A3: the point is occupied"},
		{"(;SZ[3];B[aa];W[ab];B[cc];W[ba])", game.NoGo{}, "move 4: white may not play B3: it would take the last liberty of a black block"},
		{"(;SZ[3]AW[ab][ba]PL[B];B[aa])", game.NoGo{}, "move 1: black may not play A3: the stone would have no liberty"},
		{"(;SZ[3];B[aa];B[ab])", game.NoGo{}, "move 2: black plays A2, but it is the turn of white"},
		{"(;SZ[3];B[aa];W[tt])", game.NoGo{}, "move 2: NoGo has no pass: a side that cannot play has lost"},
		{"(;SZ[3];B[aa];B[])", game.NoGo{}, "move 2: black plays pass, but it is the turn of white"},
		{"(;SZ[3]AW[ab][ba]AB[aa])", game.NoGo{}, "the stones set up: row 1 from the top, column 1: the black block at A3 has no liberty"},
		{"(;SZ[3];B[aa];W[bb];AB[cc];B[ca];W[ca])", game.NoGo{}, "move 4: white may not play C3: the point is occupied"},
		{"(;SZ[3];B[aa](;W[bb];B[bb])(;W[cc];B[bb]))", game.NoGo{}, "move 3: black may not play B2: the point is occupied"},
		{ko + ")", game.Go{}, "o.o./xo../...."},
		{ko + ";B[ba])", game.Go{}, "move 2: black may not play B3: it would retake the ko at once"},
		{ko + ";B[ba])", psk, "move 2: black may not play B3: the board would repeat an earlier one"},
		{ko + ";B[dc];W[cc];B[ba])", game.Go{}, ".xo./xo../..ox"},
		{ko + ";B[];W[tt];B[dc])", game.Go{}, "o.o./xo../...x"},
		{ko + ";W[dc])", game.Go{}, "move 2: white plays D1, but it is the turn of black"},
		{"(;SZ[3]AB[ab][ba];W[aa])", game.Go{}, "move 1: white may not play A3: the stone would have no liberty"},
		{"(;SZ[2]AB[aa][ba][ab][bb])", game.Go{}, "the stones set up: row 2 from the top, column 1: the black block at A1 has no liberty"},
	} {
		g, err := game.Replay(c.rules, read(t, c.text))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = g.Position().String()
		}
		if got != c.want {
			t.Errorf("%s, %s: %s, want %s", c.rules, c.text, got, c.want)
		}
	}
}

func TestRulesOfRecords(t *testing.T) {
	for label, want := range map[string]game.Rules{
		"NoGo": game.NoGo{}, "no go": game.NoGo{}, "No-Go": game.NoGo{}, "": game.Go{}, "Japanese": game.Go{}, "Go": game.Go{},
		"basic": game.Go{}, "psk": every[2], "SSK ": every[3], "tromp-taylor": every[4],
	} {
		if got := game.Recorded(&sgf.Game{Rules: label}); got != want {
			t.Errorf("%q is %s, want %s", label, got, want)
		}
	}
}

func TestOpenRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "game.sgf")
	if _, err := game.OpenRecord(name); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(name, []byte("(;SZ[3]KM[0.5];B[bb])"), 0o644); err != nil {
		t.Fatal(err)
	}
	record, err := game.OpenRecord(name)
	if err != nil {
		t.Fatal(err)
	}
	g, err := game.Replay(game.Go{}, record)
	if err != nil || g.Komi != 0.5 || g.Position().ToPlay != board.White {
		t.Errorf("%+v, %v", g, err)
	}
}

// Every record that can be read is replayed or refused under any rules. A replayed game
// that is written and read again is the same game.
func FuzzReadRecord(f *testing.F) {
	for _, seed := range []string{
		"(;GM[1]SZ[9:5]AB[aa:cc]AE[bb]PL[W]KM[6.5];B[];W[tt];B[cd];W[dc]C[x])", "(;RU[NoGo]SZ[3];B[aa];W[cc])",
		"(;SZ[3];B[aa];W[ba];B[];W[ab];AE[ba];B[cc])", "(;SZ[2]RU[psk];B[aa];W[ab];B[bb];W[ba];B[aa])", "(;SZ[52:1]HA[3]AB[Za])",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		record, err := game.ReadRecord(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, rules := range append(every, game.Recorded(record)) {
			g, err := game.Replay(rules, record)
			if err != nil {
				continue
			}
			var text bytes.Buffer
			if err := game.WriteRecord(&text, g.Record()); err != nil {
				t.Fatalf("%q is read but not written: %v", data, err)
			}
			again, err := game.ReadRecord(&text)
			if err != nil {
				t.Fatalf("%q is not read again: %v", data, err)
			}
			back, err := game.Replay(rules, again)
			if err != nil || !slices.Equal(back.Positions(), g.Positions()) {
				t.Fatalf("%q is another game when written, by %s: %v", data, rules, err)
			}
		}
	})
}
