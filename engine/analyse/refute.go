package analyse

import (
	"context"
	"errors"
	"slices"

	"tengen/board"
	"tengen/engine/table"
)

// Refutation is what a move of Go costs, and the line that shows it.
type Refutation struct {
	Before, After int // scores, Black minus White
	Cost          int // points that the move gives away
	// Line is best play from the move on. Under basic ko the loser resists as long as it
	// can, so that the line has the length that the table gives.
	Line []board.Point
}

// ErrUnknownScore says that the score before or after a move is not known.
var ErrUnknownScore = errors.New("the score after this move is not known")

// Refute compares a legal move of Go with the best one and shows what follows it.
func (a *Analyst) Refute(ctx context.Context, q Question, move board.Point) (Refutation, error) {
	analysis, err := a.Analyse(ctx, q, nil)
	if err != nil {
		return Refutation{}, err
	}
	n := slices.IndexFunc(analysis.Moves, func(f Finding) bool { return f.Move == move })
	if n < 0 || analysis.Moves[n].Grade != GradeExact || analysis.Best.Grade != GradeExact {
		return Refutation{}, ErrUnknownScore
	}
	r := Refutation{Before: analysis.Best.Score, After: analysis.Moves[n].Score, Line: []board.Point{move}}
	r.Cost = r.Before - r.After
	if analysis.Position.ToPlay == board.White {
		r.Cost = -r.Cost
	}
	q.Moves = append(slices.Clone(q.Moves), move)
	line, err := a.refutationLine(ctx, q, r.After)
	r.Line = append(r.Line, line...)
	return r, err
}

// refutationLine is best play in a position with a score. Nobody resists a draw.
func (a *Analyst) refutationLine(ctx context.Context, q Question, score int) ([]board.Point, error) {
	i, err := newInquiry(q, nil)
	switch {
	case err != nil || len(i.classes) == 0: // the move ended the game
		return nil, err
	case q.historic():
		q.Lines, q.Alone = true, true
		analysis, err := a.Analyse(ctx, q, nil)
		return analysis.Best.Line, err
	}
	t, err := a.table(ctx, i)
	if err != nil || t == nil {
		return nil, err
	}
	probe := table.ProbeStubborn
	if score == 0 {
		probe = table.Probe
	}
	answer, err := probe(t, i.position, q.Endless)
	return answer.Line, err
}
