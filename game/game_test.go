package game_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
	"tengen/weiqi"
)

// every lists the rules that the tests go through.
var every = []game.Rules{
	game.NoGo{},
	game.Go{},
	game.Go{Rules: weiqi.Rules{Ko: weiqi.Positional}},
	game.Go{Rules: weiqi.Rules{Ko: weiqi.Situational}},
	game.Go{Rules: weiqi.TrompTaylor},
}

var (
	anyRules  = rapid.SampledFrom(every)
	anyColour = rapid.SampledFrom([]board.Colour{board.Black, board.White})
	// Small boards, where captures, bans and repetitions are frequent, and some that
	// do not fit one machine word.
	anySize = rapid.Custom(func(t *rapid.T) board.Size {
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			return board.Size{Rows: 8, Cols: 8}
		}
		return board.Size{Rows: rapid.IntRange(1, 3).Draw(t, "rows"), Cols: rapid.IntRange(1, 4).Draw(t, "columns")}
	})
)

// oracle plays the same game with packages nogo and weiqi.
type oracle struct {
	nogo    nogo.Position
	turn    board.Colour
	history *weiqi.History // nil in NoGo
}

func newOracle(r game.Rules, start game.Position) *oracle {
	if g, ok := r.(game.Go); ok {
		return &oracle{history: weiqi.NewHistory(g.Rules, start)}
	}
	return &oracle{nogo: nogo.Position{Size: start.Size, Stones: start.Stones}, turn: start.ToPlay}
}

func (o *oracle) legal() board.Set {
	if o.history != nil {
		return o.history.Legal()
	}
	return o.nogo.Legal(o.turn)
}

func (o *oracle) play(q board.Point) error {
	if o.history != nil {
		return o.history.Push(q)
	}
	next, err := o.nogo.Play(o.turn, q)
	if err == nil {
		o.nogo, o.turn = next, o.turn.Opponent()
	}
	return err
}

func (o *oracle) position() game.Position {
	if o.history != nil {
		return o.history.Position()
	}
	return game.Start(o.nogo.Size, o.nogo.Stones, o.turn)
}

// Random games agree with packages nogo and weiqi: in the legal moves, the positions,
// the errors about illegal moves, and the end of the game.
func TestGamesByTheRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := anyRules.Draw(t, "rules")
		start := game.NewPosition(anySize.Draw(t, "size"))
		start.ToPlay = anyColour.Draw(t, "to play")
		if rules.Passes() {
			start.Passes = uint8(rapid.IntRange(0, 1).Draw(t, "passes"))
		}
		g, want := game.New(rules, start), newOracle(rules, start)
		for range rapid.IntRange(0, 60).Draw(t, "length") {
			if !want.position().Over() && g.Legal(g.Position().ToPlay) != want.legal() {
				t.Fatalf("%s: legal are %v, want %v\n%s", rules, g.Legal(g.Position().ToPlay), want.legal(), show(g))
			}
			move := drawMove(t, g)
			if move == game.Pass && !rules.Passes() {
				if g.Play(move) == nil {
					t.Fatal("a pass in a game without")
				}
				continue
			}
			check, err, refused := g.Check(move), g.Play(move), want.play(move)
			if fmt.Sprint(err) != fmt.Sprint(refused) || fmt.Sprint(check) != fmt.Sprint(err) || g.Position() != want.position() {
				t.Fatalf("%s at %s: %v and %v, want %v\n%s", rules, game.MoveName(start.Size, move), check, err, refused, show(g))
			}
			checkEnd(t, g, want)
		}
	})
}

// drawMove draws a legal move, mostly.
func drawMove(t *rapid.T, g *game.Game) board.Point {
	legal := slices.Collect(g.Legal(g.Position().ToPlay).Points())
	switch n := rapid.IntRange(0, 11).Draw(t, "kind"); {
	case n == 0:
		return game.Pass
	case n == 1 || len(legal) == 0:
		return rapid.SampledFrom(g.Position().Size.All()).Draw(t, "any point")
	}
	return rapid.SampledFrom(legal).Draw(t, "move")
}

