package tui

import (
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"tengen/board"
	"tengen/game"
)

// View draws the screen.
func (m *model) View() tea.View {
	view := tea.NewView(m.screen().styled(m.palette))
	view.AltScreen = true
	view.MouseMode = tea.MouseModeAllMotion
	view.WindowTitle = fmt.Sprintf("%s %s", m.game.Rules(), m.size())
	return view
}

// screen draws everything into cells.
func (m *model) screen() *canvas {
	c := newCanvas(m.width, m.height)
	l, ok := m.layout()
	switch {
	case !ok:
		for y, line := range wrap(fmt.Sprintf("The window is too small: %d by %d are the least.", leastWidth, leastHeight), m.width, m.height) {
			c.write(0, y, line, plain)
		}
	case m.help > 0:
		m.drawHelp(c)
	default:
		m.drawBoard(c, l)
		m.drawText(c, l)
	}
	return c
}

// drawBoard draws the visible points, with their coordinates.
func (m *model) drawBoard(c *canvas, l layout) {
	m.drawWood(c, l)
	m.drawLetters(c, l, l.top-1)
	if l.roomy {
		m.drawLetters(c, l, l.top+l.boardHeight())
	}
	m.drawNumbers(c, l)
	m.drawLines(c, l)
	open := [2]board.Set{m.open(board.Black), m.open(board.White)}
	for _, p := range m.size().All() {
		if x, y, seen := l.cell(p); seen {
			m.drawPoint(c, l, x, y, p, open)
		}
	}
	m.drawBrackets(c, l)
}

func (m *model) drawWood(c *canvas, l layout) {
	bottom := l.top + l.boardHeight()
	if l.roomy {
		bottom++
	}
	wood := strings.Repeat(" ", l.boardWidth()+2)
	for y := l.top - 1; y < bottom; y++ {
		c.write(l.left-l.gutter()-1, y, wood, grid)
	}
}

// drawLetters names the columns. An arrow shows that there are more.
func (m *model) drawLetters(c *canvas, l layout, y int) {
	for i := range l.cols {
		c.write(l.left+i*l.pitch, y, board.ColumnName(l.col+i), label)
	}
	if l.col > 0 {
		c.write(l.left-l.gutter(), y, "<", cursor)
	}
	if l.col+l.cols < l.size.Cols {
		c.write(l.left-l.gutter()+l.boardWidth()-1, y, ">", cursor)
	}
}

// drawNumbers numbers the rows on both sides. An arrow on the right shows that
// there are more.
func (m *model) drawNumbers(c *canvas, l layout) {
	right := l.left - l.gutter() + l.boardWidth() - 1
	for i := range l.rows {
		y := l.top + i*l.rise
		number := strconv.Itoa(l.size.Rows - l.row - i)
		c.write(l.left-l.bracket()-len(number), y, number, label)
		switch {
		case i == 0 && l.row > 0:
			c.write(right, y, "^", cursor)
		case i == l.rows-1 && l.row+l.rows < l.size.Rows:
			c.write(right, y, "v", cursor)
		default:
			c.write(l.left+(l.cols-1)*l.pitch+l.bracket()+1, y, number, label)
		}
	}
}

// drawLines connects the points.
func (m *model) drawLines(c *canvas, l layout) {
	if m.ascii {
		return
	}
	for y := 0; y < l.boardHeight(); y++ {
		for x := 0; x <= (l.cols-1)*l.pitch; x++ {
			switch {
			case y%l.rise == 0 && x%l.pitch != 0:
				c.write(l.left+x, l.top+y, "─", grid)
			case y%l.rise != 0 && x%l.pitch == 0:
				c.write(l.left+x, l.top+y, "│", grid)
			}
		}
	}
}

// drawPoint draws a stone, a hint, or who may play.
func (m *model) drawPoint(c *canvas, l layout, x, y int, p board.Point, open [2]board.Set) {
	now, _ := m.shown()
	if colour := now.Stones.At(p); colour != board.Empty {
		c.sign(x, y, m.stone(colour))
		return
	}
	if m.hint != nil && !m.looksBack {
		if mark, ok := m.hint.Marks[p]; ok {
			m.drawMark(c, l, x, y, mark)
			return
		}
	}
	black, white := open[board.Black].Has(p), open[board.White].Has(p)
	switch {
	case black && white:
		c.write(x, y, m.crossing(p), grid)
	case black:
		c.sign(x, y, m.only(board.Black))
	case white:
		c.sign(x, y, m.only(board.White))
	default:
		c.write(x, y, m.either("×", "-"), label)
	}
}

