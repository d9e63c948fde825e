package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine"
	"tengen/internal/player"
	"tengen/sgf"
	"tengen/weiqi"
)

// goRules are those of Go under basic ko: no suicide, area score, two passes end the
// game.
type goRules struct{}

func (goRules) game() Game        { return Go }
func (goRules) id() string        { return "Go" }
func (goRules) label() string     { return weiqi.Rules{}.String() }
func (goRules) passable() bool    { return true }
func (goRules) surrender() string { return pass }

func (goRules) check(p weiqi.Position) error {
	if err := p.Validate(); err != nil {
		return fmt.Errorf("not a position of Go: %w", err)
	}
	return nil
}

func (goRules) legal(p weiqi.Position) board.Set { return weiqi.Rules{}.Legal(resumed(p)) }

// move goes on with a game that was over, as players do who disagree about it: a stone
// resumes it, and one pass more changes nothing.
func (goRules) move(p weiqi.Position, q board.Point) (weiqi.Position, error) {
	over := p.Over()
	next, err := weiqi.Rules{}.Play(resumed(p), q)
	if over && q == weiqi.Pass {
		next.Passes = 2
	}
	return next, err
}

func resumed(p weiqi.Position) weiqi.Position {
	if p.Over() {
		p.Passes = 0
	}
	return p
}

func (goRules) over(p weiqi.Position) bool { return p.Over() }

func (r goRules) status(p weiqi.Position, komi float64) string {
	if p.Over() {
		return "both sides have passed: " + r.verdict(p, komi)
	}
	text := fmt.Sprintf("%s to play", p.ToPlay)
	if p.Passes > 0 {
		text += fmt.Sprintf(", %s has passed", p.ToPlay.Opponent())
	}
	if p.Ko != board.NoPoint {
		text += fmt.Sprintf(", ko at %s", p.Size.Name(p.Ko))
	}
	return text
}

// lead is that of Black on the board.
func lead(p weiqi.Position, komi float64) float64 { return float64(p.Score()) - komi }

func (goRules) score(p weiqi.Position, komi float64) (string, error) {
	if !p.Over() {
		return "", errors.New("the game is not over, two passes in a row end it")
	}
	return string(sgf.Score(lead(p, komi))), nil
}

func (goRules) verdict(p weiqi.Position, komi float64) string {
	switch lead := lead(p, komi); {
	case lead > 0:
		return fmt.Sprintf("black wins by %g", lead)
	case lead < 0:
		return fmt.Sprintf("white wins by %g", -lead)
	}
	return "a draw"
}

func (goRules) result(p weiqi.Position, komi float64) sgf.Result { return sgf.Score(lead(p, komi)) }

func (goRules) analyses() []string {
	return []string{
		"gfx/Exact Scores/tengen-results %c",
		"string/Best Score/tengen-solve %c",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

func (goRules) expert(ctx context.Context, o Options, size board.Size) (expert, error) {
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

// think leaves open whether the game is won or lost: it is played for its score, and
// nobody resigns.
func (e goExpert) think(_ context.Context, g *game, c board.Colour, _ engine.Budget) (thought, error) {
	choice, err := e.mover.Move(g.at(c), g.positions)
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
func (e goExpert) survey(ctx context.Context, g *game, c board.Colour, b engine.Budget) (thought, error) {
	return e.think(ctx, g, c, b)
}

// explain plays each move out.
func (e goExpert) explain(g *game, c board.Colour, t *thought) {
	for i := range t.Moves {
		t.Moves[i].Line = e.line(g, g.at(c), t.Moves[i].Move)
	}
}

func (e goExpert) line(g *game, p weiqi.Position, first board.Point) []board.Point {
	earlier := append([]weiqi.Position{}, g.positions...)
	line := []board.Point{first}
	for at := first; len(line) < maxLine; {
		next, err := weiqi.Rules{}.Play(p, at)
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
func (goExpert) ponder(context.Context, *game) {}

func (e goExpert) Close() error { return e.mover.Close() }

// results labels every move with its score, green where that is the best there is.
func (e goExpert) results(_ context.Context, g *game, c board.Colour) (string, error) {
	if g.now().Over() {
		return "TEXT both sides have passed: the game is over", nil
	}
	answer, err := e.mover.Answer(g.at(c))
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
		if m.Move == weiqi.Pass {
			passing = string(sgf.Score(float64(m.Score)))
			continue
		}
		labels = append(labels, fmt.Sprintf("%s %+d", g.size().Name(m.Move), m.Score))
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
	return text + paint(g.size(), best, worse), nil
}

// solve says the score of best play, without komi, and a move that keeps it.
func (e goExpert) solve(_ context.Context, g *game, c board.Colour) (string, error) {
	if g.now().Over() {
		return string(sgf.Score(lead(g.now(), 0))), nil
	}
	p := g.at(c)
	answer, err := e.mover.Answer(p)
	if err != nil {
		return "", err
	}
	choice, err := e.mover.Move(p, g.positions)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s", sgf.Score(float64(answer.Score)), vertex(p.Size, choice.Move)), nil
}
