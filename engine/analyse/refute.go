package analyse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/engine/play"
	"tengen/engine/table"
)

// Refutation is what a move of Go costs, and the line that shows it.
type Refutation struct {
	Before, After int // scores, Black minus White
	Cost          int // points that the move gives away
	// Line is best play from the move on. Under basic ko the loser resists as long as it
	// can, so that the line has the length that the table gives. Under superko neither side
	// prolongs the game, and the line is only the move if lineTime is too short to find more.
	Line []board.Point
}

// ErrUnknownScore says that the score before or after a move is not known.
var ErrUnknownScore = errors.New("the score after this move is not known")

// Refute compares a legal move of Go with the best one and shows what follows it. The other
// moves are not waited for.
func (a *Analyst) Refute(ctx context.Context, q Question, move board.Point) (Refutation, error) {
	if err := q.scores(move); err != nil {
		return Refutation{}, err
	}
	needed, enough := context.WithCancel(ctx)
	defer enough()
	analysis, err := a.Analyse(needed, q, func(u Update) {
		if _, known := u.Now.scoreOf(move); known {
			enough()
		}
	})
	after, known := analysis.scoreOf(move)
	if !known {
		return Refutation{}, cmp.Or(err, ErrUnknownScore)
	}
	r := Refutation{Before: analysis.Best.Score, After: after, Line: []board.Point{move}}
	r.Cost = r.Before - r.After
	if analysis.Position.ToPlay == board.White {
		r.Cost = -r.Cost
	}
	if line := a.bookLine(q, analysis.Position, move); line != nil {
		r.Line = line
		return r, nil
	}
	q.Moves = append(slices.Clone(q.Moves), move)
	line, err := a.refutationLine(ctx, q)
	r.Line = append(r.Line, line...)
	return r, err
}

// scores refuses a move that has no score: of another game, or not legal.
func (q Question) scores(move board.Point) error {
	g, err := q.play()
	if err != nil {
		return err
	}
	if !q.Rules.Scored() {
		return fmt.Errorf("a move of %s wins or loses: it costs no points", q.Rules)
	}
	return g.Check(move)
}

// scoreOf is the score after a move, if that and the score of the position are known.
func (a Analysis) scoreOf(move board.Point) (score int, known bool) {
	n := slices.IndexFunc(a.Moves, func(f Finding) bool { return f.Move == move })
	if n < 0 || a.Moves[n].Grade != GradeExact || a.Best.Grade != GradeExact {
		return 0, false
	}
	return a.Moves[n].Score, true
}

// refutationLine is best play in a position.
func (a *Analyst) refutationLine(ctx context.Context, q Question) ([]board.Point, error) {
	i, err := newInquiry(q, nil)
	switch {
	case err != nil || len(i.classes) == 0: // the move ended the game
		return nil, err
	case q.historic() || play.Searched(i.position.Size):
		q.Lines, q.Alone = true, true
		analysis, err := a.Analyse(ctx, q, nil)
		return analysis.Best.Line, err
	}
	t, err := a.table(ctx, i)
	if err != nil || t == nil {
		return nil, err
	}
	answer, err := table.ProbeWhy(t, i.position, q.Endless)
	return answer.Line, err
}
