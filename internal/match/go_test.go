package match_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tengen/board"
	"tengen/game"
	"tengen/internal/match"
	"tengen/sgf"
	"tengen/weiqi"
)

var (
	psk = game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}}
	ssk = game.Go{Rules: weiqi.Rules{Ko: weiqi.Situational}}
)

// Games of Go whose moves are given, and how the rules end them.
func TestGo(t *testing.T) {
	const round = "A1 B1 A1 A1" // Black's half of a game on 2x2 that comes round
	basic := match.Options{Rules: game.Go{}}
	for _, test := range []struct {
		name         string
		size         board.Size
		played       match.Options // the rules of it
		black, white string
		how          match.How
		winner       match.Side
		result       sgf.Result
		reason       string
		moves        int
	}{
		{"a row", board.Size{Rows: 1, Cols: 3}, basic, "B1 pass", "pass", match.Score, match.A, "B+3", "black (a) wins by 3", 3},
		{"komi", board.Size{Rows: 1, Cols: 3}, match.Options{Rules: game.Go{}, Komi: 3.5}, "B1 pass", "pass", match.Score, match.B, "W+0.5", "white (b) wins by 0.5", 3},
		{"two passes", board.Size{Rows: 3, Cols: 3}, basic, "PASS", "pass", match.Score, match.Nobody, "0", "same score", 2},
		{"ko", board.Size{Rows: 2, Cols: 4}, basic, "A1 B2 pass C1", "C2 D1 B1 B1", match.Illegal, match.A, "B+F", "white (b): white may not play B1: it would retake the ko at once", 7},
		{"suicide", board.Size{Rows: 2, Cols: 2}, basic, "A1 B2", "pass A2", match.Illegal, match.A, "B+F", "would have no liberty", 3},
		{"suicide by Tromp and Taylor", board.Size{Rows: 1, Cols: 4}, match.Options{Rules: game.Go{Rules: weiqi.TrompTaylor}}, "A1 B1 pass", "C1 pass", match.Score, match.B, "W+4", "wins by 4", 5},
		{"a loop", board.Size{Rows: 2, Cols: 2}, basic, round, "B2 A2 B1", match.Loop, match.Nobody, "0", "after move 7 is that after move 1 again", 7},
		{"no loop, psk", board.Size{Rows: 2, Cols: 2}, match.Options{Rules: psk}, round, "B2 A2 B1", match.Illegal, match.B, "W+F", "would repeat", 6},
		{"no loop, ssk", board.Size{Rows: 2, Cols: 2}, match.Options{Rules: ssk}, round, "B2 A2 B1", match.Illegal, match.B, "W+F", "would repeat", 6},
		{"the limit", board.Size{Rows: 2, Cols: 2}, match.Options{Rules: game.Go{}, MaxMoves: 3}, round, "B2 A2 B1", match.Limit, match.Nobody, "0", "not over after 3 moves", 3},
		{"resigning", board.Size{Rows: 3, Cols: 3}, basic, "B2", "resign", match.Resignation, match.A, "B+R", "white (b) resigns", 1},
		{"nonsense", board.Size{Rows: 3, Cols: 3}, basic, "B2", "pas", match.Protocol, match.A, "B+F", `answers "pas"`, 1},
		{"no such point", board.Size{Rows: 3, Cols: 3}, basic, "B2", "D4", match.Protocol, match.A, "B+F", `answers "D4"`, 1},
		{"occupied", board.Size{Rows: 3, Cols: 3}, basic, "B2", "B2", match.Illegal, match.A, "B+F", "occupied", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := options("plays "+test.black, "plays "+test.white)
			o.Size, o.Games = test.size, 1
			o.Rules, o.Komi, o.MaxMoves = test.played.Rules, test.played.Komi, test.played.MaxMoves
			o.Records = t.TempDir()
			g := run(t, o).Games[0]
			if g.How != test.how || g.Winner != test.winner || g.Result != test.result || !strings.Contains(g.Reason, test.reason) || len(g.Moves) != test.moves {
				t.Errorf("%+v", g)
			}
			checkGoRecord(t, filepath.Join(o.Records, "game-0001.sgf"), o, g)
		})
	}
}

// checkGoRecord replays the record of a game by the rules.
func checkGoRecord(t *testing.T, name string, o match.Options, g match.Record) {
	t.Helper()
	record, err := game.OpenRecord(name)
	if err != nil {
		t.Fatal(err)
	}
	if record.Size != o.Size || record.Komi == nil || *record.Komi != o.Komi || game.Recorded(record) != o.Rules || record.Result != g.Result || record.Comment != g.Reason {
		t.Errorf("the record of %+v is %+v", g, record)
	}
	replayed, err := game.Replay(o.Rules, record)
	if err != nil {
		t.Fatal(err)
	}
	if p := replayed.Position(); p.Over() != (g.How == match.Score) || p.Over() && sgf.Score(float64(p.Score())-o.Komi) != g.Result {
		t.Errorf("the record ends in a position with the score %d, the result is %s", p.Score(), g.Result)
	}
}

// Draws count for both sides, and a match with draws is resumed.
func TestDraws(t *testing.T) {
	o := options("plays pass", "plays pass")
	o.Rules = game.Go{}
	o.Games = 3
	o.Log = filepath.Join(t.TempDir(), "match.json")
	result := run(t, o)
	if result.Draws != 3 || result.Wins != [2]int{} || result.Points() != [2]float64{1.5, 1.5} || match.Elo(result.Points()) != 0 {
		t.Errorf("%+v", result)
	}
	o.Games = 4
	if again := run(t, o); !reflect.DeepEqual(again.Games[:3], result.Games) || again.Draws != 4 {
		t.Errorf("resumed: %+v", again)
	}
}

// Random openings of Go are stones, and leave a game to play.
func TestOpeningsOfGo(t *testing.T) {
	o := options("plays pass", "plays pass")
	o.Rules = game.Go{}
	o.Size = board.Size{Rows: 3, Cols: 3}
	o.Games = 6
	o.Openings = match.Openings{Random: 7, Seed: 5}
	for _, g := range run(t, o).Games {
		if len(g.Moves) != 9 || g.Opening != 7 || g.How != match.Score {
			t.Errorf("%+v", g)
		}
		for _, m := range g.Moves[:7] {
			if m == "pass" {
				t.Errorf("an opening with a pass: %v", g.Moves)
			}
		}
	}
}
