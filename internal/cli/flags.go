package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tengen/board"
	"tengen/engine/job"
	"tengen/engine/solve"
	"tengen/game"
	"tengen/internal/text"
	"tengen/nogo"
)

// memory is a number of bytes written as 8GiB, 512MiB, 2G or 1000000.
type memory int64

// leastBare is the least number of bytes without a unit: 8 hardly means 8 bytes.
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

// count is a flag for a number of things that must not be below a least one.
type count struct {
	n     *int
	least int
	of    string
}

func countFlag(cmd *cobra.Command, n *int, name string, usual, least int, of, usage string) {
	*n = usual
	cmd.Flags().Var(&count{n, least, of}, name, usage)
}

func (c *count) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err == nil && n < c.least {
		return tooFew(c.of)
	}
	*c.n = n
	return err
}

func (c *count) String() string {
	if c.n == nil {
		return "0"
	}
	return strconv.Itoa(*c.n)
}

func (*count) Type() string { return "int" }

// tooFew is the error of a count below its least. It names the things that are counted.
type tooFew string

func (of tooFew) Error() string { return "too few " + string(of) }

// flagError words the error of a value that a flag does not take.
func flagError(err error) error {
	var wrong *pflag.InvalidValueError
	if !errors.As(err, &wrong) {
		return err
	}
	name, value := wrong.GetFlag().Name, wrong.GetValue()
	if of := tooFew(""); errors.As(err, &of) {
		return fmt.Errorf("--%s %s is not a number of %s", name, value, string(of))
	}
	switch wrong.GetFlag().Value.Type() {
	case "int", "int64", "uint64":
		return fmt.Errorf("--%s needs a whole number, not %q", name, value)
	case "float64":
		return fmt.Errorf("--%s needs a number, not %q", name, value)
	case "duration":
		return fmt.Errorf("--%s needs a time such as 90s, 5m or 1h30m, not %q", name, value)
	case kindFile, kindDirectory:
		return emptyName("--"+name, wrong.GetFlag().Value.Type())
	case "bool":
		return fmt.Errorf("--%s needs true or false, not %q", name, value)
	}
	return fmt.Errorf("--%s %s: %w", name, value, errors.Unwrap(wrong))
}

// takes refuses a wrong number of arguments.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return fmt.Errorf("%s takes %s", cmd.CommandPath(), what)
		case len(args) > most:
			return fmt.Errorf("%s takes %s: remove %q", cmd.CommandPath(), what, args[most])
		}
		return nil
	}
}

// timeout is the flag that limits the time of a command; 0 is no limit.
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
		return errors.New("a time cannot be below zero")
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

// limit returns a context that ends with the timeout.
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

// limits are the flags --memory and --threads.
type limits struct {
	memory  memory
	threads int
}

// Memory by default, as the flags describe it.
const halfMachine = " (default: half of the machine, at most 4GiB)"

func (l *limits) register(cmd *cobra.Command, usage string) {
	cmd.Flags().Var(&l.memory, "memory", usage)
	threadsFlag(cmd, &l.threads)
}

func threadsFlag(cmd *cobra.Command, n *int) {
	countFlag(cmd, n, "threads", 0, 0, "threads", "threads (default: all cores)")
}

// job are the limits of a request to the engine.
func (l *limits) job() job.Limits { return job.Limits{Memory: int64(l.memory), Threads: l.threads} }

func methodNames() string { return strings.Join(names(solve.Methods()), "|") }

// names are the values of a list of names.
func names[T ~string](list []T) []string {
	plain := make([]string, len(list))
	for i, name := range list {
		plain[i] = string(name)
	}
	return plain
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

// trimmed drops spaces around names, which quotes in a shell keep.
func trimmed(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, strings.TrimSpace(name))
	}
	return list
}

// start are the flags of a position.
type start struct {
	position string
	toPlay   colour
	moves    string
	record   string // a game record to take the position from, where that is registered
	at       int    // moves of it, -1 for all
	recorded []game.Move
}

// last is the last move before the position, or board.NoPoint.
func (s *start) last(moves []board.Point) board.Point {
	switch {
	case len(moves) > 0:
		return moves[len(moves)-1]
	case len(s.recorded) > 0:
		return s.recorded[len(s.recorded)-1].Point
	}
	return board.NoPoint
}

// registerRecord adds the flags --sgf and --move, for which --at is another name.
func (s *start) registerRecord(cmd *cobra.Command) {
	fileFlag(cmd, &s.record, "sgf", "", "", "take the position at the end of this game record")
	flags := cmd.Flags()
	flags.IntVar(&s.at, "move", -1, "take the position after this number of moves of the record, -1 for all; --at is the same")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "at" {
			name = "move"
		}
		return pflag.NormalizedName(name)
	})
}

// checkMove refuses a --move that has no meaning.
func (s *start) checkMove() error {
	switch {
	case s.at < -1:
		return fmt.Errorf("--move %d is not a number of moves: give 0 or more, or -1 for all", s.at)
	case s.at >= 0 && s.record == "":
		return fmt.Errorf("--move %d is a move of a game record: give one with --sgf", s.at)
	}
	return nil
}

// fromRecord is the position in a record, with its side to play.
func (s *start) fromRecord() (nogo.Position, error) {
	if s.position != "" || s.toPlay.given {
		return nogo.Position{}, errors.New("--sgf gives the whole position: leave out --position and --to-play")
	}
	replayed, err := s.replay(game.NoGo{})
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
	s.at = -1
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
	var position nogo.Position
	err := s.checkMove()
	if err == nil && s.record != "" {
		position, err = s.fromRecord()
	}
	if err != nil {
		return position, err
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

// choice is a flag with a fixed list of values, the first of which is the default.
type choice struct {
	value string
	of    []string
}

func oneOf(values ...string) choice { return choice{values[0], values} }

func (c *choice) register(cmd *cobra.Command, name, usage string) {
	cmd.Flags().Var(c, name, usage)
	fixed(cmd, name, c.of...)
}

func (c *choice) Set(text string) error {
	if !slices.Contains(c.of, text) {
		return fmt.Errorf("choose one of %s", strings.Join(c.of, ", "))
	}
	c.value = text
	return nil
}

func (c *choice) String() string { return c.value }

func (c *choice) Type() string { return strings.Join(c.of, "|") }

// index is the place of the value in the list.
func (c *choice) index() int { return slices.Index(c.of, c.value) }
