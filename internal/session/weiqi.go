package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
	"tengen/internal/player"
	"tengen/sgf"
)

func newGoExpert(ctx context.Context, o Options, size board.Size) (expert, error) {
	if o.NewGoMover == nil {
		return nil, errors.New("there is no player of Go here")
	}
	mover, err := o.NewGoMover(ctx, size)
	var missing *engine.NoTable
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("%w: \"tengen table build go %s\" does it once", err, missing.Size)
	}
	if err != nil {
		return nil, err
	}
	return goExpert{mover}, nil
}

// goExpert plays from a table.
type goExpert struct {
	mover *engine.GoMover
}

func (goExpert) analyses() []string {
	return []string{
		"gfx/Exact Scores/tengen-results %c",
		"string/Best Score/tengen-solve %c",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

// think leaves open whether the game is won or lost: it is played for its score, and
// nobody resigns.
func (e goExpert) think(_ context.Context, g *game.Game, c board.Colour, _ engine.Budget) (thought, error) {
	choice, err := e.mover.Move(g.At(c), g.Positions())
	if errors.Is(err, engine.ErrGoOver) {
		return thought{}, player.ErrNoMove
	}
	t := thought{Choice: engine.Choice{Move: choice.Move}, settled: true}
	for _, m := range choice.Moves {
		t.Moves = append(t.Moves, engine.MoveStats{Move: m.Move, Visits: 1})
		t.scores = append(t.scores, m.Score)
	}
	return t, err
}

// maxLine bounds a line that is shown: those of draws need not end.
const maxLine = 20

// survey is what it thinks anyway: the table knows all moves.
func (e goExpert) survey(ctx context.Context, g *game.Game, c board.Colour, b engine.Budget) (thought, error) {
	return e.think(ctx, g, c, b)
}

// explain plays each move out.
func (e goExpert) explain(g *game.Game, c board.Colour, t *thought) {
	for i := range t.Moves {
		t.Moves[i].Line = e.line(g, g.At(c), t.Moves[i].Move)
	}
}

func (e goExpert) line(g *game.Game, p game.Position, first board.Point) []board.Point {
	earlier := slices.Clone(g.Positions())
	line := []board.Point{first}
	for at := first; len(line) < maxLine; {
		next, err := g.Rules().Play(p, at)
		if err != nil || next.Over() {
			break
		}
		choice, err := e.mover.Move(next, earlier)
		if err != nil {
			break
		}
		p, at = next, choice.Move
		line, earlier = append(line, at), append(earlier, p)
	}
	return line
}

// ponder has nothing to do: the table knows everything.
func (goExpert) ponder(context.Context, *game.Game) {}

func (e goExpert) Close() error { return e.mover.Close() }

// results labels every move with its score, green where that is the best there is.
func (e goExpert) results(_ context.Context, g *game.Game, c board.Colour) (string, error) {
	if g.Position().Over() {
		return "TEXT both sides have passed: the game is over", nil
	}
	answer, err := e.mover.Answer(g.At(c))
	if err != nil {
		return "", err
	}
	var best, worse board.Set
	var labels []string
	keep, passing := 0, ""
	for _, m := range answer.Moves {
		kept := m.Score == answer.Score
		if kept {
			keep++
		}
		if m.Move == game.Pass {
			passing = string(sgf.Score(float64(m.Score)))
			continue
		}
		labels = append(labels, fmt.Sprintf("%s %+d", g.Position().Size.Name(m.Move), m.Score))
		if kept {
			best.Add(m.Move)
		} else {
			worse.Add(m.Move)
		}
	}
	text := fmt.Sprintf("TEXT %s to play: %s with best play, which %d of %d moves keep; after a pass %s",
		c, sgf.Score(float64(answer.Score)), keep, len(answer.Moves), passing)
	if len(labels) > 0 {
		text += "\nLABEL " + strings.Join(labels, " ")
	}
	return text + paint(g.Position().Size, best, worse), nil
}

// solve says the score of best play, without komi, and a move that keeps it.
func (e goExpert) solve(_ context.Context, g *game.Game, c board.Colour) (string, error) {
	if g.Position().Over() {
		return string(sgf.Score(float64(g.Position().Score()))), nil
	}
	p := g.At(c)
	answer, err := e.mover.Answer(p)
	if err != nil {
		return "", err
	}
	choice, err := e.mover.Move(p, g.Positions())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s", sgf.Score(float64(answer.Score)), game.MoveName(p.Size, choice.Move)), nil
}
