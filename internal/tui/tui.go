// Package tui is a board in the terminal, for a game of NoGo or Go against the
// machine by keyboard and mouse.
//
// The state and its changes are in model.go and keys.go, the picture in view.go,
// and the places on a screen in layout.go. None of them needs a terminal. Run
// connects them to one. The opponent thinks on its own goroutine, through package
// engine, so that the screen never waits.
package tui

import (
	"context"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"tengen/board"
	"tengen/game"
)

// Options describe a game to play.
type Options struct {
	Game     *game.Game // as it stands when the board is shown
	Human    board.Colour
	Opponent Opponent
	ASCII    bool // draw without signs beyond ASCII
	// Colourless draws without colours. Otherwise the colours are those of the
	// terminal.
	Colourless bool
}

// Run shows the board until the human quits. It returns when the opponent has
// stopped thinking. The error is context.Canceled after an interrupt.
func Run(ctx context.Context, in, out *os.File, o Options) error {
	thinking, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(thinking, o)
	defer m.caller.wait()
	defer cancel()
	keys := &keyboard{File: in}
	options := []tea.ProgramOption{tea.WithInput(keys), tea.WithOutput(out), tea.WithFilter(measured(out)), tea.WithoutSignalHandler()}
	if o.Colourless {
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, options...)
	keys.interrupt = func() { p.Send(tea.KeyPressMsg{Code: 'c', Mod: tea.ModCtrl}) }
	// Quit waits for the reader of the program, unlike Kill.
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
