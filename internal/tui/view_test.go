package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"

	"tengen/board"
	"tengen/game"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files")

// midgame is a position with points of every kind.
func midgame(t *testing.T, m *model) {
	t.Helper()
	start, err := game.ParsePosition(game.NoGo{}, "x.xo./.x.oo/xx.../..oo./o...x")
	if err != nil {
		t.Fatal(err)
	}
	start.ToPlay = board.White
	m.game = game.New(game.NoGo{}, start)
	if err := m.game.Play(start.Size.At(2, 3)); err != nil {
		t.Fatal(err)
	}
}

// TestViews compares screens with golden files.
func TestViews(t *testing.T) {
	hinted := func(t *testing.T, m *model) { press(t, m, "tab") }
	scores := func(t *testing.T, m *model) {
		m.hint = &Hint{Says: "Exact: Black wins by 9; best is B2.", Marks: map[board.Point]Mark{}}
		for i, p := range m.size().All() {
			m.hint.Marks[p] = Mark{[]Grade{Guess, Good, Bad}[i%3], []string{"54", "+9", "-16"}[i%3], []string{"5", "", ""}[i%3]}
		}
	}
	for _, c := range []struct {
		name          string
		rules         game.Rules
		size          string
		width, height int
		prepare       func(*testing.T, *model)
	}{
		{"first", game.NoGo{}, "4x4", 80, 24, nil},
		{"midgame", game.NoGo{}, "5x5", 80, 24, midgame},
		{"midgame-tight", game.NoGo{}, "5x5", 40, 10, midgame},
		{"midgame-ascii", game.NoGo{}, "5x5", 80, 24, func(t *testing.T, m *model) { midgame(t, m); m.ascii = true }},
		{"midgame-coloured", game.NoGo{}, "5x5", 80, 24, func(t *testing.T, m *model) { midgame(t, m); m.palette = &rich }},
		{"midgame-basic", game.NoGo{}, "5x5", 80, 24, func(t *testing.T, m *model) { midgame(t, m); m.palette = &basic }},
		{"hint", game.NoGo{}, "3x4", 80, 24, hinted},
		{"hint-ascii", game.NoGo{}, "3x4", 30, 9, func(t *testing.T, m *model) { hinted(t, m); m.ascii = true }},
		{"scores", game.Go{}, "3x3", 80, 24, scores},
		{"scores-tight", game.Go{}, "3x3", 80, 8, scores},
		{"nineteen", game.NoGo{}, "19x19", 80, 24, nil},
		{"nineteen-large", game.NoGo{}, "19x19", 120, 60, nil},
		{"nineteen-scrolled", game.NoGo{}, "19x19", 30, 12, nil},
		{"row", game.NoGo{}, "1x63", 80, 24, nil},
		{"row-of-thirty", game.NoGo{}, "1x30", 100, 24, nil},
		{"column", game.NoGo{}, "19x1", 80, 24, nil},
		{"help", game.Go{}, "3x3", 80, 24, func(t *testing.T, m *model) { press(t, m, "?") }},
		{"help-nogo", game.NoGo{}, "3x3", 80, 24, func(t *testing.T, m *model) { press(t, m, "?") }},
		{"help-tight", game.NoGo{}, "3x3", 40, 20, func(t *testing.T, m *model) { press(t, m, "?") }},
		{"too-small", game.NoGo{}, "4x4", 20, 5, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newTest(t, c.rules, c.size)
			if c.prepare != nil {
				c.prepare(t, m)
			}
			m.Update(tea.WindowSizeMsg{Width: c.width, Height: c.height})
			checkGolden(t, filepath.Join("testdata", c.name+".txt"), m.screen().text())
		})
	}
}

// On a screen of any size, all of the help is shown, page after page, and then the
// board.
func TestHelpIsShownWhole(t *testing.T) {
	for _, screen := range [][2]int{{120, 40}, {80, 24}, {40, 20}, {24, 8}} {
		m := newTest(t, game.NoGo{}, "3x3")
		m.Update(tea.WindowSizeMsg{Width: screen[0], Height: screen[1]})
		board := m.screen().text()
		press(t, m, "?")
		shown, pages := "", 0
		for ; m.screen().text() != board; pages++ {
			if pages > 100 {
				t.Fatalf("on a screen of %d by %d the help does not end", screen[0], screen[1])
			}
			shown += m.screen().text() + "\n"
			press(t, m, "x")
		}
		for _, line := range m.helpLines() {
			for _, word := range strings.Fields(line.text) {
				if !strings.Contains(shown, word) {
					t.Errorf("on a screen of %d by %d the help lacks %q", screen[0], screen[1], word)
				}
			}
		}
		if single := screen[0] >= 80; single != (pages == 1) {
			t.Errorf("on a screen of %d by %d the help has %d pages", screen[0], screen[1], pages)
		}
	}
}

