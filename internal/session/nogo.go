package session

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/play"
	"tengen/game"
)

// nogoExpert gets its moves from a player.
type nogoExpert struct {
	mover play.Mover
}

func newNoGoExpert(ctx context.Context, o Options, size board.Size) (expert, error) {
	mover, err := o.NewMover(ctx, size)
	if err != nil {
		return nil, err
	}
	return nogoExpert{mover}, nil
}

func (nogoExpert) analyses() []string {
	return []string{
		"gfx/Exact Results/tengen-results %c",
		"string/Who Wins/tengen-solve %c",
		"gfx/Last Move Judged/tengen-mistake",
		"string/Mistakes of the Game/tengen-review",
		"sboard/Value Map/tengen-values %c",
		"sboard/Regions/tengen-regions",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

func (e nogoExpert) think(ctx context.Context, g *game.Game, c board.Colour, b play.Budget) (thought, error) {
	choice, err := e.mover.Move(ctx, game.NoGoPosition(g.Position()), c, b)
	t := thought{Choice: choice, settled: choice.Known != game.Unknown}
	if choice.Source == game.FromGuess {
		t.note = guessed
	}
	return t, err
}

func (e nogoExpert) estimator() play.Mover { return e.mover }

func (nogoExpert) survey(a analyse.Analysis) thought {
	return thought{Choice: a.Choice(), settled: a.Settled()}
}

// explain has nothing to add: the players give their lines.
func (nogoExpert) explain(*game.Game, board.Colour, *thought) {}

func (e nogoExpert) ponder(ctx context.Context, g *game.Game) {
	e.mover.Ponder(ctx, game.NoGoPosition(g.Position()), g.Position().ToPlay)
}

func (e nogoExpert) Close() error { return e.mover.Close() }

// results marks every legal move by its winner: green moves win for the side
// that makes them. If the search was stopped, it shows only the decided
// moves.
func (nogoExpert) results(a analyse.Analysis) string {
	p := a.Position
	if end, over := (game.NoGo{}).End(p, 0); over {
		return "TEXT " + end.String()
	}
	var wins, losses board.Set
	open := 0
	for _, f := range a.Moves {
		switch f.Winner.Colour() {
		case board.Empty:
			open++
		case p.ToPlay:
			wins.Add(f.Move)
		default:
			losses.Add(f.Move)
		}
	}
	verdict := fmt.Sprintf("%s wins", a.Best.Winner)
	if a.Best.Winner == board.NoWinner {
		verdict = "the winner is not known"
	}
	text := fmt.Sprintf("TEXT %s to play: %s, %d of %d moves win", p.ToPlay, verdict, wins.Len(), len(a.Moves))
	if open > 0 {
		text += fmt.Sprintf(", %d are not decided", open)
	}
	return text + paint(p.Size, wins, losses)
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
func (nogoExpert) solve(a analyse.Analysis) string {
	if a.Best.Winner.Is(a.Position.ToPlay) {
		return fmt.Sprintf("%s %s", a.Best.Winner, a.Best.Name)
	}
	return a.Best.Winner.String()
}
