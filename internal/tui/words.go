package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/text"
)

func (m *model) title() string {
	long := fmt.Sprintf("%s %s: you are %s, %s is %s", m.game.Rules(), m.size(), title(m.human), m.caller.opponent, title(m.human.Opponent()))
	if len(long) <= m.width {
		return long
	}
	return fmt.Sprintf("%s %s", m.game.Rules(), m.size())
}

// status is the status line.
func (m *model) status() string {
	if m.looksBack {
		return m.pastStatus()
	}
	if end, over := m.game.End(); over {
		return m.verdict(end)
	}
	switch {
	case m.job.kind == moving:
		return fmt.Sprintf("%s is thinking: %s", title(m.game.Position().ToPlay), m.progress())
	case m.job.kind == hinting:
		return "Looking for a hint: " + m.progress()
	case m.job.kind == reviewing:
		return "Looking back: " + m.progress()
	case m.typed != "":
		return fmt.Sprintf("Play %s?", m.typed)
	case !m.mine():
		return fmt.Sprintf("%s is to play", title(m.game.Position().ToPlay))
	}
	long := fmt.Sprintf("Your turn: %s, move %d at %s", title(m.human), len(m.game.Moves())+1, m.size().Name(m.cursor))
	if len(long) <= m.width {
		return long
	}
	return fmt.Sprintf("Your turn at %s", m.size().Name(m.cursor))
}

func (m *model) verdict(end game.Outcome) string {
	by := ""
	if end.Lead != 0 {
		by = fmt.Sprintf(" by %g", math.Abs(end.Lead))
	}
	switch end.Winner {
	case m.human.Wins():
		return "You win" + by + ": " + end.Why
	case m.human.Opponent().Wins():
		return "You lose" + by + ": " + end.Why
	}
	return "A draw: " + end.Why
}

// deed describes a move of a side, as the end of a clause.
func (m *model) deed(move board.Point) string {
	if move == game.Pass {
		return " passes"
	}
	return " plays " + m.size().Name(move)
}

// progress is the time that a job has taken.
func (m *model) progress() string {
	taken := seconds(m.job.now.Sub(m.job.began))
	if m.job.playouts > 0 {
		taken += fmt.Sprintf(", %s playouts", text.Thousands(m.job.playouts))
	}
	return taken
}

// words is the text below the status.
func (m *model) words() string {
	_, over := m.game.End()
	switch {
	case m.note != "":
		return m.note
	case m.looksBack:
		return m.pastWords()
	case m.hint != nil:
		return m.hint.Says
	case over && m.review != nil:
		return m.lookedBack()
	case over && m.job.kind == reviewing:
		return strings.TrimSpace(m.says + " Looking back: " + m.progress())
	case m.mistake != "":
		return strings.TrimSpace(m.mistake + " " + m.says)
	case m.mine() && m.game.Legal(m.human).IsEmpty():
		return strings.TrimSpace(m.says + " There is no point that you may play: p passes.")
	case m.says != "":
		return m.says
	case len(m.game.Moves()) == 0:
		return "Move with the arrows or the mouse; Enter or a click plays."
	}
	return ""
}

// keys is the longest list of keys that fits the width of the screen.
func (m *model) keys() string {
	special := "i hurry"
	if m.game.Rules().Passes() {
		special = "p pass" // moves from a table are made at once
	}
	_, over := m.game.End()
	variants := []string{
		"enter play  tab hint  u undo  " + special + "  < > browse  r review  n new  s swap  w save  ? help  q quit",
		"enter play  tab hint  u undo  " + special + "  < > browse  r review  ? help  q quit",
		"enter play  tab hint  u undo  ? help  q quit",
	}
	switch {
	case m.looksBack:
		variants = []string{"< > back and forth  home, end  r review  w save  ? help  q quit", "< > back and forth  end  q quit"}
	case over:
		variants = []string{"< > browse  r review  u undo  n new  s swap  w save  ? help  q quit", "< > browse  r review  n new  q quit"}
	}
	for _, keys := range variants {
		if len(keys) <= m.width {
			return keys
		}
	}
	return "? help  q quit"
}

// helpLine is what a key or a sign means.
type helpLine struct {
	signs []sign
	text  string
}

// signRoom is the width of the keys and signs in the help.
const signRoom = 15