// text is the screen without colours.
func (c *canvas) text() string {
	lines := strings.Split(c.lines(func(_ ink, run string) string { return run }), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func checkGolden(t *testing.T, path, got string) {
	t.Helper()
	if *rewrite {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is drawn (run with -rewrite if that is right):\n%s", path, got)
	}
}

// TestStyled checks that colours change nothing else.
func TestStyled(t *testing.T) {
	for _, p := range []*palette{&rich, &basic, &none} {
		testStyled(t, p)
	}
}

func testStyled(t *testing.T, p *palette) {
	m := newTest(t, game.NoGo{}, "5x5")
	m.palette = p
	midgame(t, m)
	styled := m.View().Content
	if !strings.Contains(styled, "\x1b[") {
		t.Error("the screen has no colours")
	}
	var bare strings.Builder
	for i, part := range strings.Split(styled, "\x1b[") {
		if i > 0 {
			_, part, _ = strings.Cut(part, "m")
		}
		bare.WriteString(part)
	}
	var lines []string
	for _, line := range strings.Split(bare.String(), "\n") {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	if got, want := strings.Join(lines, "\n")+"\n", m.screen().text(); got != want {
		t.Errorf("with colours:\n%s\nwithout:\n%s", got, want)
	}
}

// anyModel draws a board and a screen of any size, with the cursor and stones
// anywhere.
func anyModel(t *rapid.T) *model {
	size := board.Size{Rows: rapid.IntRange(1, board.MaxSide).Draw(t, "rows"), Cols: rapid.IntRange(1, board.MaxSide).Draw(t, "cols")}
	if rapid.IntRange(0, 4).Draw(t, "row") == 0 {
		size = board.Size{Rows: 1, Cols: rapid.IntRange(1, board.MaxLine).Draw(t, "long")}
	}
	m := &model{caller: &caller{opponent: first{game.NoGo{}}}, game: game.New(game.NoGo{}, game.NewPosition(size))}
	m.width, m.height = rapid.IntRange(0, 150).Draw(t, "width"), rapid.IntRange(0, 60).Draw(t, "height")
	m.ascii = rapid.Bool().Draw(t, "ascii")
	m.palette = rapid.SampledFrom([]*palette{&rich, &basic, &none}).Draw(t, "palette")
	m.cursor = size.All()[rapid.IntRange(0, size.Points()-1).Draw(t, "cursor")]
	m.view = window{rapid.IntRange(0, size.Cols).Draw(t, "col"), rapid.IntRange(0, size.Rows).Draw(t, "line")}
	return m
}

// TestClicksHitPoints checks that a click on any visible point is a click on that
// point, that the cursor is always visible, and that no other place of the screen is
// a point.
func TestClicksHitPoints(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		l, ok := m.layout()
		if !ok {
			if m.width >= leastWidth && m.height >= leastHeight {
				t.Fatal("the screen is large enough")
			}
			return
		}
		if _, _, seen := l.cell(m.cursor); !seen {
			t.Fatalf("the cursor at %s is not seen", l.size.Name(m.cursor))
		}
		hit := map[board.Point]bool{}
		for _, p := range l.size.All() {
			x, y, seen := l.cell(p)
			if !seen {
				continue
			}
			hit[p] = true
			if got, ok := m.under(tea.Mouse{X: x, Y: y}); !ok || got != p {
				t.Fatalf("a click on %s hits %d", l.size.Name(p), got)
			}
			if x < 0 || x >= m.width || y < 0 || y >= m.height {
				t.Fatalf("%s is drawn at %d, %d", l.size.Name(p), x, y)
			}
		}
		for y := range m.height {
			for x := range m.width {
				if p, ok := m.under(tea.Mouse{X: x, Y: y}); ok && !hit[p] {
					t.Fatalf("a click at %d, %d hits %s, which is not seen", x, y, l.size.Name(p))
				}
			}
		}
	})
}

// TestScreensFit checks that for all sizes the screen is filled and not exceeded, and
// that clicks find the points where they are drawn.
func TestScreensFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		black := m.size().All()[rapid.IntRange(0, m.size().Points()-1).Draw(t, "stone")]
		m.game = game.New(game.NoGo{}, game.Start(m.size(), board.Stones{board.SetOf(black)}, board.Black))
		c := m.screen()
		if lines := strings.Count(c.styled(m.palette), "\n") + 1; lines != max(m.height, 1) {
			t.Fatalf("%d lines on a screen of %d", lines, m.height)
		}
		l, ok := m.layout()
		if !ok {
			return
		}
		if x, y, seen := l.cell(black); seen {
			if got := string(c.runes[y*c.width+x]); got != m.stone(board.Black).text {
				t.Fatalf("at %s there is %q", l.size.Name(black), got)
			}
		}
	})
}

// TestHoverStands checks that on a scrolled board the view does not move away from
// the mouse.
func TestHoverStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		m.follow()
		before := m.view
		for range 5 {
			m.Update(tea.MouseMotionMsg{X: rapid.IntRange(0, 150).Draw(t, "x"), Y: rapid.IntRange(0, 60).Draw(t, "y")})
			if m.view != before {
				t.Fatalf("the view moves from %v to %v", before, m.view)
			}
		}
	})
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text        string
		width, most int
		want        string
	}{
		{"", 10, 2, "[]"},
		{"a few words", 20, 2, "[a few words]"},
		{"a few words", 6, 2, "[a few|words]"},
		{"a few words more", 6, 2, "[a few|wo ...]"},
		{"unbreakable", 4, 1, "[unbreakable]"},
		{"a few words", 6, 0, "[]"},
	} {
		if got := fmt.Sprintf("[%s]", strings.Join(wrap(c.text, c.width, c.most), "|")); got != c.want {
			t.Errorf("%q in %d: %s, want %s", c.text, c.width, got, c.want)
		}
	}
}
