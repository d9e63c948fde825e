package match

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/text"
	"tengen/sgf"
)

// Record is a game that is over.
type Record struct {
	Number  int        `json:"number"`
	Black   Side       `json:"black"`
	Opening int        `json:"opening"` // number of opening moves, which no program chose
	Moves   []string   `json:"moves"`
	Winner  Side       `json:"winner"` // Nobody for a draw
	How     How        `json:"how"`
	Result  sgf.Result `json:"result"`  // in the form of SGF
	Reason  string     `json:"reason"`  // a sentence
	Seconds [2]float64 `json:"seconds"` // for all moves of a side
	Slowest [2]float64 `json:"slowest"` // for the slowest move of a side
}

// How names the way in which a game ended.
type How string

// The ways to end.
const (
	NoMove          = How(game.NoMove)
	Score           = How(game.Score)
	Loop            = How(game.Loop)
	Limit           = How(game.Limit)
	Resignation How = "resignation"
	Time        How = "time"
	Illegal     How = "illegal"
	Crash       How = "crash"
	Protocol    How = "protocol"
)

// ByRules reports whether the game was played to its end or resigned. It is false for a
// forfeit.
func (h How) ByRules() bool {
	switch h {
	case Time, Illegal, Crash, Protocol:
		return false
	}
	return true
}

// ending is the end of a game. Within this package it is passed as an error.
type ending struct {
	winner Side
	how    How
	lead   float64 // Black's score minus White's
	reason string
}

func (e *ending) Error() string { return e.reason }

// loss ends a game that a side has lost by a fault or by resigning.
func loss(side Side, how How, reason string) *ending {
	return &ending{winner: side.other(), how: how, reason: reason}
}

// running is a game that is being played.
type running struct {
	*worker
	game  Record
	board *game.Game
	spent [2]time.Duration // by side
	most  [2]time.Duration // on one move
}

// play plays one game. It returns an error if ctx ends or the match cannot go on, together
// with the game so far.
func (w *worker) play(ctx context.Context, number int) (Record, error) {
	opening, err := w.opening(number)
	if err != nil {
		return Record{}, err
	}
	t := &running{
		worker: w,
		game:   Record{Number: number, Black: Side((number - 1) % 2), Opening: len(opening), Moves: []string{}},
		board:  w.options.begin(),
	}
	t.game.Winner = Nobody
	if err := w.start(ctx, number); err != nil {
		return t.game, err
	}
	var end *ending
	if err := t.run(ctx, opening); !errors.As(err, &end) {
		return t.game, err
	}
	if end.how == Time || end.how == Crash || end.how == Protocol {
		w.programs[end.winner.other()].Kill()
	}
	t.conclude(end)
	return t.game, nil
}

// conclude writes the end of the game into its record.
func (t *running) conclude(end *ending) {
	g := &t.game
	g.Winner, g.How, g.Reason = end.winner, end.how, text.OneLine(end.reason, mostReason)
	colour := board.Black
	if g.Winner != g.Black {
		colour = board.White
	}
	switch g.How {
	case Score, Loop, Limit:
		g.Result = sgf.Score(end.lead)
	case NoMove, Resignation:
		g.Result = sgf.Win(colour, sgf.ByResignation)
	case Time:
		g.Result = sgf.Win(colour, sgf.ByTime)
	default:
		g.Result = sgf.Win(colour, sgf.ByForfeit)
	}
	for side := range t.spent {
		g.Seconds[side] = t.spent[side].Round(time.Millisecond).Seconds()
		g.Slowest[side] = t.most[side].Round(time.Millisecond).Seconds()
	}
}

