package match

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/gtp"
	"tengen/nogo"
)

// Game is a game that is over.
type Game struct {
	Number  int        `json:"number"`
	Black   Side       `json:"black"`
	Opening int        `json:"opening"` // so many of the moves were set
	Moves   []string   `json:"moves"`
	Winner  Side       `json:"winner"`
	How     How        `json:"how"`
	Reason  string     `json:"reason"` // a sentence
	Seconds [2]float64 `json:"seconds"`
}

// How says in a word how a game was lost.
type How string

// The ways to lose.
const (
	NoMove      How = "no move"
	Resignation How = "resignation"
	Time        How = "time"
	Illegal     How = "illegal"
	Crash       How = "crash"
	Protocol    How = "protocol"
)

// loss ends a game. It is an error only within this package.
type loss struct {
	side   Side
	how    How
	reason string
}

func (l *loss) Error() string { return l.reason }

// table is a game under way.
type table struct {
	*referee
	game     Game
	position nogo.Position
	toPlay   board.Colour
	spent    [2]time.Duration // by side
}

// play plays one game. Its error is of ctx or of a match that cannot go on.
func (m *referee) play(ctx context.Context, number int) (Game, error) {
	opening, err := m.options.Openings.at(m.options.Size, (number-1)/2)
	if err != nil {
		return Game{}, err
	}
	t := &table{
		referee:  m,
		game:     Game{Number: number, Black: Side((number - 1) % 2), Opening: len(opening), Moves: []string{}},
		position: nogo.NewPosition(m.options.Size),
	}
	if err := m.ready(ctx); err != nil {
		return Game{}, err
	}
	var lost *loss
	if err := t.run(ctx, opening); !errors.As(err, &lost) {
		return Game{}, err
	}
	if lost.how == Time || lost.how == Crash || lost.how == Protocol {
		m.programs[lost.side].kill()
	}
	t.game.Winner, t.game.How, t.game.Reason = lost.side.other(), lost.how, lost.reason
	for side, spent := range t.spent {
		t.game.Seconds[side] = spent.Round(time.Millisecond).Seconds()
	}
	return t.game, nil
}

// run returns only with an error: a loss, or what ends the match.
func (t *table) run(ctx context.Context, opening []board.Point) error {
	for side := range t.programs {
		if err := t.setUp(ctx, Side(side)); err != nil {
			return err
		}
	}
	for _, p := range opening {
		for side := range t.programs {
			if err := t.tell(ctx, Side(side), p); err != nil {
				return err
			}
		}
		if err := t.move(p); err != nil {
			return err
		}
	}
	for {
		side := t.side()
		p, err := t.genmove(ctx, side)
		if err != nil {
			return err
		}
		if err := t.tell(ctx, side.other(), p); err != nil {
			return err
		}
		if err := t.move(p); err != nil {
			return err
		}
	}
}

// side is the program to play.
func (t *table) side() Side {
	if t.toPlay == board.Black {
		return t.game.Black
	}
	return t.game.Black.other()
}

// setUp readies a program for a game. Only a refused board ends the match: many
// programs know neither komi nor clocks.
func (t *table) setUp(ctx context.Context, side Side) error {
	size := fmt.Sprintf("boardsize %d", t.position.Size.Rows)
	if t.position.Size.Rows != t.position.Size.Cols {
		size = fmt.Sprintf("rectangular_boardsize %d %d", t.position.Size.Cols, t.position.Size.Rows)
	}
	var refusal *gtp.Refusal
	if err := t.command(ctx, side, size); errors.As(err, &refusal) {
		return fmt.Errorf("program %s does not play on %s: it answers %s with %q", side, t.position.Size, size, refusal.Text)
	} else if err != nil {
		return err
	}
	commands := []string{"clear_board", "komi 0"}
	if settings := t.options.Clock.settings(); settings != "" {
		commands = append(commands, settings)
	}
	for _, command := range commands {
		if err := t.command(ctx, side, command); err != nil && !errors.As(err, &refusal) {
			return err
		}
	}
	return nil
}

// settings tells a program its time: a period for each stone, or main time alone.
func (c Clock) settings() string {
	seconds := func(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }
	switch {
	case c.PerGame > 0:
		return "time_settings " + seconds(c.PerGame) + " 0 0"
	case c.PerMove > 0:
		return "time_settings 0 " + seconds(c.PerMove) + " 1"
	}
	return ""
}

// tell makes a program play a move that the rules allow. One that refuses has lost; some
// refuse with a sign of success.
func (t *table) tell(ctx context.Context, side Side, p board.Point) error {
	command := fmt.Sprintf("play %s %s", t.toPlay, t.position.Size.Name(p))
	text, err := t.ask(ctx, side, t.options.Clock.Patience, command)
	var refusal *gtp.Refusal
	if errors.As(err, &refusal) {
		text, err = "illegal "+refusal.Text, nil
	}
	if err != nil {
		return err
	}
	if strings.Contains(strings.ToLower(text), "illegal") {
		return &loss{side, Protocol, fmt.Sprintf("%s refuses the legal move %s", t.who(side), t.position.Size.Name(p))}
	}
	return nil
}

