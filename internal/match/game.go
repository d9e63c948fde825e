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
	Opening int        `json:"opening"` // so many of the moves were set
	Moves   []string   `json:"moves"`
	Winner  Side       `json:"winner"` // or Nobody
	How     How        `json:"how"`
	Result  sgf.Result `json:"result"`  // as game records have it
	Reason  string     `json:"reason"`  // a sentence
	Seconds [2]float64 `json:"seconds"` // of all moves of a side
	Slowest [2]float64 `json:"slowest"` // of the move that took longest
}

// How says in a word how a game ended.
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

// ByRules reports whether the game was played to its end, or resigned, rather than
// forfeited.
func (h How) ByRules() bool {
	switch h {
	case Time, Illegal, Crash, Protocol:
		return false
	}
	return true
}

// ending is how a game went. It is an error only within this package.
type ending struct {
	winner Side
	how    How
	lead   float64 // of Black, by score
	reason string
}

func (e *ending) Error() string { return e.reason }

// loss ends a game by the fault or the will of a side.
func loss(side Side, how How, reason string) *ending {
	return &ending{winner: side.other(), how: how, reason: reason}
}

// table is a game under way.
type table struct {
	*desk
	game  Record
	board *game.Game
	spent [2]time.Duration // by side
	most  [2]time.Duration // on one move
}

// play plays one game. Its error is of ctx or of a match that cannot go on.
func (d *desk) play(ctx context.Context, number int) (Record, error) {
	opening, err := d.opening(number)
	if err != nil {
		return Record{}, err
	}
	t := &table{
		desk:  d,
		game:  Record{Number: number, Black: Side((number - 1) % 2), Opening: len(opening), Moves: []string{}},
		board: d.options.begin(),
	}
	if err := d.sit(ctx, number); err != nil {
		return Record{}, err
	}
	var end *ending
	if err := t.run(ctx, opening); !errors.As(err, &end) {
		return Record{}, err
	}
	if end.how == Time || end.how == Crash || end.how == Protocol {
		d.programs[end.winner.other()].Kill()
	}
	t.conclude(end)
	return t.game, nil
}

// conclude notes how the game went.
func (t *table) conclude(end *ending) {
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

// run returns only with an error: how the game went, or what ends the match.
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

func (t *table) toPlay() board.Colour { return t.board.Position().ToPlay }

// side is the program to play.
func (t *table) side() Side {
	if t.toPlay() == board.Black {
		return t.game.Black
	}
	return t.game.Black.other()
}

// setUp readies a program for a game. Only a refused board or game ends the match: many
// programs know neither komi nor clocks.
func (t *table) setUp(ctx context.Context, side Side) error {
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

// chooseGame tells our own programs what is played unless it is NoGo, which they begin
// with. Others play one game, or have been told by their command.
func (t *table) chooseGame(ctx context.Context, side Side) error {
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

// playsOn reports whether a program is to be told not to resign, and knows how. Games
// of points have an end that both sides come to.
func (t *table) playsOn(ctx context.Context, side Side) (bool, error) {
	if t.options.LetResign || t.options.Rules.Scored() {
		return false, nil
	}
	return t.knows(ctx, side, "tengen-play-on")
}

// knows asks a program whether it has a command. A list is asked for, since there are
// programs that take the argument of a command they do not have for a command itself,
// and answer once too often: the answer left over was taken for that to the next question.
func (t *table) knows(ctx context.Context, side Side, command string) (bool, error) {
	var refusal *gtp.Refusal
	known, err := t.ask(ctx, side, t.options.Clock.Patience, "list_commands")
	if errors.As(err, &refusal) {
		return false, nil
	}
	return err == nil && slices.Contains(strings.Fields(known), command), err
}

// settings tells a program its time: a period for each stone, or main time alone.
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

// left tells a program what it has left: whole seconds, which is all that many programs
// read, unless the time for the game is no number of whole seconds either.
func (c Clock) left(spent time.Duration) string {
	unit := time.Second
	if c.PerGame%unit != 0 {
		unit = time.Millisecond
	}
	return seconds(max(c.PerGame-spent, 0).Truncate(unit))
}

// tell makes a program play a move that the rules allow. One that refuses has lost; some
// refuse with a sign of success.
func (t *table) tell(ctx context.Context, side Side, p board.Point) error {
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

// move makes a move that the rules allow, and ends the game if they do.
func (t *table) move(p board.Point) error {
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

// moved passes on that a game has come on.
func (m *referee) moved(game, move int) {
	if m.options.Moved == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.options.Moved(game, move)
}

// ended is the end of a game by the rules.
func (t *table) ended(o game.Outcome) *ending {
	end := &ending{winner: Nobody, how: How(o.How), lead: o.Lead, reason: o.Why}
	switch o.Winner {
	case board.Black:
		end.winner = t.game.Black
	case board.White:
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

// genmove asks for a move that the rules allow, within the time.
func (t *table) genmove(ctx context.Context, side Side) (board.Point, error) {
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
func (t *table) parse(side Side, said string) (board.Point, error) {
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

// mostReason is how long a reason may be, whatever the program said.
const mostReason = 300

func (t *table) who(side Side) string {
	c := board.Black
	if side != t.game.Black {
		c = board.White
	}
	return fmt.Sprintf("%s (%s)", c, t.options.Label(t.game.Number, side))
}

func (t *table) command(ctx context.Context, side Side, command string) error {
	_, err := t.ask(ctx, side, t.options.Clock.Patience, command)
	return err
}

// ask turns what can go wrong with a program into the loss of the game. Time counts for
// moves alone.
func (t *table) ask(ctx context.Context, side Side, limit time.Duration, command string) (string, error) {
	start := time.Now()
	reply, err := t.programs[side].Ask(ctx, limit, command)
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
		return "", loss(side, Time, fmt.Sprintf("%s has not moved after %v", t.who(side), limit.Round(time.Millisecond)))
	case errors.Is(err, context.DeadlineExceeded):
		return "", loss(side, Time, fmt.Sprintf("%s has not answered %s after %v", t.who(side), command, limit.Round(time.Millisecond)))
	case errors.Is(err, gtp.ErrClosed):
		return "", loss(side, Crash, fmt.Sprintf("%s ended at %s: %s", t.who(side), command, t.programs[side].LastWords("it closed its output")))
	case errors.Is(err, gtp.ErrInputClosed):
		return "", loss(side, Crash, fmt.Sprintf("%s ended at %s: %s", t.who(side), command, t.programs[side].LastWords("it closed its input")))
	}
	return "", loss(side, Protocol, fmt.Sprintf("%s: %v", t.who(side), err))
}

// outOfTime reports that a side has no time left for the game.
func (t *table) outOfTime(side Side) bool {
	return t.options.Clock.PerGame > 0 && t.spent[side] >= t.options.Clock.PerGame
}
