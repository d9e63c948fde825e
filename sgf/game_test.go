package sgf_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/nogo"
	"tengen/sgf"
)

func readGame(t *testing.T, text string) *sgf.Game {
	t.Helper()
	g, err := sgf.ReadGame(parse(t, text)[0])
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return g
}

func TestReadGame(t *testing.T) {
	g := readGame(t, `(;GM[1]FF[4]RU[NoGo]SZ[5:3]PB[Ann\:e]PW[Bob]KM[0,5]GN[g]EV[cup]RO[2]DT[2024-02-29]RE[W+R]C[Hello.
Again.]AB[aa:ba]AW[ec]PL[B];B[cb]C[centre](;W[dc])(;W[ab]))`)
	at := g.Size.At
	want := &sgf.Game{
		Size: board.Size{Rows: 3, Cols: 5}, Rules: "NoGo", Komi: new(0.5), Black: "Ann:e", White: "Bob", Name: "g",
		Event: "cup", Round: "2", Date: "2024-02-29", Result: "W+R", Comment: "Hello.\nAgain.",
		Setup: board.Stones{board.SetOf(at(2, 0), at(2, 1)), board.SetOf(at(0, 4))},
		Moves: []sgf.Move{{Colour: board.Black, Point: at(1, 2), Comment: "centre"}, {Colour: board.White, Point: at(0, 3)}},
	}
	if !reflect.DeepEqual(g, want) {
		t.Errorf("the game is\n%+v\nwant\n%+v", g, want)
	}
}

// TestMissingProperties reads records that say nothing of game, size or turn.
func TestMissingProperties(t *testing.T) {
	g := readGame(t, "(;)")
	if g.Size != (board.Size{Rows: 19, Cols: 19}) || g.ToPlay != board.Black || g.Komi != nil {
		t.Errorf("an empty record is %+v", g)
	}
}

func TestWhoPlaysFirst(t *testing.T) {
	for text, want := range map[string]board.Colour{
		"(;SZ[5])":                          board.Black,
		"(;SZ[5]PL[W])":                     board.White,
		"(;SZ[5]PL[white])":                 board.White,
		"(;SZ[5];W[aa])":                    board.White,
		"(;SZ[5]PL[B];W[aa])":               board.White,
		"(;SZ[5]HA[2]AB[bb][dd])":           board.White,
		"(;SZ[5]HA[2]AB[bb][dd]PL[B])":      board.Black,
		"(;SZ[5]HA[0]AB[bb])":               board.Black,
		"(;SZ[5]AB[bb]AW[cc])":              board.Black,
		"(;SZ[5];B[aa];AB[bb])":             board.White,
		"(;SZ[5];B[aa];W[bb];AE[aa];PL[W])": board.White,
	} {
		if g := readGame(t, text); g.ToPlay != want {
			t.Errorf("%s: %s plays first", text, g.ToPlay)
		}
	}
}

// TestSetupInTheGame sets stones up in the root, before the first move, and later.
func TestSetupInTheGame(t *testing.T) {
	for _, c := range []struct {
		text, setup    string
		moves, earlier int
	}{
		{"(;SZ[3]AB[aa][cc]AW[bb])", "x../.o./..x", 0, 0},
		{"(;SZ[3]AB[aa:cc];AE[bb]AW[cc])", "xxx/x.x/xxo", 0, 0},
		{"(;SZ[3]AB[aa];AW[aa];B[cc])", "o../.../...", 1, 0},
		{"(;SZ[3]AB[aa]B[cc];W[bb])", "x../.../...", 2, 0},
		{"(;SZ[3];B[aa];W[bb];AB[cc];B[ca])", "x../.o./..x", 1, 2},
		{"(;SZ[3];B[aa];W[ba];B[];W[ab];AE[ba])", ".../o../...", 0, 4}, // the corner stone was captured
		{"(;SZ[3];B[aa];PL[B];B[bb];W[];AW[cc];W[ca])", "x../.x./..o", 1, 3},
	} {
		g := readGame(t, c.text)
		if got := g.Size.Line(g.Setup); got != c.setup || len(g.Moves) != c.moves || g.Earlier != c.earlier {
			t.Errorf("%s: %s with %d moves after and %d before, want %+v", c.text, got, len(g.Moves), g.Earlier, c)
		}
	}
}

func TestReadGameRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"(;GM[2])":                            "this is a record of another game: GM[2], Go and NoGo are GM[1]",
		"(;SZ[x])":                            "SZ[x] is not a size, such as SZ[9] or SZ[9:5] for 9 columns and 5 rows",
		"(;KM[much])":                         "KM[much] is not a komi, a number such as 6.5",
		"(;KM[6\n5])":                         "KM[6 5] is not a komi, a number such as 6.5",
		"(;GM[2\n])":                          "this is a record of another game: GM[2 ], Go and NoGo are GM[1]",
		"(;KM[nan])":                          "KM[nan] is not a komi, a number such as 6.5",
		"(;SZ[5];AB[ff])":                     `node 2 of the main line: AB: the point "ff" is outside a board of 5 columns and 5 rows`,
		"(;SZ[5]AB[aa]AW[bb]AE[aa:ab])":       "node 1 of the main line: AB, AW and AE name the same point twice",
		"(;PL[x y])":                          `node 1 of the main line: PL: colour "x y" is neither b (black) nor w (white)`,
		"(;SZ[5];B[aa];W[ff])":                `move 2: the point "ff" is outside a board of 5 columns and 5 rows`,
		"(;SZ[5];B[aa][bb])":                  "move 1: a node may hold one move, this one holds 2",
		"(;SZ[5];B[aa]W[bb])":                 "move 1: a node may hold one move, this one holds 2",
		"(;SZ[5];B[aa];W[aa];AB[bb])":         "node 4 of the main line: move 2: white may not play A5: the point is occupied",
		"(;SZ[1:5];B[aa];AB[ab];B[ac];W[ba])": `move 3: the point "ba" is outside a board of 1 columns and 5 rows`,
	} {
		if _, err := sgf.ReadGame(parse(t, text)[0]); err == nil || err.Error() != want {
			t.Errorf("%s says %v, want %s", text, err, want)
		}
	}
}

func TestRecord(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	g := &sgf.Game{
		Size: size, Rules: "NoGo", Black: "tengen", White: "value [old]", Round: "7",
		Result: sgf.Win(board.Black, sgf.ByResignation), Comment: "White resigns.",
		Moves: []sgf.Move{{Point: size.At(1, 1)}, {Colour: board.White, Point: size.At(2, 3), Comment: "in the corner"}},
	}
	root, err := g.Tree()
	if err != nil {
		t.Fatal(err)
	}
	other := root.Children[0].Play(size, board.White, board.NoPoint)
	other.Annotate("or not at all")
	const want = `(;GM[1]FF[4]CA[UTF-8]AP[tengen]RU[NoGo]SZ[4:3]PB[tengen]PW[value [old\]]RO[7]
RE[B+R]C[White resigns.];B[bb]
(;W[da]C[in the corner])
(;W[]C[or not at all]))
`
	if got := write(t, sgf.Collection{root}); got != want {
		t.Errorf("written as\n%s\nwant\n%s", got, want)
	}
}

func TestTreeRefuses(t *testing.T) {
	for want, g := range map[string]*sgf.Game{
		"a 0x0 board has no points": {},
		"a game record cannot name the points of a row of 53: SGF has letters for 52 columns": {Size: board.Size{Rows: 1, Cols: 53}},
		"a game record cannot name the points of a column of 53: SGF has letters for 52 rows": {Size: board.Size{Rows: 53, Cols: 1}, Moves: []sgf.Move{{Point: 0}}},
		"the stones set up: A1 holds stones of both colours":                                  {Size: board.Size{Rows: 3, Cols: 3}, Setup: board.Stones{board.SetOf(0), board.SetOf(0)}},
		"move 1: the side to play must be black or white":                                     {Size: board.Size{Rows: 3, Cols: 3}, Moves: []sgf.Move{{Colour: board.Empty}}},
		"move 1: there is no such point on a 3x3 board":                                       {Size: board.Size{Rows: 3, Cols: 3}, Moves: []sgf.Move{{Point: 3}}},
	} {
		if _, err := g.Tree(); err == nil || err.Error() != want {
			t.Errorf("says %v, want %s", err, want)
		}
	}
}

