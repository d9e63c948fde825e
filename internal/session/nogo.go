package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/player"
	"tengen/nogo"
	"tengen/sgf"
	"tengen/weiqi"
)

// nogoRules are those of NoGo. Who cannot move has lost, and komi counts for nothing.
type nogoRules struct{}

// nogoOf is a position of NoGo, without whose turn it is.
func nogoOf(p weiqi.Position) nogo.Position { return nogo.Position{Size: p.Size, Stones: p.Stones} }

func (nogoRules) game() Game        { return NoGo }
func (nogoRules) id() string        { return "NoGo" }
func (nogoRules) label() string     { return "NoGo" }
func (nogoRules) passable() bool    { return false }
func (nogoRules) surrender() string { return "resign" }

func (nogoRules) check(p weiqi.Position) error {
	if err := nogoOf(p).Validate(); err != nil {
		return fmt.Errorf("not a position of NoGo: %w", err)
	}
	return nil
}

func (nogoRules) legal(p weiqi.Position) board.Set { return nogoOf(p).Legal(p.ToPlay) }

func (nogoRules) move(p weiqi.Position, q board.Point) (weiqi.Position, error) {
	next, err := nogoOf(p).Play(q, p.ToPlay)
	if err != nil {
		return p, err
	}
	p.Stones, p.ToPlay = next.Stones, p.ToPlay.Opponent()
	return p, nil
}

func (r nogoRules) over(p weiqi.Position) bool { return r.legal(p).IsEmpty() }

func (r nogoRules) status(p weiqi.Position, _ float64) string {
	if r.over(p) {
		return fmt.Sprintf("%s to play has no legal move: %s has won", p.ToPlay, p.ToPlay.Opponent())
	}
	return fmt.Sprintf("%s to play", p.ToPlay)
}

// score calls the win of a game that is over a lead of one point, the only form the
// protocol has.
func (r nogoRules) score(p weiqi.Position, _ float64) (string, error) {
	if !r.over(p) {
		if n := r.legal(p).Len(); n > 1 {
			return "", fmt.Errorf("the game is not over, %s to play has %d legal moves", p.ToPlay, n)
		}
		return "", fmt.Errorf("the game is not over, %s to play has a legal move", p.ToPlay)
	}
	if p.ToPlay == board.Black {
		return "W+1", nil
	}
	return "B+1", nil
}

func (nogoRules) verdict(p weiqi.Position, _ float64) string { return p.ToPlay.Opponent().String() }

func (nogoRules) result(p weiqi.Position, _ float64) sgf.Result {
	return sgf.Win(p.ToPlay.Opponent(), sgf.ByResignation)
}

func (nogoRules) analyses() []string {
	return []string{
		"gfx/Exact Results/tengen-results %c",
		"string/Who Wins/tengen-solve %c",
		"sboard/Value Map/tengen-values %c",
		"sboard/Regions/tengen-regions",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

func (nogoRules) expert(_ context.Context, o Options, size board.Size) (expert, error) {
	mover, err := o.NewMover(size)
	if err != nil {
		return nil, err
	}
	return nogoExpert{mover, o}, nil
}

// nogoExpert has moves from a player and exact results from a solver.
type nogoExpert struct {
	mover   engine.Mover
	options Options
}

func (e nogoExpert) think(ctx context.Context, g *game, c board.Colour, b engine.Budget) (thought, error) {
	choice, err := e.mover.Move(ctx, nogoOf(g.now()), c, b)
	return thought{Choice: choice, settled: choice.Known != player.Unknown}, err
}

// survey is settled when all moves are known to win or to lose.
func (e nogoExpert) survey(ctx context.Context, g *game, c board.Colour, b engine.Budget) (thought, error) {
	choice, err := engine.Judge(ctx, e.mover, nogoOf(g.now()), c, b)
	open := func(m engine.MoveStats) bool { return m.Known == player.Unknown }
	return thought{Choice: choice, settled: !slices.ContainsFunc(choice.Moves, open)}, err
}

// explain has nothing to add: players tell their lines.
func (nogoExpert) explain(*game, board.Colour, *thought) {}

func (e nogoExpert) ponder(ctx context.Context, g *game) {
	e.mover.Ponder(ctx, nogoOf(g.now()), g.toPlay())
}

func (e nogoExpert) Close() error { return e.mover.Close() }

// results marks every legal move by who wins after it: green wins for who makes it.
// Of a search that was stopped it shows the moves that are decided.
func (e nogoExpert) results(ctx context.Context, g *game, c board.Colour) (string, error) {
	result, err := e.exact(ctx, g, c, true)
	if err != nil && len(result.Moves) == 0 {
		return "", err
	}
	return verdicts(g, c, result), nil
}

// verdicts are the moves of a result as a picture for GoGui.
func verdicts(g *game, c board.Colour, result engine.Result) string {
	legal := g.legal(g.at(c)).Len()
	if legal == 0 {
		return fmt.Sprintf("TEXT %s to play has no legal move: %s has won", c, c.Opponent())
	}
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
	return text + paint(g.size(), wins, losses)
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
func (e nogoExpert) solve(ctx context.Context, g *game, c board.Colour) (string, error) {
	result, err := e.exact(ctx, g, c, false)
	if err != nil {
		return "", err
	}
	if result.Winner == c && len(result.Line) > 0 {
		return fmt.Sprintf("%s %s", result.Winner, g.size().Name(result.Line[0])), nil
	}
	return result.Winner.String(), nil
}

func (e nogoExpert) exact(ctx context.Context, g *game, c board.Colour, eachMove bool) (engine.Result, error) {
	result, err := engine.Exact(ctx, engine.Request{
		Position: nogoOf(g.now()),
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
