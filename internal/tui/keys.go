package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"tengen/board"
	"tengen/game"
	"tengen/internal/wholefile"
)

// steps are the keys that move the cursor, by columns and rows.
var steps = map[string][2]int{
	"left": {-1, 0}, "right": {1, 0}, "up": {0, 1}, "down": {0, -1},
	"h": {-1, 0}, "l": {1, 0}, "k": {0, 1}, "j": {0, -1},
}

// key handles a key. A letter that is not the key of a command begins a point;
// with Shift every letter does.
func (m *model) key(key tea.KeyPressMsg) tea.Cmd {
	name := key.String()
	sure := m.sure == name
	m.note, m.sure = "", ""
	switch {
	case key.Code == 'c' && key.Mod.Contains(tea.ModCtrl): // after Esc it comes with Alt
		m.halted = true
		return m.quit()
	case name == "ctrl+z":
		return tea.Suspend
	case m.help > 0:
		m.turnPage()
		return nil
	case m.types(key):
		return nil
	}
	if step, ok := steps[name]; ok {
		m.step(step)
		return nil
	}
	return m.command(name, sure)
}

// command handles the other keys. sure says that the key was pressed again to
// confirm.
func (m *model) command(name string, sure bool) tea.Cmd {
	typed := m.typed
	m.typed = ""
	if m.looksBack {
		switch name {
		case "enter", "space", "p", "tab", "u", "s":
			m.stay()
			return nil
		case "esc":
			m.looksBack = false
			return nil
		}
	}
	_, n := m.shown()
	switch name {
	case "<", ",", "pgup":
		return m.browse(n - 1)
	case ">", ".", "pgdown":
		return m.browse(n + 1)
	case "home":
		return m.browse(0)
	case "end":
		m.looksBack = false
	case "r":
		return m.list()
	case "enter", "space":
		if typed != "" {
			return m.playTyped(typed)
		}
		return m.play(m.cursor)
	case "p":
		return m.play(game.Pass)
	case "esc", "i":
		if typed == "" {
			m.hurry()
		}
	case "tab":
		return m.toggleHint()
	case "u":
		return m.undo()
	case "s":
		return m.swap()
	case "w":
		dir, recording := m.dir, m.recording()
		return func() tea.Msg {
			name, err := recording.save(wholefile.Disk{}, dir)
			return savedMsg{name, err}
		}
	case "?":
		m.help, m.listed = 1, false
	case "n", "q":
		return m.leave(name, sure)
	}
	return nil
}

// leave ends the game for a new one or quits. An unfinished game needs a second
// key to confirm.
func (m *model) leave(name string, sure bool) tea.Cmd {
	switch {
	case m.begun() && !sure:
		m.sure = name
		m.note = "The game is not over: press " + name + " again to give it up."
		return nil
	case name == "n":
		return m.again()
	}
	return m.quit()
}

// hurry makes the opponent play its best move so far.
func (m *model) hurry() {
	if m.job.kind != idle {
		m.job.hurry()
	}
}

// toggleHint shows or hides a hint.
func (m *model) toggleHint() tea.Cmd {
	switch {
	case m.hint != nil:
		m.hint = nil
	case m.job.kind == hinting:
		m.drop()
	case m.mine():
		return m.ask()
	default:
		m.note = "Hints are for your own moves."
	}
	return nil
}

// step moves the cursor within the board.
func (m *model) step(by [2]int) {
	m.typed = ""
	size := m.size()
	col, row := size.Col(m.cursor)+by[0], size.Row(m.cursor)+by[1]
	m.cursor = size.At(min(max(row, 0), size.Rows-1), min(max(col, 0), size.Cols-1))
}

// commands are the letters that begin a point only with Shift.
const commands = "hjklinpqrsuw"

// types takes a key that belongs to a point, such as the two of C3, and reports
// whether it is one.
func (m *model) types(key tea.KeyPressMsg) bool {
	if key.String() == "backspace" && m.typed != "" {
		m.retype(m.typed[:len(m.typed)-1])
		return true
	}
	if len(key.Text) != 1 {
		return false
	}
	switch c := key.Text[0]; {
	case c >= '0' && c <= '9':
		m.typeDigit(key.Text)
	case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z' && !strings.Contains(commands, key.Text):
		m.typeLetter(strings.ToUpper(key.Text))
	default:
		return false
	}
	return true
}

func (m *model) typeDigit(digit string) {
	const longest = 4
	switch {
	case m.typed == "":
		m.note = "A point is a letter and a number, such as C3. A letter that is also a command needs Shift."
	case len(m.typed) < longest:
		m.retype(m.typed + digit)
	}
}

// typeLetter starts a new point, unless the letter is repeated, as in the names of
// the last columns of a long row.
func (m *model) typeLetter(letter string) {
	longest := len(board.ColumnName(m.size().Cols - 1))
	if len(m.typed) < longest && m.typed == strings.Repeat(letter, len(m.typed)) {
		letter += m.typed
	}
	m.retype(letter)
}

// retype changes the typed text, and moves the cursor there if it is a point.
func (m *model) retype(text string) {
	m.typed = text
	if p, err := m.size().ParsePoint(text); err == nil {
		m.cursor = p
	}
}

func (m *model) playTyped(text string) tea.Cmd {
	p, err := m.size().ParsePoint(text)
	if err != nil {
		m.note = sentence(err.Error())
		return nil
	}
	return m.play(p)
}

// click plays on the point under the mouse.
func (m *model) click(mouse tea.Mouse) tea.Cmd {
	m.note, m.sure = "", ""
	if m.help > 0 {
		m.turnPage()
		return nil
	}
	p, ok := m.under(mouse)
	if !ok || mouse.Button != tea.MouseLeft {
		return nil
	}
	m.cursor = p
	if m.looksBack {
		m.stay()
		return nil
	}
	return m.play(p)
}

// hover moves the cursor under the mouse.
func (m *model) hover(mouse tea.Mouse) {
	if p, ok := m.under(mouse); ok && m.help == 0 {
		m.cursor, m.typed = p, ""
	}
}

// under is the point at the place of the mouse.
func (m *model) under(mouse tea.Mouse) (board.Point, bool) {
	l, ok := m.layout()
	if !ok {
		return board.NoPoint, false
	}
	return l.point(mouse.X, mouse.Y)
}