// stone is the sign of a stone. Its colour, or else its shape, distinguishes white
// from black.
func (m *model) stone(c board.Colour) sign {
	if c == board.Black {
		return sign{m.either("●", "X"), blackStone}
	}
	return sign{m.either(m.paint("○", "●"), "O"), whiteStone}
}

// only marks a point where one side may play and the other may not.
func (m *model) only(c board.Colour) sign {
	if c == board.Black {
		return sign{m.either("•", "x"), blackStone}
	}
	return sign{m.either(m.paint("◦", "•"), "o"), whiteStone}
}

// grade is the sign of a hint.
func (m *model) grade(g Grade) string {
	return [...]string{Guess: "?", Favoured: "?", Good: m.either("✓", "+"), Bad: m.either("✗", "-")}[g]
}

// either is a sign or its ASCII substitute.
func (m *model) either(sign, ascii string) string {
	if m.ascii {
		return ascii
	}
	return sign
}

// paint is the sign for a screen without or with colours.
func (m *model) paint(plain, coloured string) string {
	if p := m.palette; p.ink[whiteStone] != p.ink[blackStone] {
		return coloured
	}
	return plain
}

// crossing is the grid at a point.
func (m *model) crossing(p board.Point) string {
	if m.ascii {
		return "."
	}
	size := m.size()
	signs := [3][3]string{{"└", "┴", "┘"}, {"├", "┼", "┤"}, {"┌", "┬", "┐"}}
	return signs[side(size.Row(p), size.Rows)][side(size.Col(p), size.Cols)]
}

// side is 0 for the first of n lines, 2 for the last and 1 between. A single line
// is both ends and counts as 1.
func side(i, n int) int {
	switch {
	case n == 1:
		return 1
	case i == 0:
		return 0
	case i == n-1:
		return 2
	}
	return 1
}

// drawMark shows a hint for a move, in three characters or in one.
func (m *model) drawMark(c *canvas, l layout, x, y int, mark Mark) {
	with := [...]ink{Guess: guess, Favoured: favoured, Good: good, Bad: bad}[mark.Grade]
	text := mark.Text
	if l.pitch < 4 {
		text = mark.Short
	}
	if text == "" {
		text = m.grade(mark.Grade)
	}
	if len([]rune(text)) == 1 {
		c.write(x, y, text, with)
		return
	}
	c.write(x-1, y, fmt.Sprintf("%3s", text), with)
}

// drawBrackets shows the last move in round brackets and the cursor in square ones.
func (m *model) drawBrackets(c *canvas, l layout) {
	around := func(p board.Point, distance int, open, shut string, with ink) {
		if x, y, seen := l.cell(p); seen {
			c.write(x-distance, y, open, with)
			c.write(x+distance, y, shut, with)
		}
	}
	if _, n := m.shown(); n > 0 && m.game.Moves()[n-1].Point != game.Pass {
		around(m.game.Moves()[n-1].Point, 1, "(", ")", lastMove)
	}
	if _, over := m.game.End(); !over && !m.looksBack {
		distance := 1
		if m.hint != nil && len(m.hint.Marks[m.cursor].Text) > 1 {
			distance = l.bracket()
		}
		around(m.cursor, distance, "[", "]", cursor)
	}
}

// drawHelp explains keys and signs.
func (m *model) drawHelp(c *canvas) {
	lines := m.helpPage()
	width := 0
	for _, line := range lines {
		width = max(width, signRoom+len([]rune(line.text)))
	}
	x, y := max((c.width-width)/2, 0), max((c.height-len(lines))/2, 0)
	for i, line := range lines {
		at := x
		if len(line.signs) > 0 && line.signs[0].with >= grid {
			room := 1
			for _, sign := range line.signs {
				room += len([]rune(sign.text)) + 1
			}
			c.write(x-1, y+i, strings.Repeat(" ", max(room, 5)), grid)
		}
		for _, sign := range line.signs {
			c.sign(at, y+i, sign)
			at += len([]rune(sign.text)) + 1
		}
		c.write(x+signRoom, y+i, line.text, plain)
	}
}

// drawText writes the title above the board and the text below it.
func (m *model) drawText(c *canvas, l layout) {
	c.centre(l.top-l.above(), m.title(), strong)
	y, lines := l.top+l.boardHeight(), 1
	if l.roomy {
		y, lines = y+2, 2
	}
	c.centre(y, m.status(), strong)
	with := plain
	if m.note != "" {
		with = alarm
	}
	for i, line := range wrap(m.words(), m.width, lines) {
		c.centre(y+1+i, line, with)
	}
	y += 1 + lines
	if l.roomy {
		y++
	}
	c.centre(y, m.keys(), faint)
}