func (m *model) helpLines() []helpLine {
	if m.listed && m.review != nil {
		return m.reviewLines()
	}
	keys := func(keys, text string) helpLine { return helpLine{[]sign{{keys, strong}}, text} }
	lines := []helpLine{
		keys("arrows, hjkl", "move the cursor; so does the mouse"),
		keys("enter, space", "play there; so does a click"),
		keys("c3 enter", "play at C3; H I J K L N P Q R S U W need Shift"),
		keys("tab", "show or hide the worth of every move"),
		keys("u", "take back your last move"),
		keys("< > home end", "go back and forth in the game"),
		keys("r", "list the mistakes of the game so far"),
		keys("i, esc", "let the other side play its best move so far"),
		keys("n", "new game from the same position"),
		keys("s", "swap sides"),
		keys("w", "save the game as SGF"),
		keys("q", "quit; Ctrl-C quits at once"),
	}
	if m.game.Rules().Passes() {
		lines = append(lines, keys("p", "pass"))
	}
	lines = append(lines, helpLine{},
		helpLine{[]sign{m.stone(board.Black), m.stone(board.White)}, "stones, the last one in round brackets"},
		helpLine{[]sign{m.only(board.Black), m.only(board.White)}, "points open to Black alone, to White alone"},
		helpLine{[]sign{{m.either("×", "-"), label}}, "a point where neither may play"},
	)
	return append(lines, m.hintLines()...)
}

// helpPage is the part of the help that fits on the screen: all of it on a
// screen of 80 by 24, and on a smaller one a page, with its number at the
// end.
func (m *model) helpPage() []helpLine {
	pages := m.helpPages()
	n := min(m.help, len(pages)) // the screen may have grown
	page := pages[n-1]
	if len(pages) > 1 {
		page = append(page, helpLine{text: fmt.Sprintf("%d of %d", n, len(pages))})
	}
	return page
}

func (m *model) helpPages() (pages [][]helpLine) {
	var lines []helpLine
	for _, line := range m.helpLines() {
		for i, part := range wrap(line.text, m.width-signRoom, math.MaxInt) {
			if i > 0 {
				line.signs = nil
			}
			lines = append(lines, helpLine{line.signs, part})
		}
	}
	if len(lines) <= m.height {
		return [][]helpLine{lines}
	}
	return slices.Collect(slices.Chunk(lines, max(m.height-1, 1)))
}

// turnPage shows the next page of the help, or the board again.
func (m *model) turnPage() {
	if m.help++; m.help > len(m.helpPages()) {
		m.help, m.listed = 0, false
	}
}

// hintLines explain the hints of the game.
func (m *model) hintLines() []helpLine {
	grades := []sign{{m.grade(Good), good}, {m.grade(Bad), bad}}
	if m.game.Rules().Scored() {
		return []helpLine{
			{[]sign{{"+1", good}, {"-16", bad}}, "hints: with this move you win by 1, lose by 16, exactly"},
			{grades, "the same on a small drawing: a best move, a mistake"},
		}
	}
	return []helpLine{
		{grades, "hints: moves that are proven to win, to lose"},
		{[]sign{{"54", guess}}, "a guess: percent of playouts won"},
		{[]sign{{"5", guess}}, "the same on a small drawing: tens of percent"},
	}
}

func (m *model) notYourTurn() string {
	return fmt.Sprintf("It is the turn of %s: i makes it play the best move so far.", title(m.human.Opponent()))
}

// title is a colour at the beginning of a sentence.
func title(c board.Colour) string { return [...]string{"Black", "White", "Nobody"}[c] }

// sentence makes a message of an error.
func sentence(problem string) string { return text.Capital(problem) + "." }

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// wrap breaks a text into at most most lines; the rest is left out.
func wrap(text string, width, most int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		switch longer := strings.TrimSpace(line + " " + word); {
		case len([]rune(longer)) <= width || line == "":
			line = longer
		default:
			lines, line = append(lines, line), word
		}
	}
	lines = append(lines, line)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:max(most, 0)]
	if most > 0 {
		last := []rune(lines[most-1])
		lines[most-1] = string(last[:min(len(last), max(width-len(" ..."), 0))]) + " ..."
	}
	return lines
}
