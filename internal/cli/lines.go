package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
)

// opponent chooses a move in the last position of a game, and returns a remark about it.
type opponent interface {
	choose(ctx context.Context, positions []game.Position) (board.Point, string, error)
}

// lineGame is a game of a human against the machine, one line of text at a time.
type lineGame struct {
	*app
	*game.Game
	opponent opponent
	analyst  *analyse.Analyst // judges the moves
	human    board.Colour
}

// lines plays a game from its present position on.
func (t *terminalGame) lines(ctx context.Context, played *game.Game, o opponent, a *analyse.Analyst) error {
	g := &lineGame{app: t.app, Game: played, opponent: o, analyst: a, human: t.human.Colour}
	return g.run(ctx)
}

func (g *lineGame) run(ctx context.Context) error {
	lines := readLines(ctx, bufio.NewScanner(g.in))
	g.show()
	for {
		if end, over := g.End(); over {
			g.printf("%s\n", end)
			return g.review(ctx, g.Game)
		}
		if g.Position().ToPlay != g.human {
			if err := g.reply(ctx); err != nil {
				return err
			}
			continue
		}
		g.printf("%s> ", g.human)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case line, more := <-lines:
			if !more {
				g.printf("\n")
				return nil
			}
			if stop, err := g.command(ctx, strings.TrimSpace(line)); stop || err != nil {
				return err
			}
		}
	}
}

// readLines sends the lines of the input, so that an interrupt need not wait for one.
func readLines(ctx context.Context, scanner *bufio.Scanner) <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

func (g *lineGame) command(ctx context.Context, text string) (stop bool, err error) {
	switch strings.ToLower(text) {
	case "":
	case "quit", "exit":
		return true, nil
	case "undo":
		g.undo()
	case "hint":
		return false, g.hint(ctx)
	case "board":
		g.show()
	case "review":
		return false, g.review(ctx, g.Game)
	case "help":
		g.printf("a point such as B3 plays there; %s\n", strings.Join(g.words(), ", "))
	default:
		return false, g.try(ctx, text)
	}
	return false, nil
}

// words are the commands, and pass where it is a move.
func (g *lineGame) words() []string {
	list := []string{"undo", "hint", "board", "review", "help", "quit"}
	if g.Rules().Scored() {
		return append([]string{"pass"}, list...)
	}
	return list
}

// try plays a move. It explains an illegal move and says what a mistake costs.
func (g *lineGame) try(ctx context.Context, text string) error {
	before := g.Position()
	move, err := game.ParseMove(g.Position().Size, text)
	if err == nil {
		err = g.Play(move)
	} else if near := didYouMean(text, g.words()); near != "" {
		err = fmt.Errorf("unknown command %q%s", text, near)
	}
	if err != nil {
		g.printf("%v\n", err)
		return nil
	}
	g.show()
	one := game.New(g.Rules(), before)
	if err := one.Play(move); err != nil {
		return err
	}
	return g.judge(ctx, one, func(found review.Review) {
		if says := found.Moves[0].Says(); says != "" {
			g.printf("%s\n", g.paint(bad, says))
		}
	})
}

// judge reviews a game. If that is not possible, show is not called.
func (g *lineGame) judge(ctx context.Context, played *game.Game, show func(review.Review)) error {
	found, err := review.Played(g.analyst, played).Game(ctx, played, nil)
	if err == nil {
		show(found)
	}
	return ctx.Err()
}

// review sums a game up and lists the mistakes of both sides.
func (g *lineGame) review(ctx context.Context, played *game.Game) error {
	if len(played.Moves()) == 0 {
		g.printf("there is no move to review\n")
		return nil
	}
	return g.judge(ctx, played, func(found review.Review) {
		g.printf("%s\n", found.Summary())
		for _, j := range found.Moves {
			if j.Mistake() {
				g.printf("%d %s: %s\n", j.Number, j.Colour, j.Says())
			}
		}
	})
}

// undo goes back to the human's last decision.
func (g *lineGame) undo() {
	if g.UndoTo(g.human) {
		g.show()
		return
	}
	g.printf("there is nothing to undo\n")
}

func (g *lineGame) hint(ctx context.Context) error {
	move, remark, err := g.ask(ctx)
	if err == nil {
		g.printf("%s (%s)\n", game.MoveName(g.Position().Size, move), remark)
	}
	return err
}

func (g *lineGame) reply(ctx context.Context) error {
	move, remark, err := g.ask(ctx)
	if err != nil {
		return err
	}
	does := "passes"
	if move != game.Pass {
		does = "plays " + game.MoveName(g.Position().Size, move)
	}
	g.printf("%s %s (%s)\n", g.Position().ToPlay, does, remark)
	if err := g.Play(move); err != nil {
		return fmt.Errorf("the player chose a move that is not legal: %w", err)
	}
	g.show()
	return nil
}

// ask returns no move after an interrupt.
func (g *lineGame) ask(ctx context.Context) (board.Point, string, error) {
	move, remark, err := g.opponent.choose(ctx, g.Positions())
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return move, remark, err
}

func (g *lineGame) show() {
	g.printf("%s\n", g.Position().Size.Diagram(g.Position().Stones))
}

// nogoOpponent plays NoGo.
type nogoOpponent struct {
	mover  play.Mover
	budget play.Budget
}

func (s nogoOpponent) choose(ctx context.Context, positions []game.Position) (board.Point, string, error) {
	now := positions[len(positions)-1]
	choice, err := s.mover.Move(ctx, game.NoGoPosition(now), now.ToPlay, s.budget)
	return choice.Move, standing(now.ToPlay, choice), err
}

// standing says what the player knows about the position in which it moved.
func standing(toPlay board.Colour, c game.Choice) string {
	switch {
	case c.Known == game.Won:
		return fmt.Sprintf("%s wins, by %s", toPlay, c.Source)
	case c.Known == game.Lost:
		return fmt.Sprintf("%s wins, by %s", toPlay.Opponent(), c.Source)
	case c.Playouts > 0:
		return fmt.Sprintf("%.0f %% of %s won", 100*c.WinShare, text.Plural(c.Playouts, "playout"))
	}
	return "a guess"
}

// goOpponent plays Go.
type goOpponent struct {
	mover *play.GoMover
}

func (s goOpponent) choose(ctx context.Context, positions []game.Position) (board.Point, string, error) {
	now := positions[len(positions)-1]
	choice, err := s.mover.MoveWithin(ctx, now, positions[:len(positions)-1], 0)
	remark := "a guess"
	switch choice.Source {
	case game.FromBound:
		remark = "proven so far: the score is " + text.Bounds(choice.Lo, choice.Hi, now.Size.Points())
	case game.FromTable, game.FromSearch, game.FromCertificate:
		remark = "exact: " + text.Verdict(choice.Score)
	case game.FromStrategy:
		remark = "by the strategy for single rows, which draws at least"
	}
	return choice.Move, remark, err
}
