package cli

import (
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/xo/terminfo"
	"golang.org/x/term"
)

// hue is the meaning of a colour in the output.
type hue uint8

// The hues, seen by the side to play, or of a check.
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
	// Only the eight colours that every terminal has, readable on light and dark.
	return "\x1b[" + [...]string{good: "1;32", bad: "31", even: "33"}[h] + "m" + text + "\x1b[0m"
}

// verdict colours the part of a sentence after its colon.
func (a *app) verdict(h hue, sentence string) string {
	about, result, ok := strings.Cut(sentence, ": ")
	if !ok {
		return sentence
	}
	return about + ": " + a.paint(h, result)
}

// hueOf is the hue of a result for the side to play: a lead, or 1 and -1.
func hueOf(lead int) hue {
	switch {
	case lead > 0:
		return good
	case lead < 0:
		return bad
	}
	return even
}

// showsColours reports whether the output is a terminal with colours.
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

// colourless reports that NO_COLOR is set (https://no-color.org) or that the terminal has
// no colours, such as vt100.
func colourless() bool {
	if os.Getenv("NO_COLOR") != "" || dumb() {
		return true
	}
	name := os.Getenv("TERM")
	info, err := terminfo.Load(name)
	if err != nil { // old terminals whose names are still in use
		return strings.HasPrefix(name, "vt")
	}
	return info.Num(terminfo.MaxColors) < 8
}
