package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tengen/gtp"
	"tengen/internal/text"
)

// worker plays one game at a time. Every worker has its own programs.
type worker struct {
	*referee
	players  [2]int      // numbers of the programs
	programs [2]*Program // nil before the first game
}

// start gets the programs of a game running. It keeps running programs where the
// options allow it.
func (w *worker) start(ctx context.Context, number int) error {
	players := w.options.Players(number)
	if w.programs[A] == nil || w.options.Fresh || players != w.players {
		w.close(ctx)
		for side, n := range players {
			w.programs[side] = NewProgram(w.options.Programs[n])
		}
		w.players = players
	}
	for side, p := range w.programs {
		if p.Running() {
			continue
		}
		if err := p.Start(); err != nil {
			return fmt.Errorf("program %s cannot be started: %w", w.options.Label(number, Side(side)), err)
		}
		reply, err := w.ask(ctx, number, Side(side), w.options.Clock.Patience, "name")
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded) && !w.known(players[side]):
			return fmt.Errorf("program %s has not answered name, its first command, after %v%s: does it speak the Go Text Protocol?",
				w.options.Label(number, Side(side)), w.options.Clock.Patience, instead(err))
		case err == nil && reply.Text != "":
			w.called(players[side], text.OneLine(firstLine(reply.Text), 60))
		}
	}
	return nil
}

// ask sends a command to a program of a game. Meanwhile Options.Asked knows that the
// game waits for it.
func (w *worker) ask(ctx context.Context, number int, side Side, limit time.Duration, command string) (gtp.Reply, error) {
	w.asked(number, w.options.Label(number, side), command)
	defer w.asked(number, "", "")
	reply, err := w.programs[side].Ask(ctx, limit, command)
	if refusal := (*gtp.Refusal)(nil); err == nil || errors.As(err, &refusal) {
		w.mu.Lock()
		w.answered[w.players[side]] = true
		w.mu.Unlock()
	}
	return reply, err
}

// instead is a clause with the output that came in place of an answer.
func instead(err error) string {
	if unanswered := (*gtp.Unanswered)(nil); errors.As(err, &unanswered) {
		return unanswered.Instead()
	}
	return ""
}

// asked calls Options.Asked.
func (m *referee) asked(game int, program, command string) {
	if m.options.Asked == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.options.Asked(game, program, command)
}

// known reports whether a program has ever answered.
func (m *referee) known(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.answered[n]
}

// called keeps the name that a program answered.
func (m *referee) called(n int, name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.names[n] = name
}

// close ends the programs. If the match was stopped it kills them at once, since they
// may be thinking.
func (w *worker) close(ctx context.Context) {
	for _, p := range w.programs {
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
