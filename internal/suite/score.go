package suite

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/match"
)

// Exam says how a program is asked.
type Exam struct {
	Command []string
	Time    time.Duration // for a move; 0 sets no clock
	Grace   time.Duration // forgiven over it
	// Patience is for an answer where no other limit holds.
	Patience time.Duration
	// Progress, if it is not nil, is told of every answer.
	Progress func(done int, a Answer)
}

// Answer is what a program made of a position.
type Answer struct {
	Problem
	Right   bool
	Said    string // its move, or what went wrong
	Seconds float64
}

// Run asks a program about every position. One that fails is wrong and is started again;
// one that cannot be started is an error.
func (s Suite) Run(ctx context.Context, e Exam) ([]Answer, error) {
	program := match.NewProgram(e.Command)
	defer func() {
		if ctx.Err() != nil {
			program.Kill()
		} else {
			program.Quit()
		}
	}()
	var list []Answer
	for _, p := range s.Problems {
		if !program.Running() {
			if err := program.Start(); err != nil {
				return list, fmt.Errorf("the program cannot be started: %w", err)
			}
		}
		a := e.ask(ctx, program, p)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		list = append(list, a)
		if e.Progress != nil {
			e.Progress(len(list), a)
		}
	}
	return list, nil
}

// ask puts a position on the board of a program and asks for a move.
func (e Exam) ask(ctx context.Context, program *match.Program, p Problem) Answer {
	a := Answer{Problem: p}
	if command, err := e.setUp(ctx, program, p); err != nil {
		a.Said = e.fault(program, command, err)
		return a
	}
	limit := e.Patience
	if e.Time > 0 {
		limit = e.Time + e.Grace
	}
	command := "genmove " + p.position.ToPlay.String()
	start := time.Now()
	reply, err := program.Ask(ctx, limit, command)
	a.Seconds = time.Since(start).Seconds()
	if err != nil {
		a.Said = e.fault(program, command, err)
		return a
	}
	a.Said = oneLine(reply.Text)
	move, err := parse(p.Size, reply.Text)
	a.Right = err == nil && p.Right(move)
	return a
}

// setUp plays the moves that lead to a position, and names the command that failed. Many
// programs know neither komi nor clocks.
func (e Exam) setUp(ctx context.Context, program *match.Program, p Problem) (string, error) {
	boardsize := fmt.Sprintf("boardsize %d", p.Size.Rows)
	if p.Size.Rows != p.Size.Cols {
		boardsize = fmt.Sprintf("rectangular_boardsize %d %d", p.Size.Cols, p.Size.Rows)
	}
	commands := []string{boardsize, "clear_board"}
	if e.Time > 0 {
		commands = append(commands, "time_settings 0 "+strconv.FormatFloat(e.Time.Seconds(), 'f', -1, 64)+" 1")
	}
	colour := board.Black
	for _, move := range p.Moves {
		commands = append(commands, fmt.Sprintf("play %s %s", colour, p.Size.Name(move)))
		colour = colour.Opponent()
	}
	for _, command := range commands {
		_, err := program.Ask(ctx, e.Patience, command)
		if refusal := (*gtp.Refusal)(nil); errors.As(err, &refusal) {
			if strings.HasPrefix(command, "time_settings") {
				continue
			}
			return command, fmt.Errorf("refuses %s: %s", command, refusal.Text)
		}
		if err != nil {
			return command, err
		}
	}
	return "", nil
}

// fault says what went wrong. A program that may still be thinking is ended.
func (e Exam) fault(program *match.Program, command string, err error) string {
	said := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		said = fmt.Sprintf("has not answered %s in time", command)
		program.Kill()
	case errors.Is(err, gtp.ErrClosed) || errors.Is(err, gtp.ErrInputClosed):
		said = "ended: " + program.LastWords("it closed its output")
		program.Kill()
	}
	return oneLine(said)
}

// parse finds the move in an answer. Some programs name the colour first.
func parse(size board.Size, text string) (board.Point, error) {
	for _, word := range strings.Fields(text) {
		if _, err := board.ParseColour(word); err != nil {
			return game.ParseMove(size, word)
		}
	}
	return board.NoPoint, errors.New("there is no move")
}

// oneLine keeps what a program said to a length that can be read.
func oneLine(text string) string {
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " "))
	if len(runes) > 100 {
		return string(runes[:99]) + "…"
	}
	return string(runes)
}
