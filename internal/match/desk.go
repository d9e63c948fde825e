package match

import (
	"context"
	"fmt"
	"strings"

	"tengen/internal/text"
)

// desk is where one game at a time is played. Other desks have programs of their own.
type desk struct {
	*referee
	seated   [2]int      // numbers of the programs
	programs [2]*Program // nil before the first game
}

// sit gets the programs of a game ready: those that are there if they may be kept.
func (d *desk) sit(ctx context.Context, number int) error {
	players := d.options.Players(number)
	if d.programs[A] == nil || d.options.Fresh || players != d.seated {
		d.close(ctx)
		for side, n := range players {
			d.programs[side] = NewProgram(d.options.Programs[n])
		}
		d.seated = players
	}
	for side, p := range d.programs {
		if p.Running() {
			continue
		}
		if err := p.Start(); err != nil {
			return fmt.Errorf("program %s cannot be started: %w", d.options.Label(number, Side(side)), err)
		}
		if reply, err := p.Ask(ctx, d.options.Clock.Patience, "name"); err == nil && reply.Text != "" {
			d.called(players[side], text.OneLine(firstLine(reply.Text), 60))
		} else if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// called notes what a program calls itself.
func (m *referee) called(n int, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names[n] = name
}

// close ends the programs: at once if the match was stopped, for they may be thinking.
func (d *desk) close(ctx context.Context) {
	for _, p := range d.programs {
		switch {
		case p == nil:
		case ctx.Err() != nil:
			p.Kill()
		default:
			p.Quit()
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
