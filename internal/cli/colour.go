package cli

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/xo/terminfo"
	"golang.org/x/term"
)

// hue is what a colour says of a result.
type hue uint8

// The hues: for the side that is to play, or of what was to be checked.
const (
	plain hue = iota
	good
	bad
	even // a draw
)

// paint colours a text on a terminal that shows colours, and leaves it alone elsewhere.
func (a *app) paint(h hue, text string) string {
	if !a.colours || h == plain {
		return text
	}
	// Of the eight colours of every terminal, in their usual shades for light and dark
	// backgrounds.
	return "\x1b[" + [...]string{good: "1;32", bad: "31", even: "33"}[h] + "m" + text + "\x1b[0m"
}

// verdict colours what a sentence says after its colon.
func (a *app) verdict(h hue, sentence string) string {
	about, result, ok := strings.Cut(sentence, ": ")
	if !ok {
		return sentence
	}
	return about + ": " + a.paint(h, result)
}

// hueOf is that of a result for the side that is to play: a lead, or 1 and -1.
func hueOf(lead int) hue {
	switch {
	case lead > 0:
		return good
	case lead < 0:
		return bad
	}
	return even
}

// showsColours reports whether what is written is seen on a terminal with colours.
func showsColours(w io.Writer) bool {
	file, ok := terminalOf(w)
	return ok && !colourless() && colorprofile.Detect(file, os.Environ()) >= colorprofile.ANSI
}

// terminalOf is the terminal that is written to, if it is one.
func terminalOf(w io.Writer) (*os.File, bool) {
	if answer, wrapped := w.(*answerWriter); wrapped {
		w = answer.Writer
	}
	file, ok := w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

// colourless reports that colours are not wanted (NO_COLOR with any value, as
// https://no-color.org has it) or that the terminal is one without them, such as vt100.
func colourless() bool {
	if os.Getenv("NO_COLOR") != "" {
		return true
	}
	if dumb() {
		return true
	}
	name := os.Getenv("TERM")
	info, err := terminfo.Load(name)
	if err != nil { // the terminals of old that still give others their names
		return strings.HasPrefix(name, "vt")
	}
	return info.Num(terminfo.MaxColors) < 8
}
