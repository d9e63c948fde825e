package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
	"tengen/internal/player"
)

// nogoExpert has moves from a player and exact results from a solver.
type nogoExpert struct {
	mover   engine.Mover
	options Options
}

func newNoGoExpert(o Options, size board.Size) (expert, error) {
	mover, err := o.NewMover(size)
	if err != nil {
		return nil, err
	}
	return nogoExpert{mover, o}, nil
}

func (nogoExpert) analyses() []string {
	return []string{
		"gfx/Exact Results/tengen-results %c",
		"string/Who Wins/tengen-solve %c",
		"sboard/Value Map/tengen-values %c",
		"sboard/Regions/tengen-regions",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

func (e nogoExpert) think(ctx context.Context, g *game.Game, c board.Colour, b engine.Budget) (thought, error) {
	choice, err := e.mover.Move(ctx, game.NoGoPosition(g.Position()), c, b)
	return thought{Choice: choice, settled: choice.Known != player.Unknown}, err
}

// survey is settled when all moves are known to win or to lose.
func (e nogoExpert) survey(ctx context.Context, g *game.Game, c board.Colour, b engine.Budget) (thought, error) {
	choice, err := engine.Judge(ctx, e.mover, game.NoGoPosition(g.Position()), c, b)
	open := func(m engine.MoveStats) bool { return m.Known == player.Unknown }
	return thought{Choice: choice, settled: !slices.ContainsFunc(choice.Moves, open)}, err
}

// explain has nothing to add: players tell their lines.
func (nogoExpert) explain(*game.Game, board.Colour, *thought) {}

func (e nogoExpert) ponder(ctx context.Context, g *game.Game) {
	e.mover.Ponder(ctx, game.NoGoPosition(g.Position()), g.Position().ToPlay)
}

func (e nogoExpert) Close() error { return e.mover.Close() }

// results marks every legal move by who wins after it: green wins for who makes it.
// Of a search that was stopped it shows the moves that are decided.
func (e nogoExpert) results(ctx context.Context, g *game.Game, c board.Colour) (string, error) {
	result, err := e.exact(ctx, g, c, true)
	if err != nil && len(result.Moves) == 0 {
		return "", err
	}
	return verdicts(g, c, result), nil
}

// verdicts are the moves of a result as a picture for GoGui.
func verdicts(g *game.Game, c board.Colour, result engine.Result) string {
	if end, over := g.Rules().End(g.At(c), 0); over {
		return "TEXT " + end.String()
	}
	legal := g.Legal(c).Len()
	var wins, losses board.Set
	for _, m := range result.Moves {
		if m.Winner == c {
			wins.Add(m.Move)
		} else {
			losses.Add(m.Move)
		}
	}
	verdict := fmt.Sprintf("%s wins", result.Winner)
	if result.Winner == board.Empty {
		verdict = "the winner is not known"
	}
	text := fmt.Sprintf("TEXT %s to play: %s, %d of %d moves win", c, verdict, wins.Len(), legal)
	if open := legal - len(result.Moves); open > 0 {
		text += fmt.Sprintf(", %d are not decided", open)
	}
	return text + paint(g.Position().Size, wins, losses)
}

// paint colours good and bad moves for GoGui.
func paint(size board.Size, good, bad board.Set) string {
	text := ""
	if !good.IsEmpty() {
		text += "\nCOLOR green " + names(size, good)
	}
	if !bad.IsEmpty() {
		text += "\nCOLOR red " + names(size, bad)
	}
	return text
}

// solve says who wins, and by which move if that is the side to play.
func (e nogoExpert) solve(ctx context.Context, g *game.Game, c board.Colour) (string, error) {
	result, err := e.exact(ctx, g, c, false)
	if err != nil {
		return "", err
	}
	if result.Winner == c && len(result.Line) > 0 {
		return fmt.Sprintf("%s %s", result.Winner, g.Position().Size.Name(result.Line[0])), nil
	}
	return result.Winner.String(), nil
}

func (e nogoExpert) exact(ctx context.Context, g *game.Game, c board.Colour, eachMove bool) (engine.Result, error) {
	result, err := engine.Exact(ctx, engine.Request{
		Position: game.NoGoPosition(g.Position()),
		ToPlay:   c,
		EachMove: eachMove,
		Limits:   e.options.Exact,
	})
	var stopped *engine.Stopped
	if errors.As(err, &stopped) {
		return result, fmt.Errorf("not solved in the time there is: %w", err)
	}
	return result, err
}
