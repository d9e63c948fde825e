package cli

import (
	"bufio"
	"context"
	"fmt"
	"slices"
	"strings"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/player"
	"tengen/internal/text"
	"tengen/internal/tui"
	"tengen/nogo"
	"tengen/weiqi"
)

// speaker chooses a move in the last of the positions of a game, and says what it
// knows of that position.
type speaker interface {
	speak(ctx context.Context, game []tui.Position) (board.Point, string, error)
}

// lineGame is one game of a human against the machine, line by line.
type lineGame struct {
	*app
	rules     tui.Rules
	speaker   speaker
	human     board.Colour
	positions []tui.Position
}

// lines plays a game from a position and the moves made since.
func (t *terminalGame) lines(ctx context.Context, rules tui.Rules, begin tui.Position, moves []board.Point, s speaker) error {
	g := &lineGame{app: t.app, rules: rules, speaker: s, human: t.human.Colour, positions: []tui.Position{begin}}
	for i, move := range moves {
		if err := g.push(move); err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
	}
	return g.run(ctx)
}

func (g *lineGame) now() tui.Position { return g.positions[len(g.positions)-1] }

func (g *lineGame) run(ctx context.Context) error {
	lines := readLines(ctx, bufio.NewScanner(g.in))
	g.show()
	for {
		if end, over := g.rules.End(g.positions); over {
			g.printf("%s: %s\n", end.Why, verdict(end.Winner))
			return nil
		}
		if g.now().ToPlay != g.human {
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

func verdict(winner board.Colour) string {
	if winner == board.Empty {
		return "a draw"
	}
	return fmt.Sprintf("%s wins", winner)
}

// readLines lets an interrupt end a game that waits for its human.
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
	case "help":
		g.printf("a point such as B3 plays there; undo, hint, board, quit\n")
	default:
		g.play(text)
	}
	return false, nil
}

// play answers a bad move with the reason; the game goes on.
func (g *lineGame) play(text string) {
	move := weiqi.Pass
	var err error
	if !strings.EqualFold(text, pass) {
		move, err = g.now().Size.ParsePoint(text)
	}
	if err == nil {
		err = g.push(move)
	}
	if err != nil {
		g.printf("%v\n", err)
		return
	}
	g.show()
}

func (g *lineGame) push(move board.Point) error {
	next, err := g.rules.Play(g.now(), move)
	if err == nil {
		g.positions = append(g.positions, next)
	}
	return err
}

// undo goes back to the human's last decision.
func (g *lineGame) undo() {
	for i := len(g.positions) - 2; i >= 0; i-- {
		if g.positions[i].ToPlay == g.human {
			g.positions = slices.Clip(g.positions[:i+1])
			g.show()
			return
		}
	}
	g.printf("there is nothing to undo\n")
}

func (g *lineGame) hint(ctx context.Context) error {
	move, remark, err := g.ask(ctx)
	if err == nil {
		g.printf("%s (%s)\n", goName(g.now().Size, move), remark)
	}
	return err
}

func (g *lineGame) reply(ctx context.Context) error {
	move, remark, err := g.ask(ctx)
	if err != nil {
		return err
	}
	g.printf("%s plays %s (%s)\n", g.now().ToPlay, goName(g.now().Size, move), remark)
	if err := g.push(move); err != nil {
		return fmt.Errorf("the player chose a move that is not legal: %w", err)
	}
	g.show()
	return nil
}

// ask drops an answer that was cut short by an interrupt.
func (g *lineGame) ask(ctx context.Context) (board.Point, string, error) {
	move, remark, err := g.speaker.speak(ctx, g.positions)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return move, remark, err
}

func (g *lineGame) show() {
	g.printf("%s\n", g.now().Size.Diagram(g.now().Stones))
}

// nogoSpeaker plays NoGo.
type nogoSpeaker struct {
	mover  engine.Mover
	budget engine.Budget
}

func (s nogoSpeaker) speak(ctx context.Context, game []tui.Position) (board.Point, string, error) {
	now := game[len(game)-1]
	choice, err := s.mover.Move(ctx, nogo.Position{Size: now.Size, Stones: now.Stones}, now.ToPlay, s.budget)
	return choice.Move, standing(choice), err
}

// standing says what the player knows of the position it moved in.
func standing(c engine.Choice) string {
	switch {
	case c.Known == player.Won:
		return fmt.Sprintf("a won position, by %s", c.Source)
	case c.Known == player.Lost:
		return fmt.Sprintf("a lost position, by %s", c.Source)
	case c.Playouts > 0:
		return fmt.Sprintf("%.0f %% of %s playouts won", 100*c.WinShare, text.Thousands(c.Playouts))
	}
	return "a guess"
}

// goSpeaker plays Go.
type goSpeaker struct {
	mover *engine.GoMover
}

func (s goSpeaker) speak(_ context.Context, game []tui.Position) (board.Point, string, error) {
	now := game[len(game)-1]
	choice, err := s.mover.Move(now, game[:len(game)-1])
	remark := "a guess"
	switch {
	case choice.Source == engine.FromStrategy:
		remark = "by the strategy for single rows, which draws at least"
	case choice.Source == engine.FromTable && choice.Score > 0:
		remark = fmt.Sprintf("exact: black wins by %d", choice.Score)
	case choice.Source == engine.FromTable && choice.Score < 0:
		remark = fmt.Sprintf("exact: white wins by %d", -choice.Score)
	case choice.Source == engine.FromTable:
		remark = "exact: a draw"
	}
	return choice.Move, remark, err
}
