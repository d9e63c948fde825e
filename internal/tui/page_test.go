package tui

import (
	"os"
	"strings"
	"testing"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
)

// The page shows a board after a mistake. The test draws it again with a real
// opponent.
func TestTheMistakeOfThePage(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	page, err := os.ReadFile("../../docs/play.md")
	if err != nil {
		t.Fatal(err)
	}
	mover, err := play.NewGo(t.Context(), play.GoOptions{Table: job.Cache, Size: board.Size{Rows: 3, Cols: 3}})
	if err != nil {
		t.Fatal(err)
	}
	defer mover.Close()
	analyst, err := analyse.New(analyse.Options{Store: job.Cache, Table: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}})
	if err != nil {
		t.Fatal(err)
	}
	defer analyst.Close()
	m := newTest(t, game.Go{}, "3x3", func(o *Options) { o.Opponent = GoPlayer{Mover: mover, Analyst: analyst} })
	press(t, m, "a", "1", "enter")
	squeezed := func(text string) string { // blank lines are left to the page
		var lines []string
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, " \n"); line != "" {
				lines = append(lines, line)
			}
		}
		return strings.Join(lines, "\n")
	}
	if got := squeezed(m.screen().text()); !strings.Contains(squeezed(string(page)), got) {
		t.Errorf("the page does not show\n%s", got)
	}
}