// move puts a stone on the board; the side to play then has lost if it cannot.
func (t *table) move(p board.Point) error {
	next, err := t.position.Play(p, t.toPlay)
	if err != nil {
		return &loss{t.side(), Illegal, fmt.Sprintf("%s: %v", t.who(t.side()), err)}
	}
	t.position, t.toPlay = next, t.toPlay.Opponent()
	t.game.Moves = append(t.game.Moves, next.Size.Name(p))
	if t.options.Moved != nil {
		t.options.Moved(t.game.Number, len(t.game.Moves))
	}
	if next.Legal(t.toPlay).IsEmpty() {
		return &loss{t.side(), NoMove, t.who(t.side()) + " has no legal move"}
	}
	return nil
}

// genmove asks for a move that the rules allow, within the time.
func (t *table) genmove(ctx context.Context, side Side) (board.Point, error) {
	clock := t.options.Clock
	limit := clock.Patience
	if clock.PerGame > 0 {
		limit = max(clock.PerGame-t.spent[side], 0) + clock.Grace
		left := int(max(clock.PerGame-t.spent[side], 0).Seconds())
		var refusal *gtp.Refusal
		if err := t.command(ctx, side, fmt.Sprintf("time_left %s %d 0", t.toPlay, left)); err != nil && !errors.As(err, &refusal) {
			return board.NoPoint, err
		}
	}
	if clock.PerMove > 0 && (clock.PerGame == 0 || clock.PerMove+clock.Grace < limit) {
		limit = clock.PerMove + clock.Grace
	}
	text, err := t.ask(ctx, side, limit, "genmove "+t.toPlay.String())
	var refusal *gtp.Refusal
	if errors.As(err, &refusal) {
		return board.NoPoint, &loss{side, Protocol, fmt.Sprintf("%s refuses to move: %s", t.who(side), refusal.Text)}
	}
	if err != nil {
		return board.NoPoint, err
	}
	return t.parse(side, text)
}

// parse finds the move in an answer. Some programs name the colour first.
func (t *table) parse(side Side, text string) (board.Point, error) {
	word := ""
	for _, field := range strings.Fields(firstLine(text)) {
		if _, err := board.ParseColour(field); err == nil && word == "" {
			continue
		}
		word = field
		break
	}
	switch strings.ToLower(word) {
	case "resign":
		return board.NoPoint, &loss{side, Resignation, t.who(side) + " resigns"}
	case "pass":
		return board.NoPoint, &loss{side, Illegal, t.who(side) + " passes, which NoGo does not allow"}
	}
	p, err := t.position.Size.ParsePoint(word)
	if err != nil {
		return p, &loss{side, Protocol, fmt.Sprintf("%s answers %q to genmove", t.who(side), shorten(firstLine(text)))}
	}
	if !t.position.Legal(t.toPlay).Has(p) {
		_, err := t.position.Play(p, t.toPlay)
		return p, &loss{side, Illegal, fmt.Sprintf("%s: %v", t.who(side), err)}
	}
	return p, nil
}

func shorten(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return text
}

func (t *table) who(side Side) string {
	c := board.Black
	if side != t.game.Black {
		c = board.White
	}
	return fmt.Sprintf("%s (%s)", c, side)
}

func (t *table) command(ctx context.Context, side Side, command string) error {
	_, err := t.ask(ctx, side, t.options.Clock.Patience, command)
	return err
}

// ask turns what can go wrong with a program into the loss of the game. Time counts for
// moves alone.
func (t *table) ask(ctx context.Context, side Side, limit time.Duration, command string) (string, error) {
	start := time.Now()
	reply, err := t.programs[side].ask(ctx, limit, command)
	thinking := strings.HasPrefix(command, "genmove ")
	if thinking {
		spent := reply.Took
		if err != nil {
			spent = time.Since(start)
		}
		t.spent[side] += spent
	}
	var refusal *gtp.Refusal
	switch {
	case err == nil:
		return reply.Text, nil
	case errors.As(err, &refusal):
		return "", err
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) && thinking:
		return "", &loss{side, Time, fmt.Sprintf("%s has not moved after %v", t.who(side), limit.Round(time.Millisecond))}
	case errors.Is(err, context.DeadlineExceeded):
		return "", &loss{side, Time, fmt.Sprintf("%s has not answered %s after %v", t.who(side), command, limit.Round(time.Millisecond))}
	case errors.Is(err, gtp.ErrClosed):
		return "", &loss{side, Crash, fmt.Sprintf("%s ended at %s: %s", t.who(side), command, t.programs[side].lastWords())}
	}
	return "", &loss{side, Protocol, fmt.Sprintf("%s: %v", t.who(side), err)}
}
