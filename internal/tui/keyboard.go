package tui

import (
	"os"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/term"
)

// keyboard is a terminal whose Ctrl-C is always heard. The decoder of bubbletea keeps
// what may be the beginning of a sequence and gathers everything after the start of a
// paste until its end comes; a Ctrl-C in either is lost, and after a paste without an
// end every other key is as well. So Ctrl-C is heard before the decoder, and pastes, of
// which the board makes nothing, do not reach it.
//
// It is a file, since bubbletea sets the modes of a file only and can stop reading
// from one. The console of Windows is read past it.
type keyboard struct {
	*os.File
	interrupt func() // ends the program

	ended    bool
	sequence sequence
	param    int // the first one, of a control sequence
	pasting  bool
	heard    time.Time // when something came last
}

// sequence is how far into a control sequence the input is.
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
	// No terminal rests so long within a paste.
	pasteRest = time.Second
)

// Read hands on what is not part of a paste, and nothing with or after Ctrl-C: a program
// that has ended takes no events, and would be waited for.
func (k *keyboard) Read(p []byte) (int, error) {
	n, err := k.File.Read(p)
	if k.ended = k.ended || slices.Contains(p[:n], ctrlC); k.ended {
		k.interrupt()
		return 0, err
	}
	return k.pass(p[:n], time.Now()), err
}

// pass keeps in place what is handed on, and counts it.
func (k *keyboard) pass(p []byte, now time.Time) int {
	if now.Sub(k.heard) > pasteRest {
		k.pasting = false
	}
	k.heard = now
	n := 0
	for _, b := range p {
		switch {
		case b == escape || b == csi:
			k.pasting = false // terminals take both out of what is pasted
		case k.pasting:
			continue
		}
		if k.startsPaste(b) {
			k.pasting = true
			b = 'z' // a sequence that the decoder knows nothing of
		}
		p[n] = b
		n++
	}
	return n
}

// startsPaste follows control sequences, and reports whether b ends the one before a
// paste, CSI 200 ~.
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

// measured is a filter of messages that asks the window itself for its size. A size that
// comes as a report may be anything, and the renderer keeps every cell of it.
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
