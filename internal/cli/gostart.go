package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"tengen/board"
	"tengen/game"
	"tengen/weiqi"
)

// goStart is the position of Go a command begins with.
type goStart struct {
	position string
	toPlay   colour
	ko       string
	passed   bool
	game     string
	at       int
	moves    string
}

func (s *goStart) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&s.position, "position", "", "position: rows from the top joined by /, such as x../.o.")
	flags.Var(&s.toPlay, "to-play", "side to play (default: b)")
	flags.StringVar(&s.ko, "ko", "", "point where the side to play may not retake a ko, such as A1")
	flags.BoolVar(&s.passed, "passed", false, "the last move was a pass, so that another one ends the game")
	fileFlag(cmd, &s.game, "sgf", "", "", "take the position at the end of this game record")
	recordMove(cmd, &s.at)
	flags.StringVar(&s.moves, "moves", "", "moves to play first, alternating, such as \"B2 pass C3\"")
	fixed(cmd, "to-play", "b", "w")
}

// recordMove registers --move, for which --at is another name.
func recordMove(cmd *cobra.Command, at *int) {
	flags := cmd.Flags()
	flags.IntVar(at, "move", -1, "take the position after so many moves of the record, -1 for all; --at is the same")
	flags.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "at" {
			name = "move"
		}
		return pflag.NormalizedName(name)
	})
}

// read is the position the game begins with and the moves made since. A size with
// rows must be that of the position; without a position it is the empty board.
func (s *goStart) read(size board.Size, rules weiqi.Rules) (weiqi.Position, []board.Point, error) {
	begin, played, err := s.begin(size, rules)
	if err != nil {
		return begin, nil, err
	}
	if size.Rows > 0 && begin.Size != size {
		return begin, nil, fmt.Errorf("the size is %s but the position is a %s board: give one of them, or make them agree", size, begin.Size)
	}
	moves, err := game.ParseMoves(begin.Size, s.moves)
	if err != nil {
		return begin, nil, fmt.Errorf("--moves: %w", err)
	}
	return begin, append(played, moves...), nil
}

// given reports whether there is a position other than the empty board of a size.
func (s *goStart) given() bool { return s.position != "" || s.game != "" }

func (s *goStart) begin(size board.Size, rules weiqi.Rules) (weiqi.Position, []board.Point, error) {
	if s.at < -1 {
		return weiqi.Position{}, nil, fmt.Errorf("--move %d is not a number of moves: give 0 or more, or -1 for all", s.at)
	}
	if s.game != "" {
		return s.fromRecord(rules)
	}
	if s.at >= 0 {
		return weiqi.Position{}, nil, fmt.Errorf("--move %d is a move of a game record: give one with --sgf", s.at)
	}
	p := weiqi.NewPosition(size)
	if s.position != "" {
		var err error
		if p, err = weiqi.ParsePosition(s.position); err != nil {
			return p, nil, fmt.Errorf("--position: %w", err)
		}
	}
	if p.Size.Rows == 0 {
		return p, nil, fmt.Errorf("give a board size such as 3x4, --position or --sgf")
	}
	p.ToPlay = s.toPlay.Colour
	if s.passed {
		p.Passes = 1
	}
	if s.ko != "" {
		ban, err := p.Size.ParsePoint(s.ko)
		if err != nil {
			return p, nil, fmt.Errorf("--ko: %w", err)
		}
		p.Ko = ban
	}
	return p, nil, p.Validate()
}

// fromRecord replays the first game of a file.
func (s *goStart) fromRecord(rules weiqi.Rules) (weiqi.Position, []board.Point, error) {
	var none weiqi.Position
	if s.position != "" || s.toPlay.given || s.ko != "" || s.passed {
		return none, nil, fmt.Errorf("--sgf gives the whole position: leave out --position, --to-play, --ko and --passed")
	}
	replayed, err := replayRecord(game.Go{Rules: rules}, s.game, s.at, "--move")
	if err != nil {
		return none, nil, err
	}
	var moves []board.Point
	for _, m := range replayed.Moves() {
		moves = append(moves, m.Point)
	}
	return replayed.Positions()[0], moves, nil
}

// replayRecord plays the main line of a record, all of it or up to a number of moves that
// a flag gave.
func replayRecord(rules game.Rules, name string, at int, flag string) (*game.Game, error) {
	record, err := game.OpenRecord(name)
	if err != nil {
		return nil, fmt.Errorf("--sgf %s: %w", name, err)
	}
	if at >= 0 {
		n := at - record.Earlier
		if n < 0 || n > len(record.Moves) {
			return nil, fmt.Errorf("%s %d: %s has positions after %d to %d moves", flag, at, name, record.Earlier, record.Earlier+len(record.Moves))
		}
		record.Moves = record.Moves[:n]
	}
	replayed, err := game.Replay(rules, record)
	if err != nil {
		return nil, fmt.Errorf("--sgf %s: %w", name, err)
	}
	return replayed, nil
}
