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
	"tengen/internal/text"
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

// mostSaid is how much of what a program said is kept.
const mostSaid = 100

// Silent is the error about a program that let all patience run out, from the first
// command on or several times in a row.
type Silent struct {
	Command string // that it has not answered
	Times   int
}

func (s *Silent) Error() string {
	if s.Times == 1 {
		return "the program has not answered " + s.Command + ", its first command"
	}
	return fmt.Sprintf("the program has not answered %d times in a row, the last time %s", s.Times, s.Command)
}

// silences are how often in a row a program has let patience run out.
type silences struct{ positions, times int }

// mostSilences in a row are given up on.
const mostSilences = 3

// heard counts an answer, or the command that got none; it is an error when that is enough.
func (s *silences) heard(p Problem, unanswered string) error {
	s.positions++
	if s.times++; unanswered == "" {
		s.times = 0
	}
	if never := s.positions == 1 && unanswered == boardsize(p.Size); never || s.times == mostSilences {
		return &Silent{unanswered, s.times}
	}
	return nil
}

// Run asks a program about every position. One that fails is wrong and is started again;
// one that cannot be started or is Silent is an error.
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
	var counted silences
	for _, p := range s.Problems {
		if !program.Running() {
			if err := program.Start(); err != nil {
				return list, fmt.Errorf("the program cannot be started: %w", err)
			}
		}
		a, silent := e.ask(ctx, program, p)
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		list = append(list, a)
		if e.Progress != nil {
			e.Progress(len(list), a)
		}
		if err := counted.heard(p, silent); err != nil {
			return list, err
		}
	}
	return list, nil
}

// ask puts a position on the board of a program and asks for a move. Silent is the command
// at which patience ran out; a clock that did is an answer like others.
func (e Exam) ask(ctx context.Context, program *match.Program, p Problem) (a Answer, silent string) {
	a = Answer{Problem: p}
	if command, err := e.setUp(ctx, program, p); err != nil {
		a.Said = e.fault(program, command, err)
		if errors.Is(err, context.DeadlineExceeded) {
			silent = command
		}
		return a, silent
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
		if errors.Is(err, context.DeadlineExceeded) && e.Time == 0 {
			silent = command
		}
		return a, silent
	}
	a.Said = text.OneLine(reply.Text, mostSaid)
	move, err := parse(p.Size, reply.Text)
	a.Right = err == nil && p.Right(move)
	return a, ""
}

func boardsize(size board.Size) string {
	if size.Rows == size.Cols {
		return fmt.Sprintf("boardsize %d", size.Rows)
	}
	return fmt.Sprintf("rectangular_boardsize %d %d", size.Cols, size.Rows)
}

// setUp plays the moves that lead to a position, and names the command that failed. Many
// programs know neither komi nor clocks.
func (e Exam) setUp(ctx context.Context, program *match.Program, p Problem) (string, error) {
	commands := []string{boardsize(p.Size), "clear_board"}
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
	return text.OneLine(said, mostSaid)
}

// parse finds the move in an answer. Some programs name the colour first.
func parse(size board.Size, said string) (board.Point, error) {
	for _, word := range strings.Fields(said) {
		if _, err := board.ParseColour(word); err != nil {
			return game.ParseMove(size, word)
		}
	}
	return board.NoPoint, errors.New("there is no move")
}
