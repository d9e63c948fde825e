package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/game"
	"tengen/weiqi"
)

// goStart are the flags of a position of Go.
type goStart struct {
	start
	ko     string
	passed bool
}

func (s *goStart) register(cmd *cobra.Command) {
	s.start.register(cmd)
	s.registerRecord(cmd)
	flags := cmd.Flags()
	flags.Lookup("moves").Usage = "moves to play first, alternating, such as \"B2 pass C3\""
	flags.StringVar(&s.ko, "ko", "", "point where the side to play may not retake a ko, such as A1")
	flags.BoolVar(&s.passed, "passed", false, "the last move was a pass, so that another one ends the game")
}

// read returns the first position of the game and the moves made since. A size that is not
// zero must be that of the position; without a position it is that of the empty board.
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

// sizeOf reads an optional argument SIZE, the zero size if there is none.
func sizeOf(args []string) (board.Size, error) {
	if len(args) == 0 {
		return board.Size{}, nil
	}
	return board.ParseSize(args[0])
}

// given reports whether there is a position other than the empty board of a size.
func (s *goStart) given() bool { return s.position != "" || s.record != "" }

func (s *goStart) begin(size board.Size, rules weiqi.Rules) (weiqi.Position, []board.Point, error) {
	if err := s.checkMove(); err != nil {
		return weiqi.Position{}, nil, err
	}
	if s.record != "" {
		return s.fromRecord(rules)
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
	replayed, err := s.replay(game.Go{Rules: rules})
	if err != nil {
		return none, nil, err
	}
	var moves []board.Point
	for _, m := range replayed.Moves() {
		moves = append(moves, m.Point)
	}
	return replayed.Positions()[0], moves, nil
}

// replay plays the main line of the record, all of it or up to --move.
func (s *start) replay(rules game.Rules) (*game.Game, error) {
	record, err := game.OpenRecord(s.record)
	if err != nil {
		return nil, fmt.Errorf("--sgf %s: %w", s.record, err)
	}
	if s.at >= 0 {
		n := s.at - record.Earlier
		if n < 0 || n > len(record.Moves) {
			return nil, fmt.Errorf("--move %d: %s has positions after %d to %d moves", s.at, s.record, record.Earlier, record.Earlier+len(record.Moves))
		}
		record.Moves = record.Moves[:n]
	}
	replayed, err := game.Replay(rules, record)
	if err != nil {
		return nil, fmt.Errorf("--sgf %s: %w", s.record, err)
	}
	return replayed, nil
}