// games draws records of random NoGo games, finished or not.
var games = rapid.Custom(func(t *rapid.T) *sgf.Game {
	size := board.Size{Rows: rapid.IntRange(1, 8).Draw(t, "rows"), Cols: rapid.IntRange(1, 8).Draw(t, "columns")}
	line := rapid.StringMatching(`[ -~é]{0,20}`)
	g := &sgf.Game{
		Size: size, Rules: "NoGo", Black: line.Draw(t, "black"), White: line.Draw(t, "white"), Date: line.Draw(t, "date"),
		Result: sgf.Result(line.Draw(t, "result")), Comment: rapid.StringMatching(`[a\]\\\n:]{0,9}`).Draw(t, "comment"),
		ToPlay: rapid.SampledFrom([]board.Colour{board.Black, board.White}).Draw(t, "to play"),
	}
	p, turn, length := nogo.NewPosition(size), g.ToPlay, rapid.IntRange(0, 20).Draw(t, "length")
	setup := rapid.IntRange(0, length).Draw(t, "setup")
	for i := range length {
		legal := slices.Collect(p.Legal(turn).Points())
		if len(legal) == 0 {
			break
		}
		q := rapid.SampledFrom(legal).Draw(t, "move")
		p, _ = p.Play(turn, q)
		turn = turn.Opponent()
		if i < setup {
			g.Setup, g.ToPlay = p.Stones, turn
			continue
		}
		g.Moves = append(g.Moves, sgf.Move{Colour: turn.Opponent(), Point: q, Comment: line.Draw(t, "remark")})
	}
	return g
})

func TestGamesAreReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := games.Draw(t, "game")
		root, err := g.Tree()
		if err != nil {
			t.Fatal(err)
		}
		read, err := sgf.Parse([]byte(write(t, sgf.Collection{root})))
		if err != nil {
			t.Fatal(err)
		}
		again, err := sgf.ReadGame(read[0])
		if err != nil || !reflect.DeepEqual(again, g) {
			t.Fatalf("%+v\nis read back as\n%+v, %v", g, again, err)
		}
	})
}

func TestResults(t *testing.T) {
	for result, want := range map[sgf.Result]string{
		sgf.Win(board.White, sgf.ByTime): "W+T white", sgf.Win(board.Black, sgf.ByForfeit): "B+F black",
		sgf.Score(3.5): "B+3.5 black", sgf.Score(-20): "W+20 white", sgf.Score(0): "0 draw",
		"b+": "b+ black", "Draw": "Draw draw", "jigo": "jigo draw", "Void": "Void ?", "?": "? ?", "": " ?", "Black": "Black ?",
	} {
		winner, known := result.Winner()
		got := string(result) + " " + strings.ReplaceAll(winner.String(), "empty", "draw")
		if !known {
			got = string(result) + " ?"
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzReadGame(f *testing.F) {
	for _, seed := range []string{
		"(;GM[1]SZ[9:5]AB[aa:cc]AE[bb]PL[W]KM[6.5];B[];W[tt];B[cd];W[dc]C[x])",
		"(;SZ[3];B[aa];W[ba];B[];W[ab];AE[ba];B[cc])", "(;SZ[2];B[aa];W[ab];B[bb];W[ba];B[aa])", "(;SZ[52:1]HA[3]AB[Za])",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		collection, err := sgf.Parse(data)
		if err != nil {
			return
		}
		for _, root := range collection {
			g, err := sgf.ReadGame(root)
			if err != nil {
				continue
			}
			tree, err := g.Tree()
			if err != nil {
				t.Fatalf("%q is read but not written: %v", data, err)
			}
			again, err := sgf.ReadGame(tree)
			if err != nil || again.Setup != g.Setup || again.ToPlay != g.ToPlay || !slices.Equal(again.Moves, g.Moves) {
				t.Fatalf("%q is another game when written: %+v, %+v, %v", data, g, again, err)
			}
		}
	})
}
