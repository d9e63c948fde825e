package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/text"
	"tengen/nogo"
)

// memory is a number of bytes written as 8GiB, 512MiB, 2G or 1000000.
type memory int64

// leastBare is the least number of bytes without a unit. Who writes 8 means another.
const leastBare = 1_000_000

var memoryUnits = []struct {
	suffix string
	bytes  float64
}{
	{"kib", 1 << 10},
	{"mib", 1 << 20},
	{"gib", 1 << 30},
	{"tib", 1 << 40},
	{"kb", 1e3},
	{"mb", 1e6},
	{"gb", 1e9},
	{"tb", 1e12},
	{"k", 1 << 10},
	{"m", 1 << 20},
	{"g", 1 << 30},
	{"t", 1 << 40},
	{"b", 1},
}

func (m *memory) Set(text string) error {
	number, unit, bare := strings.ToLower(strings.TrimSpace(text)), 1.0, true
	for _, u := range memoryUnits {
		if rest, ok := strings.CutSuffix(number, u.suffix); ok {
			number, unit, bare = strings.TrimSpace(rest), u.bytes, false
			break
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) || n <= 0 || n*unit < 1 || n*unit >= math.MaxInt64 {
		return fmt.Errorf("%q is not an amount of memory such as 8GiB or 512MiB", text)
	}
	if bare && n < leastBare {
		return fmt.Errorf("give a unit, such as %[1]sGiB, %[1]sMiB or %[1]sKiB", number)
	}
	*m = memory(n * unit)
	return nil
}

func (m *memory) String() string {
	if *m == 0 {
		return ""
	}
	return text.Bytes(int64(*m))
}

func (*memory) Type() string { return "SIZE" }

// flagError says of a value that a flag cannot take what it should be.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	name, value := wrong.GetFlag().Name, wrong.GetValue()
	switch wrong.GetFlag().Value.Type() {
	case "int", "int64", "uint64":
		return fmt.Errorf("--%s wants a whole number, not %q", name, value)
	case "float64":
		return fmt.Errorf("--%s wants a number, not %q", name, value)
	case "duration":
		return fmt.Errorf("--%s wants a time such as 90s, 5m or 1h30m, not %q", name, value)
	case kindFile, kindDirectory:
		return emptyName("--"+name, wrong.GetFlag().Value.Type())
	case "bool":
		return fmt.Errorf("--%s wants true or false, not %q", name, value)
	}
	return fmt.Errorf("--%s %s: %w", name, value, errors.Unwrap(wrong))
}

// timeout is how long a command may take; 0 is for ever.
type timeout time.Duration

func (t *timeout) register(cmd *cobra.Command) {
	cmd.Flags().Var(t, "timeout", "stop after this time, such as 60s (default: never)")
}

func (t *timeout) Set(text string) error {
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		return errors.New("give a time such as 90s, 5m or 1h30m")
	case d < 0:
		return errors.New("that is in the past")
	}
	*t = timeout(d)
	return nil
}

func (t *timeout) String() string {
	if *t == 0 {
		return ""
	}
	return time.Duration(*t).String()
}

func (*timeout) Type() string { return "TIME" }

// limit is the context of a command that stops in time.
func (t timeout) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if t == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, time.Duration(t))
}

// colour is b or w.
type colour struct {
	board.Colour
	given bool
}

func (c *colour) Set(text string) error {
	parsed, err := board.ParseColour(text)
	c.Colour, c.given = parsed, true
	return err
}

func (c *colour) String() string {
	if !c.given {
		return ""
	}
	return c.Colour.String()
}

func (*colour) Type() string { return "b|w" }

// effort is what every command that searches may be given.
type effort struct {
	method  string
	memory  memory
	threads int
}

func (e *effort) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&e.method, "method", string(solve.Auto), "search: "+methodNames())
	flags.Var(&e.memory, "memory", "memory for tables, such as 8GiB (default: half of the machine, at most 4GiB)")
	flags.IntVar(&e.threads, "threads", 0, "threads (default: all cores)")
	fixed(cmd, "method", strings.Split(methodNames(), "|")...)
}

// check refuses what a plan would take for a default.
func (e *effort) check() error {
	if e.threads < 0 {
		return fmt.Errorf("--threads %d is not a number of threads", e.threads)
	}
	return nil
}

