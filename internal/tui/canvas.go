package tui

import (
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
)

// ink is how a cell of the screen is written.
type ink uint8

const (
	plain ink = iota
	strong
	faint
	alarm
	grid // from here on, inks of the board
	label
	blackStone
	whiteStone
	lastMove
	cursor
	good
	bad
	guess
	favoured
)

// style is how a terminal with colours shows an ink; one without them ignores all but
// the bold face.
func (i ink) style() lipgloss.Style {
	style := lipgloss.NewStyle()
	if i >= grid {
		style = style.Background(lipgloss.Color("#D9AE61"))
	}
	if colour := [...]string{
		alarm:      "#E05A47",
		grid:       "#87642B",
		label:      "#4A3510",
		blackStone: "#000000",
		whiteStone: "#FFFFFF",
		lastMove:   "#9C2F12",
		cursor:     "#0B3C8C",
		good:       "#0B5D1E",
		bad:        "#A3140C",
		guess:      "#5C4A24",
		favoured:   "#0B3C8C",
	}[i]; colour != "" {
		style = style.Foreground(lipgloss.Color(colour))
	}
	return style.Bold(i == strong || i == alarm || i == lastMove || i == cursor || i == good || i == favoured).Faint(i == faint)
}

// canvas is a screen of cells. All characters that are used are one cell wide.
type canvas struct {
	width, height int
	runes         []rune
	inks          []ink
}

func newCanvas(width, height int) *canvas {
	c := &canvas{width, height, make([]rune, width*height), make([]ink, width*height)}
	for i := range c.runes {
		c.runes[i] = ' '
	}
	return c
}

// write puts text; what is beyond the screen is left out.
func (c *canvas) write(x, y int, text string, with ink) {
	for _, r := range text {
		if unicode.IsControl(r) {
			r = ' '
		}
		if x >= 0 && x < c.width && y >= 0 && y < c.height {
			c.runes[y*c.width+x], c.inks[y*c.width+x] = r, with
		}
		x++
	}
}

// sign is a text in its ink.
type sign struct {
	text string
	with ink
}

func (c *canvas) sign(x, y int, s sign) { c.write(x, y, s.text, s.with) }

// centre puts text in the middle of a line.
func (c *canvas) centre(y int, text string, with ink) {
	c.write(max((c.width-len([]rune(text)))/2, 0), y, text, with)
}

// styled is the screen with colours.
func (c *canvas) styled() string {
	return c.lines(func(with ink, run string) string {
		if with == plain {
			return run
		}
		return with.style().Render(run)
	})
}

// lines joins runs of one ink; spaces in no ink at the ends of lines are left out.
func (c *canvas) lines(render func(with ink, run string) string) string {
	lines := make([]string, c.height)
	for y := range lines {
		runes, inks := c.runes[y*c.width:(y+1)*c.width], c.inks[y*c.width:(y+1)*c.width]
		end := len(runes)
		for end > 0 && runes[end-1] == ' ' && inks[end-1] <= faint {
			end--
		}
		var line strings.Builder
		for from := 0; from < end; {
			to := from + 1
			for to < end && inks[to] == inks[from] {
				to++
			}
			line.WriteString(render(inks[from], string(runes[from:to])))
			from = to
		}
		lines[y] = line.String()
	}
	return strings.Join(lines, "\n")
}