// checkEnd finds the end of a game by its definition and compares.
func checkEnd(t *rapid.T, g *game.Game, want *oracle) {
	now := want.position()
	positions := g.Positions()
	how := game.How("")
	switch {
	case want.history != nil && now.Over():
		how = game.Score
	case want.history == nil && want.legal().IsEmpty():
		how = game.NoMove
	case slices.Contains(positions[:len(positions)-1], now):
		how = game.Loop
	}
	end, over := g.End()
	if over != (how != "") || end.How != how {
		t.Fatalf("the end is %q, want %q\n%s", end.How, how, show(g))
	}
	if how == game.Score && end.Lead != float64(now.Score()) || how == game.NoMove && !end.Winner.Is(now.ToPlay.Opponent()) {
		t.Fatalf("the game has come to %v\n%s", end, show(g))
	}
	if superko := g.Rules().Superko() != weiqi.Basic; superko && how == game.Loop {
		t.Fatalf("a loop under superko\n%s", show(g))
	}
}

func show(g *game.Game) string {
	text := ""
	for _, p := range g.Positions() {
		text += fmt.Sprintf("%v, %s to play, ko %s, passes %d\n", p, p.ToPlay, p.Size.Name(p.Ko), p.Passes)
	}
	return text
}

// No game has a position without a board, or one in which nobody is to play.
func TestNoPosition(t *testing.T) {
	nobody := game.NewPosition(board.Size{Rows: 3, Cols: 3})
	nobody.ToPlay = board.Empty
	for _, rules := range game.All() {
		for _, p := range []game.Position{{}, nobody} {
			if rules.Validate(p) == nil {
				t.Errorf("%s accepts %+v", rules, p)
			}
		}
		if err := game.New(rules, game.NewPosition(nobody.Size)).PlayAs(board.Empty, 0); err == nil {
			t.Errorf("%s: nobody has played", rules)
		}
	}
}

// Moves of either colour in any order and moves taken back lead to the right
// positions, and slices returned earlier do not change.
func TestTakingBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := anyRules.Draw(t, "rules")
		g := game.New(rules, game.NewPosition(anySize.Draw(t, "size")))
		var handed, copies [][]game.Position
		for range rapid.IntRange(0, 40).Draw(t, "length") {
			handed, copies = append(handed, g.Positions()), append(copies, slices.Clone(g.Positions()))
			before, moves := g.Positions(), g.Moves()
			c := anyColour.Draw(t, "colour")
			switch rapid.IntRange(0, 4).Draw(t, "deed") {
			case 0:
				if g.Undo() != (len(moves) > 0) || len(g.Moves()) != max(len(moves)-1, 0) {
					t.Fatalf("after undo %d of %d moves", len(g.Moves()), len(moves))
				}
			case 1:
				if g.UndoTo(c) && g.Position().ToPlay != c {
					t.Fatalf("%s is to play", g.Position().ToPlay)
				}
			default:
				move := drawMove(t, g)
				legal := move == game.Pass && rules.Passes() || move != game.Pass && g.Legal(c).Has(move)
				if err := g.PlayAs(c, move); (err == nil) != legal {
					t.Fatalf("%s %s: %v, legal %v\n%s", c, game.MoveName(before[0].Size, move), err, legal, show(g))
				} else if err == nil && (g.Moves()[len(moves)] != game.Move{Colour: c, Point: move} || g.Position().ToPlay != c.Opponent()) {
					t.Fatalf("the last move is %v", g.Moves()[len(moves)])
				}
			}
			if n := len(g.Moves()); !slices.Equal(g.Positions()[:min(n+1, len(before))], before[:min(n+1, len(before))]) {
				t.Fatal("earlier positions have changed")
			}
		}
		for i := range handed {
			if !slices.Equal(handed[i], copies[i]) {
				t.Fatal("positions have changed that were handed out")
			}
		}
	})
}