func methodNames() string {
	var names []string
	for _, m := range solve.Methods() {
		names = append(names, string(m))
	}
	return strings.Join(names, "|")
}

// fixed completes a flag from a fixed list.
func fixed(cmd *cobra.Command, flag string, values ...string) {
	// The only possible error is a flag that does not exist.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
}

// listed completes a flag that takes several names of a list, joined by commas.
func listed(cmd *cobra.Command, flag string, names ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		begun := typed[:strings.LastIndex(typed, ",")+1]
		var list []string
		for _, name := range names {
			list = append(list, begun+name)
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// trimmed drops spaces around names, which shells pass on if they are quoted.
func trimmed(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, strings.TrimSpace(name))
	}
	return list
}

// start is the position a command begins with.
type start struct {
	position string
	toPlay   colour
	moves    string
	record   string // a game record to take the position from, where that is registered
	at       int    // moves of it, -1 for all
	recorded []game.Move
}

// last is the last move before the position that is asked about, or board.NoPoint.
func (s *start) last(moves []board.Point) board.Point {
	switch {
	case len(moves) > 0:
		return moves[len(moves)-1]
	case len(s.recorded) > 0:
		return s.recorded[len(s.recorded)-1].Point
	}
	return board.NoPoint
}

// registerRecord adds game records as a source of positions.
func (s *start) registerRecord(cmd *cobra.Command) {
	fileFlag(cmd, &s.record, "sgf", "", "", "take the position at the end of this game record")
	recordMove(cmd, &s.at)
}

// fromRecord is the position in a record. What it says of the side to play goes before
// the default of the flag.
func (s *start) fromRecord() (nogo.Position, error) {
	if s.position != "" || s.toPlay.given {
		return nogo.Position{}, errors.New("--sgf gives the whole position: leave out --position and --to-play")
	}
	replayed, err := replayRecord(game.NoGo{}, s.record, s.at, "--move")
	if err != nil {
		return nogo.Position{}, err
	}
	now := replayed.Position()
	s.toPlay.Colour, s.recorded = now.ToPlay, replayed.Moves()
	return game.NoGoPosition(now), nil
}

func (s *start) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.position, "position", "", "position: rows from the top joined by /, such as x../.o.")
	flags.Var(&s.toPlay, "to-play", "side to play (default: b)")
	flags.StringVar(&s.moves, "moves", "", "moves to play first, alternating, such as \"B2 C3\"")
	fixed(cmd, "to-play", "b", "w")
}

// read combines the optional SIZE argument with the flags.
func (s *start) read(args []string) (nogo.Position, []board.Point, error) {
	position, err := s.board(args)
	if err != nil {
		return position, nil, err
	}
	moves, err := position.Size.ParsePoints(s.moves)
	if err != nil {
		return position, nil, fmt.Errorf("--moves: %w", err)
	}
	return position, moves, nil
}

func (s *start) board(args []string) (nogo.Position, error) {
	if s.at < -1 {
		return nogo.Position{}, fmt.Errorf("--move %d is not a number of moves: give 0 or more, or -1 for all", s.at)
	}
	var position nogo.Position
	if s.record != "" {
		recorded, err := s.fromRecord()
		if err != nil {
			return position, err
		}
		position = recorded
	} else if s.at > 0 {
		return position, fmt.Errorf("--move %d is a move of a game record: give one with --sgf", s.at)
	}
	if len(args) == 0 && s.position == "" && s.record == "" {
		return nogo.Position{}, fmt.Errorf("give a board size such as 4x5, or --position")
	}
	if s.position != "" {
		sum, err := s.sum()
		if err != nil {
			return position, err
		}
		var one bool
		if position, one = sum.Position(); !one {
			return position, fmt.Errorf("--position %q is a sum, which this command does not take: give one board", s.position)
		}
	}
	if len(args) > 0 {
		size, err := board.ParseSize(args[0])
		if err != nil {
			return position, err
		}
		if s.position != "" && size != position.Size {
			return position, fmt.Errorf("the size is %s but --position is a %s board: give one of them, or make them agree", size, position.Size)
		}
		if s.record != "" && size != position.Size {
			return position, fmt.Errorf("the size is %s but %s is a game on %s: leave the size out", size, s.record, position.Size)
		}
		if s.position == "" && s.record == "" {
			position = nogo.NewPosition(size)
		}
	}
	return position, nil
}