// run plays the game. Its error is never nil: it is an *ending, or the error that ends the
// match.
func (t *running) run(ctx context.Context, opening []board.Point) error {
	for side := range t.programs {
		if err := t.setUp(ctx, Side(side)); err != nil {
			return err
		}
	}
	for _, p := range opening {
		for side := range t.programs {
			if err := t.send(ctx, Side(side), p); err != nil {
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
		if err := t.send(ctx, side.other(), p); err != nil {
			return err
		}
		if err := t.move(p); err != nil {
			return err
		}
	}
}

func (t *running) toPlay() board.Colour { return t.board.Position().ToPlay }

// side is the program to play.
func (t *running) side() Side {
	if t.toPlay() == board.Black {
		return t.game.Black
	}
	return t.game.Black.other()
}

// setUp prepares a program for a game. If a program refuses the board or the game, the
// match ends. It may refuse komi and clocks, which many programs do not know.
func (t *running) setUp(ctx context.Context, side Side) error {
	size := t.options.Size
	boardsize := fmt.Sprintf("boardsize %d", size.Rows)
	if size.Rows != size.Cols {
		boardsize = fmt.Sprintf("rectangular_boardsize %d %d", size.Cols, size.Rows)
	}
	var refusal *gtp.Refusal
	if err := t.command(ctx, side, boardsize); errors.As(err, &refusal) {
		return fmt.Errorf("program %s does not play on %s: it answers %s with %.60q", t.options.Label(t.game.Number, side), size, boardsize, refusal.Text)
	} else if err != nil {
		return err
	}
	if err := t.chooseGame(ctx, side); err != nil {
		return err
	}
	commands := []string{"clear_board", fmt.Sprintf("komi %g", t.options.Komi)}
	if playOn, err := t.playsOn(ctx, side); err != nil {
		return err
	} else if playOn {
		commands = append(commands, "tengen-play-on")
	}
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

// chooseGame sets the game in programs of tengen, which begin with NoGo. Other programs
// know only one game, or their command line sets it.
func (t *running) chooseGame(ctx context.Context, side Side) error {
	rules := t.options.Rules
	if rules == (game.NoGo{}) {
		return nil
	}
	if known, err := t.knows(ctx, side, "tengen-game"); err != nil || !known {
		return err
	}
	var refusal *gtp.Refusal
	if err := t.command(ctx, side, "tengen-game "+rules.Name()); errors.As(err, &refusal) {
		return fmt.Errorf("program %s does not play %s on %s: %s", t.options.Label(t.game.Number, side), rules, t.options.Size, refusal.Text)
	} else if err != nil {
		return err
	}
	return nil
}

// playsOn reports whether a program should not resign, and has a command for that. It is
// false for scored games: both sides end them by passing.
func (t *running) playsOn(ctx context.Context, side Side) (bool, error) {
	if t.options.LetResign || t.options.Rules.Scored() {
		return false, nil
	}
	return t.knows(ctx, side, "tengen-play-on")
}

// knows asks a program whether it has a command. It asks for the list of commands and not
// with known_command. Some programs without known_command treat its argument as a second
// command and send two answers. The second would be read as the answer to the next
// command.
func (t *running) knows(ctx context.Context, side Side, command string) (bool, error) {
	var refusal *gtp.Refusal
	known, err := t.ask(ctx, side, t.options.Clock.Patience, "list_commands")
	if errors.As(err, &refusal) {
		return false, nil
	}
	return err == nil && slices.Contains(strings.Fields(known), command), err
}

// settings is the time_settings command: a period for each stone, or main time alone.
func (c Clock) settings() string {
	switch {
	case c.PerGame > 0:
		return "time_settings " + seconds(c.PerGame) + " 0 0"
	case c.PerMove > 0:
		return "time_settings 0 " + seconds(c.PerMove) + " 1"
	}
	return ""
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// left is the remaining time for time_left. It is in whole seconds, since many programs
// read nothing else, unless the time for the game is itself not a whole number of seconds.
func (c Clock) left(spent time.Duration) string {
	unit := time.Second
	if c.PerGame%unit != 0 {
		unit = time.Millisecond
	}
	return seconds(max(c.PerGame-spent, 0).Truncate(unit))
}

// send sends a legal move to a program. A program that refuses it loses the game. Some
// programs refuse in an answer that begins with the sign of success.
func (t *running) send(ctx context.Context, side Side, p board.Point) error {
	name := game.MoveName(t.options.Size, p)
	command := fmt.Sprintf("play %s %s", t.toPlay(), name)
	text, err := t.ask(ctx, side, t.options.Clock.Patience, command)
	var refusal *gtp.Refusal
	if errors.As(err, &refusal) {
		text, err = "illegal "+refusal.Text, nil
	}
	if err != nil {
		return err
	}
	if strings.Contains(strings.ToLower(text), "illegal") {
		return loss(side, Protocol, fmt.Sprintf("%s refuses the legal move %s", t.who(side), name))
	}
	return nil
}

// move makes a legal move and ends the game if the rules end it.
func (t *running) move(p board.Point) error {
	if err := t.board.Play(p); err != nil {
		return loss(t.side(), Illegal, fmt.Sprintf("%s: %v", t.who(t.side()), err))
	}
	t.game.Moves = append(t.game.Moves, game.MoveName(t.options.Size, p))
	t.moved(t.game.Number, len(t.game.Moves))
	if end, over := t.board.End(); over {
		return t.ended(end)
	}
	return nil
}

// moved calls Options.Moved.
func (m *referee) moved(game, move int) {
	if m.options.Moved == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.options.Moved(game, move)
}

// ended is the end of a game by the rules.
func (t *running) ended(o game.Outcome) *ending {
	end := &ending{winner: Nobody, how: How(o.How), lead: o.Lead, reason: o.Why}
	switch o.Winner {
	case board.Black.Wins():
		end.winner = t.game.Black
	case board.White.Wins():
		end.winner = t.game.Black.other()
	}
	switch {
	case end.how == NoMove:
		end.reason = t.who(end.winner.other()) + " has no legal move"
	case end.winner != Nobody:
		end.reason = fmt.Sprintf("%s wins by %g", t.who(end.winner), math.Abs(o.Lead))
	case end.how == Score:
		end.reason = "both sides have the same score"
	}
	return end
}

// genmove asks a program for a move and checks the rules and the time.
func (t *running) genmove(ctx context.Context, side Side) (board.Point, error) {
	clock := t.options.Clock
	limit := clock.Patience
	if clock.PerGame > 0 {
		limit = max(clock.PerGame-t.spent[side], 0) + clock.Grace
		var refusal *gtp.Refusal
		if err := t.command(ctx, side, fmt.Sprintf("time_left %s %s 0", t.toPlay(), clock.left(t.spent[side]))); err != nil && !errors.As(err, &refusal) {
			return board.NoPoint, err
		}
	}
	if clock.PerMove > 0 && (clock.PerGame == 0 || clock.PerMove+clock.Grace < limit) {
		limit = clock.PerMove + clock.Grace
	}
	text, err := t.ask(ctx, side, limit, "genmove "+t.toPlay().String())
	var refusal *gtp.Refusal
	if errors.As(err, &refusal) {
		return board.NoPoint, loss(side, Protocol, fmt.Sprintf("%s refuses to move: %s", t.who(side), refusal.Text))
	}
	if err != nil {
		return board.NoPoint, err
	}
	return t.parse(side, text)
}

// parse finds the move in an answer. Some programs name the colour first.
func (t *running) parse(side Side, said string) (board.Point, error) {
	word := ""
	for _, field := range strings.Fields(firstLine(said)) {
		if _, err := board.ParseColour(field); err == nil && word == "" {
			continue
		}
		word = field
		break
	}
	if strings.EqualFold(word, "resign") {
		return board.NoPoint, loss(side, Resignation, t.who(side)+" resigns")
	}
	p, err := game.ParseMove(t.options.Size, word)
	if err != nil {
		return p, loss(side, Protocol, fmt.Sprintf("%s answers %.60q to genmove", t.who(side), firstLine(said)))
	}
	if err := t.board.Check(p); err != nil {
		return p, loss(side, Illegal, fmt.Sprintf("%s: %v", t.who(side), err))
	}
	return p, nil
}

// mostReason is the longest reason in characters. Longer ones are cut.
const mostReason = 300

func (t *running) who(side Side) string {
	c := board.Black
	if side != t.game.Black {
		c = board.White
	}
	return fmt.Sprintf("%s (%s)", c, t.options.Label(t.game.Number, side))
}

func (t *running) command(ctx context.Context, side Side, command string) error {
	_, err := t.ask(ctx, side, t.options.Clock.Patience, command)
	return err
}

// ask sends a command. A failure of the program becomes the loss of its game. Only the
// time for moves counts.
func (t *running) ask(ctx context.Context, side Side, limit time.Duration, command string) (string, error) {
	start := time.Now()
	reply, err := t.worker.ask(ctx, t.game.Number, side, limit, command)
	thinking := strings.HasPrefix(command, "genmove ")
	if thinking {
		spent := reply.Took
		if err != nil {
			spent = time.Since(start)
		}
		t.spent[side] += spent
		t.most[side] = max(t.most[side], spent)
	}
	var refusal *gtp.Refusal
	switch {
	case err == nil:
		return reply.Text, nil
	case errors.As(err, &refusal):
		return "", err
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, context.DeadlineExceeded) && thinking && t.outOfTime(side):
		return "", loss(side, Time, fmt.Sprintf("%s has used up its %v for the game", t.who(side), t.options.Clock.PerGame))
	case errors.Is(err, context.DeadlineExceeded) && thinking:
		return "", loss(side, Time, fmt.Sprintf("%s has not moved after %v%s", t.who(side), limit.Round(time.Millisecond), instead(err)))
	case errors.Is(err, context.DeadlineExceeded):
		return "", loss(side, Time, fmt.Sprintf("%s has not answered %s after %v%s", t.who(side), command, limit.Round(time.Millisecond), instead(err)))
	case errors.Is(err, gtp.ErrClosed):
		return "", loss(side, Crash, fmt.Sprintf("%s ended at %s: %s", t.who(side), command, t.programs[side].HowEnded("it closed its output")))
	case errors.Is(err, gtp.ErrInputClosed):
		return "", loss(side, Crash, fmt.Sprintf("%s ended at %s: %s", t.who(side), command, t.programs[side].HowEnded("it closed its input")))
	}
	return "", loss(side, Protocol, fmt.Sprintf("%s: %v", t.who(side), err))
}

// outOfTime reports that a side has no time left for the game.
func (t *running) outOfTime(side Side) bool {
	return t.options.Clock.PerGame > 0 && t.spent[side] >= t.options.Clock.PerGame
}