// GTP lets either colour move. A change of turn lifts a ban and is no pass, and a game
// that was over goes on.
func TestMovesOutOfTurn(t *testing.T) {
	size := board.Size{Rows: 3, Cols: 4}
	g := game.New(game.Go{}, position(t, game.Go{}, ".xo./xo../....", board.White))
	play := func(c board.Colour, name string) {
		t.Helper()
		move, err := game.ParseMove(size, name)
		if err == nil {
			err = g.PlayAs(c, move)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	play(board.White, "A3")
	banned := size.At(2, 1)
	if g.Position().Ko != banned || g.Legal(board.Black).Has(banned) || !g.Legal(board.White).Has(banned) || g.Check(banned) == nil {
		t.Fatalf("the ban is at %s", size.Name(g.Position().Ko))
	}
	play(board.Black, "pass")
	if p := g.At(board.Black); p.Passes != 0 || g.Position().Passes != 1 {
		t.Errorf("passes: %d, for the other side %d", g.Position().Passes, p.Passes)
	}
	play(board.White, "pass")
	if end, over := g.End(); !over || end.How != game.Score || g.Play(banned) == nil {
		t.Fatalf("after two passes: %v, %v", end, over)
	}
	play(board.Black, "pass")
	if _, over := g.End(); !over {
		t.Error("a third pass has resumed the game")
	}
	play(board.White, "D1")
	if _, over := g.End(); over || g.Position().Passes != 0 {
		t.Error("a stone has not resumed the game")
	}
}

func position(t testing.TB, r game.Rules, diagram string, toPlay board.Colour) game.Position {
	t.Helper()
	p, err := game.ParsePosition(r, diagram)
	if err != nil {
		t.Fatal(err)
	}
	p.ToPlay = toPlay
	return p
}

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		rules         game.Rules
		start, moves  string
		komi          float64
		most          int
		words, result string
	}{
		{game.NoGo{}, "...", "B1", 0, 0, "White has no legal move: black wins", "B+R"},
		{game.NoGo{}, "...", "B1", 6.5, 0, "White has no legal move: black wins", "B+R"},
		{game.Go{}, "...", "B1 pass pass", 0, 0, "both sides have passed: black wins by 3", "B+3"},
		{game.Go{}, "...", "B1 pass pass", 3.5, 0, "both sides have passed: white wins by 0.5", "W+0.5"},
		{game.Go{}, "...", "pass pass", 0, 0, "both sides have passed: a draw", "0"},
		{game.Go{}, "../..", "A1 pass A2 pass", 0, 4, "the game was not over after 4 moves: a draw", "0"},
		{game.Go{}, "../..", "A1 pass A2", 0, 4, "", ""},
	} {
		p := position(t, c.rules, c.start, board.Black)
		g := game.New(c.rules, p)
		g.Komi, g.MaxMoves = c.komi, c.most
		moves, err := game.ParseMoves(p.Size, c.moves)
		if err == nil {
			err = g.PlayAll(moves)
		}
		if err != nil {
			t.Fatalf("%s on %s: %v", c.moves, c.start, err)
		}
		end, over := g.End()
		if over != (c.words != "") || over && (end.String() != c.words || string(end.Result()) != c.result) {
			t.Errorf("%s on %s: %v, %s, want %s, %s", c.moves, c.start, end, end.Result(), c.words, c.result)
		}
		if record := g.Record(); string(record.Result) != c.result {
			t.Errorf("%s on %s is recorded as %s", c.moves, c.start, record.Result)
		}
	}
}

// On a board of four points the sides can capture each other for ever. Under basic ko
// the game is a draw when a position repeats. Superko forbids the move that repeats
// it.
func TestLoops(t *testing.T) {
	size := board.Size{Rows: 2, Cols: 2}
	moves, err := game.ParseMoves(size, "A1 B2 B1 A2 A1 B1 A1")
	if err != nil {
		t.Fatal(err)
	}
	g := game.New(game.Go{}, game.NewPosition(size))
	if err := g.PlayAll(moves); err != nil {
		t.Fatal(err)
	}
	if end, over := g.End(); !over || end.String() != "the position after move 7 is that after move 1 again: a draw" {
		t.Errorf("%v\n%s", end, show(g))
	}
	for _, rules := range every[2:4] {
		if err := game.New(rules, game.NewPosition(size)).PlayAll(moves); err == nil || !strings.HasSuffix(err.Error(), "the board would repeat an earlier one") {
			t.Errorf("%s: %v", rules, err)
		}
	}
}

func TestNamesOfMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Custom(func(t *rapid.T) board.Size {
			if rapid.Bool().Draw(t, "row") {
				return board.Size{Rows: 1, Cols: rapid.IntRange(1, board.MaxLine).Draw(t, "columns")}
			}
			return board.Size{Rows: rapid.IntRange(1, board.MaxSide).Draw(t, "rows"), Cols: rapid.IntRange(1, board.MaxSide).Draw(t, "columns")}
		}).Draw(t, "size")
		moves := rapid.SliceOf(rapid.SampledFrom(append(size.All(), game.Pass))).Draw(t, "moves")
		text := ""
		for _, name := range game.MoveNames(size, moves) {
			text += name + rapid.SampledFrom([]string{" ", ",", ", ", "\n"}).Draw(t, "separator")
		}
		if got, err := game.ParseMoves(size, text); err != nil || !slices.Equal(got, moves) {
			t.Fatalf("%q is %v, %v, want %v", text, got, err, moves)
		}
	})
	size := board.Size{Rows: 3, Cols: 3}
	if _, err := game.ParseMoves(size, "B2, PASS D4"); err == nil || err.Error() != `move 3: point "D4" is not on a 3x3 board: columns are A to C, rows 1 to 3` {
		t.Error(err)
	}
}

func TestNamesOfGames(t *testing.T) {
	for _, r := range game.All() {
		if got, err := game.ParseRules(r.Name()); err != nil || got != r {
			t.Errorf("%s is %v, %v", r.Name(), got, err)
		}
	}
	if r, err := game.ParseRules("No-Go"); err != nil || r != (game.NoGo{}) {
		t.Errorf("No-Go is %v, %v", r, err)
	}
	if _, err := game.ParseRules("chess"); err == nil || err.Error() != `there is no game "chess" here: choose nogo or go` {
		t.Error(err)
	}
	if got := fmt.Sprint(every); got != "[NoGo Go Go (psk) Go (ssk) Go (tromp-taylor)]" {
		t.Error(got)
	}
	if _, err := game.ParsePosition(game.NoGo{}, "xo"); err == nil {
		t.Error("blocks without a liberty are taken")
	}
}

// Moves that were read and written out are read as the same moves again.
func FuzzParseMoves(f *testing.F) {
	for _, text := range []string{"", "B2 pass C3", "a1,PASS,\tc1\n", "pass pass pass", "I1", "A0", "A99999999999999999999", "passA1", "é1"} {
		f.Add(text)
	}
	size := board.Size{Rows: 3, Cols: 4}
	f.Fuzz(func(t *testing.T, text string) {
		moves, err := game.ParseMoves(size, text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "move ") {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again, err := game.ParseMoves(size, strings.Join(game.MoveNames(size, moves), " "))
		if err != nil || !slices.Equal(again, moves) {
			t.Fatalf("%q is %v, and that reads as %v: %v", text, moves, again, err)
		}
	})
}

// A line is cut unless it ends the game or repeats a position.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		rules       game.Rules
		board, line string
		cut         bool
	}{
		{game.NoGo{}, "..", "A1", false},
		{game.NoGo{}, "...", "A1", true},
		{game.NoGo{}, "...", "", true},
		{game.Go{}, "..", "pass pass", false},
		{game.Go{}, "..", "A1 pass", true},
	} {
		p, err := game.ParsePosition(c.rules, c.board)
		if err != nil {
			t.Fatal(err)
		}
		line, err := game.ParseMoves(p.Size, c.line)
		if err != nil {
			t.Fatal(err)
		}
		if got := game.Cut(c.rules, p, line); got != c.cut {
			t.Errorf("%s on %s is cut: %t", c.line, c.board, got)
		}
		want := c.line
		if c.cut && len(line) > 0 {
			want += " …"
		}
		if got := strings.Join(game.LineNames(c.rules, p, line), " "); got != want {
			t.Errorf("%q is written as %q", c.line, got)
		}
	}
}
