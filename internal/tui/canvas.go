package tui

import (
	"cmp"
	"strings"
	"unicode"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
)

// ink is the style of a cell of the screen.
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
	inks // how many there are
)

// palette has the colours of inks in the form of lipgloss; "" is the terminal's
// own colour.
type palette struct {
	board   string // background of all inks of the board
	ink     [inks]string
	behind  [inks]string // background where it is another
	heavier [inks]bool   // in bold face
}

// rich is for terminals with 256 colours and more.
var rich = palette{
	board: "#D9AE61",
	ink: [inks]string{
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
	},
	heavier: [inks]bool{strong: true, alarm: true, lastMove: true, cursor: true, good: true, favoured: true},
}

// basic is for terminals with sixteen colours. Their shades differ from terminal
// to terminal. All of them distinguish black from white, and red and blue from
// both. So the board is white like paper, and shapes distinguish the stones. In
// bold face many terminals show black as grey and blue as a pale colour.
var basic = palette{
	board: "7",
	ink: [inks]string{
		alarm:      "1",
		grid:       "0",
		label:      "0",
		blackStone: "0",
		whiteStone: "0",
		lastMove:   "1",
		cursor:     "4",
		good:       "0",
		bad:        "1",
		guess:      "0",
		favoured:   "4",
	},
	behind:  [inks]string{good: "2"},
	heavier: [inks]bool{strong: true, alarm: true},
}

// none is for terminals without colours, which only have bold face.
var none = palette{heavier: rich.heavier}

// paletteOf is the palette for the colours of a terminal.
func paletteOf(p colorprofile.Profile) *palette {
	switch {
	case p >= colorprofile.ANSI256:
		return &rich
	case p == colorprofile.ANSI:
		return &basic
	}
	return &none
}

// style is the style of an ink.
func (p *palette) style(i ink) lipgloss.Style {
	style := lipgloss.NewStyle().Bold(p.heavier[i]).Faint(i == faint)
	if colour := p.ink[i]; colour != "" {
		style = style.Foreground(lipgloss.Color(colour))
	}
	if colour := cmp.Or(p.behind[i], p.board); i >= grid && colour != "" {
		style = style.Background(lipgloss.Color(colour))
	}
	return style
}

// canvas is a screen of cells. Every character used is one cell wide.
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

// write writes text; characters beyond the screen are left out.
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

// styled is the screen with the colours of a palette.
func (c *canvas) styled(p *palette) string {
	return c.lines(func(with ink, run string) string {
		if with == plain {
			return run
		}
		return p.style(with).Render(run)
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
