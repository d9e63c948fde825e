package session

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/text"
	"tengen/sgf"
)

func newGoExpert(ctx context.Context, o Options, size board.Size) (expert, error) {
	if o.NewGoMover == nil {
		return nil, errors.New("there is no player of Go here")
	}
	mover, err := o.NewGoMover(ctx, size)
	var missing *table.Missing
	if errors.As(err, &missing) {
		return nil, fmt.Errorf("%w: \"tengen table build go %s\" builds it", err, missing.Size)
	}
	if err != nil {
		return nil, err
	}
	return goExpert{mover}, nil
}

// goExpert plays from a table, or by search on a board too large for one.
type goExpert struct {
	mover *play.GoMover
}

func (goExpert) analyses() []string {
	return []string{
		"gfx/Exact Scores/tengen-results %c",
		"string/Best Score/tengen-solve %c",
		"gfx/Last Move Judged/tengen-mistake",
		"string/Mistakes of the Game/tengen-review",
		"string/Why Not/tengen-why %c %p",
		"plist/Legal Points/legal_moves %c",
		"string/Show Board/showboard",
	}
}

// guessed is the note on a move that nothing is known of.
const guessed = "A guess: nothing is proven of this move."

// think leaves Known open: the game is played for its score, and nobody
// resigns.
func (e goExpert) think(ctx context.Context, g *game.Game, c board.Colour, b play.Budget) (thought, error) {
	if e.mover.Exact() {
		// A table answers at once, so a command that is stopped still has its move.
		ctx = context.WithoutCancel(ctx)
	}
	choice, err := e.mover.MoveWithin(ctx, g.At(c), g.Positions(), b.Time)
	if errors.Is(err, play.ErrGoOver) {
		return thought{}, play.ErrNoMove
	}
	t := thought{Choice: game.Choice{Move: choice.Move}}
	switch choice.Source {
	case game.FromGuess:
		t.note = guessed
	case game.FromBound:
		t.note = fmt.Sprintf("Not proven to be best: so far the score is %s.", text.Bounds(choice.Lo, choice.Hi, g.Position().Size.Points()))
	}
	t.settled = t.note == ""
	for _, m := range choice.Moves {
		t.Moves = append(t.Moves, game.MoveStats{Move: m.Move, Visits: 1})
		t.scores = append(t.scores, m.Score)
	}
	return t, err
}

// estimator is nil: scores are proven, not estimated.
func (goExpert) estimator() play.Mover { return nil }

// survey lists the moves only if all of their scores are known.
func (goExpert) survey(a analyse.Analysis) thought {
	t := thought{Choice: game.Choice{Move: a.Best.Move}, settled: true}
	if a.Best.Name == "" && len(a.Moves) > 0 { // no move is known to reach the score
		t.Move = a.Moves[0].Move
	}
	if !a.Settled() {
		return t
	}
	for _, f := range a.Moves {
		t.Moves = append(t.Moves, game.MoveStats{Move: f.Move, Visits: 1, Line: f.Line})
		t.scores = append(t.scores, f.Score)
	}
	return t
}

// explain adds a line to each move that has none yet.
func (e goExpert) explain(g *game.Game, c board.Colour, t *thought) {
	for i := range t.Moves {
		if m := &t.Moves[i]; len(m.Line) == 0 {
			m.Line = e.mover.Line(context.Background(), g.At(c), m.Move, g.Positions())
		}
	}
}

// ponder does nothing: the table has every position.
func (goExpert) ponder(context.Context, *game.Game) {}

func (e goExpert) Close() error { return e.mover.Close() }

// results labels the moves with their scores; the best ones are green. If the search was
// stopped, it shows only what is proven.
func (goExpert) results(a analyse.Analysis) string {
	p := a.Position
	if p.Over() {
		return "TEXT both sides have passed: the game is over"
	}
	known := a.Best.Grade == analyse.GradeExact
	var best, worse board.Set
	var labels []string
	keep, open, passing := 0, 0, "the score is not known"
	for _, f := range a.Moves {
		if f.Grade != analyse.GradeExact {
			open++
			continue
		}
		kept := known && f.Score == a.Best.Score
		if kept {
			keep++
		}
		if f.Move == game.Pass {
			passing = string(sgf.Score(float64(f.Score)))
			continue
		}
		labels = append(labels, fmt.Sprintf("%s %+d", f.Name, f.Score))
		switch {
		case kept:
			best.Add(f.Move)
		case known:
			worse.Add(f.Move)
		}
	}
	verdict := fmt.Sprintf("%s with best play, which %d of %d moves keep", sgf.Score(float64(a.Best.Score)), keep, len(a.Moves))
	if !known {
		verdict = "the score is not known"
	}
	if open > 0 {
		verdict += fmt.Sprintf(", %d of %d moves are not decided", open, len(a.Moves))
	}
	says := fmt.Sprintf("TEXT %s to play: %s; after a pass %s", p.ToPlay, verdict, passing)
	if len(labels) > 0 {
		says += "\nLABEL " + strings.Join(labels, " ")
	}
	return says + paint(p.Size, best, worse)
}

// solve reports the score of best play, without komi, and a move that keeps
// it.
func (goExpert) solve(a analyse.Analysis) string {
	score := string(sgf.Score(float64(a.Best.Score)))
	if a.Position.Over() {
		return score
	}
	return score + " " + a.Best.Name
}
