package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"tengen/board"
	"tengen/engine/play"
	"tengen/game"
	"tengen/gtp"
)

func (s *Session) registerThinking() {
	s.handle("genmove", 1, 1, "COLOR", s.genmove)
	s.handle("reg_genmove", 1, 1, "COLOR", s.regGenmove)
	s.handle("time_settings", 3, 3, "MAIN PERIOD STONES", s.timeSettings)
	s.handle("time_left", 3, 3, "COLOR TIME STONES", s.timeLeft)
	s.handle("tengen-play-on", 0, 0, "", s.playOn)
}

// playOn is the command of a referee that wants games to be played to the end.
func (s *Session) playOn(context.Context, gtp.Command) (string, error) {
	s.options.PlayOn = true
	return "", nil
}

// genmove plays a move. It resigns a game that is proven lost.
func (s *Session) genmove(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := parseColour(c.Args[0])
	if err == nil {
		err = s.inTurn(colour)
	}
	if err != nil {
		return "", err
	}
	start := time.Now()
	thought, err := s.expert.think(ctx, s.game, colour, s.budget(colour))
	s.clock.spend(colour, time.Since(start))
	if err != nil && !errors.Is(err, play.ErrNoMove) {
		return "", err
	}
	return s.decide(colour, thought, err == nil)
}

// decide plays the player's choice, if there is one.
func (s *Session) decide(colour board.Colour, t thought, found bool) (string, error) {
	if !found {
		if s.game.Rules().Passes() {
			return s.surrender(), s.game.PlayAs(colour, game.Pass)
		}
		return s.surrender(), nil
	}
	if t.Known == game.Lost && !s.options.PlayOn {
		return "resign", nil
	}
	if err := s.game.PlayAs(colour, t.Move); err != nil {
		return "", fmt.Errorf("the player chose a move that is not legal: %w", err)
	}
	if t.note != "" {
		s.notes[len(s.game.Moves())] = t.note
	}
	s.thinkAhead()
	return game.MoveName(s.size(), t.Move), nil
}

// thinkAhead lets the player ponder until the next command.
func (s *Session) thinkAhead() {
	if _, over := s.over(); over || !s.options.Ponder {
		return
	}
	var ctx context.Context
	ctx, s.ponder = context.WithCancel(context.Background())
	s.expert.ponder(ctx, s.game)
}

// surrender is the answer if there is no move to play.
func (s *Session) surrender() string {
	if s.game.Rules().Passes() {
		return game.MoveName(s.size(), game.Pass)
	}
	return "resign"
}

// regGenmove names a move without playing it. It resigns only if there is no
// move.
func (s *Session) regGenmove(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := parseColour(c.Args[0])
	if err != nil {
		return "", err
	}
	thought, err := s.expert.think(ctx, s.game, colour, s.budget(colour))
	if errors.Is(err, play.ErrNoMove) {
		return s.surrender(), nil
	}
	if err != nil {
		return "", err
	}
	return game.MoveName(s.size(), thought.Move), nil
}

// budget is the session's budget for every move, or that of the clock if there
// is one.
func (s *Session) budget(c board.Colour) play.Budget {
	budget := s.options.Budget
	if s.clock.limited() {
		budget.Time = s.clock.budget(c, s.game.Legal(c).Len())
	}
	return budget
}

func (s *Session) timeSettings(_ context.Context, c gtp.Command) (string, error) {
	mainTime, err := parseSeconds(c.Args[0])
	if err != nil {
		return "", err
	}
	period, err := parseSeconds(c.Args[1])
	if err != nil {
		return "", err
	}
	stones, err := parseStones(c.Args[2])
	if err != nil {
		return "", err
	}
	s.clock.set(mainTime, period, stones)
	return "", nil
}

func (s *Session) timeLeft(_ context.Context, c gtp.Command) (string, error) {
	colour, err := parseColour(c.Args[0])
	if err != nil {
		return "", err
	}
	left, err := parseSeconds(c.Args[1])
	if err != nil {
		return "", err
	}
	stones, err := parseStones(c.Args[2])
	if err != nil {
		return "", err
	}
	s.clock.left[colour] = remaining{left, stones}
	return "", nil
}

// maxSeconds is longer than anybody waits and shorter than the longest Duration.
const maxSeconds = 1e8

// parseSeconds also accepts fractions, which the protocol does not have but
// programs send.
func parseSeconds(text string) (time.Duration, error) {
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(seconds) || seconds < 0 || seconds > maxSeconds {
		return 0, syntax(fmt.Errorf("time %q is not a number of seconds", text))
	}
	return time.Duration(seconds * float64(time.Second)), nil
}

func parseStones(text string) (int, error) {
	stones, err := parseInt(text, "stones")
	if err == nil && stones < 0 {
		return 0, syntax(fmt.Errorf("stones %q is below zero", text))
	}
	return stones, err
}
