// Package tui is a board in the terminal, for a game of NoGo or Go against the
// machine by keyboard and mouse.
//
// The state and what changes it are in model.go and keys.go, the picture in view.go,
// and where things are on a screen of some size in layout.go; none of them needs a
// terminal. Run ties them to one. The opponent thinks on a goroutine of its own, so
// that the screen never waits, and does so through package engine.
package tui

import (
	"context"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"tengen/board"
	"tengen/game"
)

// Options are a game to be played.
type Options struct {
	Game     *game.Game // as it stands when the board is shown
	Human    board.Colour
	Opponent Opponent
	ASCII    bool // draw without signs beyond ASCII
	// Colourless draws without colours. Otherwise they are those that the terminal has.
	Colourless bool
}

// Run shows the board until the human leaves. It returns when the opponent has
// stopped thinking; the error is context.Canceled after an interrupt.
func Run(ctx context.Context, in, out *os.File, o Options) error {
	thinking, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(thinking, o)
	defer m.seat.wait()
	defer cancel()
	keys := &keyboard{File: in}
	options := []tea.ProgramOption{tea.WithInput(keys), tea.WithOutput(out), tea.WithFilter(measured(out)), tea.WithoutSignalHandler()}
	if o.Colourless {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, options...)
	keys.interrupt = func() { p.Send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}) }
	// Unlike one that is killed, a program that quits waits for its reader.
	defer context.AfterFunc(ctx, p.Quit)()
	_, err := p.Run()
	switch {
	case m.halted:
		return context.Canceled
	case err == nil:
		return ctx.Err()
	}
	return err
}
