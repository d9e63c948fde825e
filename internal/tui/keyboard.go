package tui

import (
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// keyboard is a terminal whose Ctrl-C always works. The decoder of bubbletea keeps
// bytes that may be the beginning of a sequence. After the start of a paste it gathers
// everything until the end of the paste. A Ctrl-C in either is lost, and after a paste
// without an end so is every other key. So keyboard handles Ctrl-C before the decoder.
// It drops pastes, which the board does not use.
//
// It is a file, because bubbletea sets the modes of a file only and can stop reading
// only from a file. On Windows bubbletea reads the console directly.
type keyboard struct {
	*os.File
	interrupt func() // ends the program

	ended     bool
	sequence  sequence
	param     int // the first one, of a control sequence
	pasting   bool
	lastInput time.Time // when something came last
}

// sequence is the state of parsing a control sequence.
type sequence uint8

const (
	outside       sequence = iota
	escaped                // after ESC
	firstParam             // in the first parameter
	furtherParams          // in those after it
)

const (
	ctrlC      = 0x03
	escape     = 0x1b
	csi        = 0x9b // ESC [ in one byte
	pasteStart = 200
	// A terminal never pauses for this long within a paste.
	pasteRest = time.Second
)

// Read passes on input that is not part of a paste. It passes on nothing with or after
// Ctrl-C: a program that has ended takes no events, and the reader would wait for it.
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if k.ended = k.ended || slices.Contains(p[:n], ctrlC); k.ended {
		k.interrupt()
		return 0, err
	}
	return k.pass(p[:n], time.Now()), err
}

// pass keeps the bytes to pass on at the front of p, and counts them.
func (k *keyboard) pass(p []byte, now time.Time) int {
	if now.Sub(k.lastInput) > pasteRest {
		k.pasting = false
	}
	k.lastInput = now
	n := 0
	for _, b := range p {
		switch {
		case b == escape || b == csi:
			k.pasting = false // terminals remove both from pasted text
		case k.pasting:
			continue
		}
		if k.startsPaste(b) {
			k.pasting = true
			b = 'z' // a sequence that the decoder ignores
		}
		p[n] = b
		n++
	}
	return n
}

// startsPaste follows control sequences. It reports whether b ends the sequence that
// starts a paste, CSI 200 ~.
func (k *keyboard) startsPaste(b byte) bool {
	was := k.sequence
	switch {
	case b == escape:
		k.sequence = escaped
	case b == csi, was == escaped && b == '[':
		k.sequence, k.param = firstParam, 0
	case was == firstParam && '0' <= b && b <= '9':
		k.param = 10*k.param + int(b-'0')
	case was >= firstParam && (b == ';' || b == ':'):
		k.sequence = furtherParams
	case was >= firstParam && '0' <= b && b <= '?':
	default:
		k.sequence = outside
		return was >= firstParam && b == '~' && k.param == pasteStart
	}
	return false
}

// measured is a filter of messages that asks the window itself for its size. A reported
// size may be anything, and the renderer allocates every cell of it.
func measured(out *os.File) func(tea.Model, tea.Msg) tea.Msg {
	return func(_ tea.Model, message tea.Msg) tea.Msg {
		if _, ok := message.(tea.WindowSizeMsg); ok {
			if width, height, err := term.GetSize(int(out.Fd())); err == nil {
				return tea.WindowSizeMsg{Width: width, Height: height}
			}
		}
		return message
	}
}
