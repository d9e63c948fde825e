package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/match"
	"tengen/internal/text"
)

// Exam says which program is asked, and how.
type Exam struct {
	Command []string
	Time    time.Duration // for a move; 0 for no clock
	Grace   time.Duration // extra time that is forgiven
	// Patience is the limit for answers that have no other limit.
	Patience time.Duration
	// Progress, if it is not nil, is called after every answer.
	Progress func(done int, a Answer)
}

// Answer is the answer of a program to a position.
type Answer struct {
	Problem
	Right   bool
	Skipped bool   // the program cannot be asked, so the answer is neither right nor wrong
	Said    string // its move, or what went wrong
	Seconds float64
}

// mostSaid is the number of characters of an answer that are kept.
const mostSaid = 100

// Silent is the error about a program that does not answer: not even its first command, or
// several times in a row.
type Silent struct {
	Command string // the last command without an answer
	Times   int
}

func (s *Silent) Error() string {
	if s.Times == 1 {
		return "the program has not answered " + s.Command + ", its first command"
	}
	return fmt.Sprintf("the program has not answered %d times in a row, the last time %s", s.Times, s.Command)
}

// silences counts how often in a row a program has not answered.
type silences struct{ positions, times int }

// mostSilences is the number of silences in a row after which a program is given up.
const mostSilences = 3

// count counts an answer, or a silence if unanswered names a command. It returns an error
// when the program is to be given up.
func (s *silences) count(p Problem, unanswered string) error {
	s.positions++
	if s.times++; unanswered == "" {
		s.times = 0
	}
	if never := s.positions == 1 && unanswered == boardsize(p.Size); never || s.times == mostSilences {
		return &Silent{unanswered, s.times}
	}
	return nil
}

// Square is the suite without the boards that are not square.
func (s Suite) Square() Suite {
	s.Problems = slices.DeleteFunc(slices.Clone(s.Problems), Problem.rectangular)
	return s
}

func (p Problem) rectangular() bool { return p.Size.Rows != p.Size.Cols }

// Run asks a program about every position. If the program fails, its answer is wrong and it
// is started again. It is an error if the program cannot be started or is Silent. Boards
// that are not square are skipped if the program does not know rectangular_boardsize, since
// the protocol has only square boards.
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
	var knows rectangles
	for _, p := range s.Problems {
		if !program.Running() {
			if err := program.Start(); err != nil {
				return list, fmt.Errorf("the program cannot be started: %w", err)
			}
		}
		a, silent := Answer{Problem: p, Skipped: true, Said: "does not know " + rectangular}, ""
		if !p.rectangular() || knows.ask(ctx, e, program) {
			a, silent = e.ask(ctx, program, p)
			// Some programs do not list their commands.
			a.Skipped = p.rectangular() && strings.HasPrefix(a.Said, "refuses "+rectangular) && strings.Contains(a.Said, "unknown command")
		}
		if ctx.Err() != nil {
			return list, ctx.Err()
		}
		list = append(list, a)
		if e.Progress != nil {
			e.Progress(len(list), a)
		}
		if a.Skipped {
			continue
		}
		if err := counted.count(p, silent); err != nil {
			return list, err
		}
	}
	return list, nil
}

// ask sets up a position in a program and asks for a move. silent is the command that was
// not answered within Patience. A move that exceeds the clock is an answer like others.
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

// rectangular is the command for boards that are not square.
const rectangular = "rectangular_boardsize"

// rectangles knows whether a program accepts boards that are not square.
type rectangles struct{ asked, known bool }

// ask asks the program for its commands, once. If it does not list them, the command is
// assumed to exist and the program may refuse it.
func (r *rectangles) ask(ctx context.Context, e Exam, program *match.Program) bool {
	if !r.asked {
		reply, err := program.Ask(ctx, e.Patience, "list_commands")
		if errors.Is(err, context.DeadlineExceeded) {
			return true // the next command shows whether the program is silent
		}
		r.asked, r.known = true, err != nil || slices.Contains(strings.Fields(reply.Text), rectangular)
	}
	return r.known
}

func boardsize(size board.Size) string {
	if size.Rows == size.Cols {
		return fmt.Sprintf("boardsize %d", size.Rows)
	}
	return fmt.Sprintf(rectangular+" %d %d", size.Cols, size.Rows)
}

// setUp plays the moves that lead to a position. On failure it returns the command that
// failed. Refused komi and clocks are ignored, since many programs do not know them.
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

// fault says what went wrong. It kills a program that may still be thinking.
func (e Exam) fault(program *match.Program, command string, err error) string {
	said := err.Error()
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		said = fmt.Sprintf("has not answered %s in time", command)
		program.Kill()
	case errors.Is(err, gtp.ErrClosed) || errors.Is(err, gtp.ErrInputClosed):
		said = "ended: " + program.HowEnded("it closed its output")
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
