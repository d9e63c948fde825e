package cli

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tengen/board"
	"tengen/engine"
	"tengen/nogo"
	"tengen/player"
)

func newPlay(a *app) *cobra.Command {
	return group("play", "Play against the perfect player", newPlayNoGo(a))
}

func newPlayNoGo(a *app) *cobra.Command {
	var from start
	var effort effort
	var human colour
	var certificate string
	var think time.Duration
	cmd := &cobra.Command{
		Use:   "nogo [SIZE]",
		Short: "Play NoGo in the terminal",
		Long: `Play NoGo against a player that never misses a win and, from a lost position,
makes the win as hard to find as it can.

Type a point such as B3 to play there, or: undo, hint, board, help, quit.`,
		Args: atMostOne("a board size"),
		RunE: func(cmd *cobra.Command, args []string) error {
			position, moves, err := from.read(args)
			if err != nil {
				return err
			}
			if err := effort.check(); err != nil {
				return err
			}
			position, toPlay, err := position.PlayAll(moves, from.toPlay.Colour)
			if err != nil {
				return err
			}
			opponent, err := engine.NewOpponent(engine.OpponentOptions{
				Size:        position.Size,
				Method:      engine.Method(effort.method),
				Memory:      int64(effort.memory),
				Threads:     effort.threads,
				Certificate: certificate,
				Think:       max(think, 0),
			})
			if err != nil {
				return err
			}
			defer opponent.Close()
			g := &game{app: a, opponent: opponent, human: human.Colour, turns: []turn{{position, toPlay, board.NoPoint}}}
			return g.run(cmd.Context())
		},
	}
	from.register(cmd)
	effort.register(cmd)
	flags := cmd.Flags()
	flags.Var(&human, "as", "your colour (default: b)")
	flags.StringVar(&certificate, "certificate", "", "certificate to play from")
	flags.DurationVar(&think, "think", time.Minute, "time for one move; after it the player guesses (0: no limit)")
	fixed(cmd, "as", "b", "w")
	return cmd
}

// turn is a position of the game and the move that led to it.
type turn struct {
	position nogo.Position
	toPlay   board.Colour
	move     board.Point
}

// game is one game of a human against the perfect player, line by line.
type game struct {
	*app
	opponent *engine.Opponent
	human    board.Colour
	turns    []turn
}

func (g *game) now() turn { return g.turns[len(g.turns)-1] }

func (g *game) run(ctx context.Context) error {
	lines := readLines(ctx, bufio.NewScanner(g.in))
	g.show()
	for {
		now := g.now()
		if now.position.Legal(now.toPlay).IsEmpty() {
			g.printf("%s has no legal move: %s wins\n", title(now.toPlay), now.toPlay.Opponent())
			return nil
		}
		if now.toPlay != g.human {
			if err := g.reply(ctx); err != nil {
				return err
			}
			continue
		}
		g.printf("%s> ", now.toPlay)
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

func (g *game) command(ctx context.Context, text string) (stop bool, err error) {
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
func (g *game) play(text string) {
	now := g.now()
	point, err := now.position.Size.ParsePoint(text)
	if err == nil {
		_, err = now.position.Play(point, now.toPlay)
	}
	if err != nil {
		g.printf("%v\n", err)
		return
	}
	g.push(point)
	g.show()
}

func (g *game) push(point board.Point) {
	now := g.now()
	next := now.position
	next.Stones[now.toPlay].Add(point)
	g.turns = append(g.turns, turn{next, now.toPlay.Opponent(), point})
}

// undo goes back to the human's last decision.
func (g *game) undo() {
	for i := len(g.turns) - 2; i >= 0; i-- {
		if g.turns[i].toPlay == g.human {
			g.turns = g.turns[:i+1]
			g.show()
			return
		}
	}
	g.printf("there is nothing to undo\n")
}

func (g *game) hint(ctx context.Context) error {
	now := g.now()
	choice, err := g.opponent.Move(ctx, now.position, now.toPlay)
	if err != nil {
		return err
	}
	g.printf("%s (%s)\n", now.position.Size.Name(choice.Move), standing(choice))
	return nil
}

func (g *game) reply(ctx context.Context) error {
	now := g.now()
	choice, err := g.opponent.Move(ctx, now.position, now.toPlay)
	if err != nil {
		return err
	}
	g.push(choice.Move)
	g.printf("%s plays %s (%s)\n", now.toPlay, now.position.Size.Name(choice.Move), standing(choice))
	g.show()
	return nil
}

// standing says what the player knows of the position it moved in.
func standing(c engine.Choice) string {
	switch c.Known {
	case player.Won:
		return fmt.Sprintf("a won position, by %s", c.Source)
	case player.Lost:
		return fmt.Sprintf("a lost position, by %s", c.Source)
	}
	return "a guess"
}

func (g *game) show() {
	position := g.now().position
	g.printf("%s\n", position.Size.Diagram(position.Stones))
}
