package play

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
	"tengen/internal/book"
	"tengen/internal/method"
	"tengen/internal/solver/gosearch"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Searched reports whether scores of Go on a board are searched, because no table can
// hold it. Rows have a strategy instead.
func Searched(size board.Size) bool {
	return size.Points() > tablebase.MaxPoints && !size.IsRow() && gosearch.Options{}.Check(size) == nil
}

// CheckGo refuses boards of Go that neither a table nor the search takes.
func CheckGo(size board.Size) error {
	points := size.Points()
	if points <= tablebase.MaxPoints || size.IsRow() || Searched(size) {
		return nil
	}
	return fmt.Errorf("a %s board has %d points: tables go to %d and the search of Go to %d", size, points, tablebase.MaxPoints, gosearch.MaxPoints)
}

// Searches reports whether the player searches, for want of a table.
func (m *GoMover) Searches() bool { return m.search != nil }

// newSearcher plays without a table.
func newSearcher(o GoOptions) (*GoMover, error) {
	limits, err := o.Settle()
	if err != nil {
		return nil, err
	}
	s, err := method.OpenArea(o.Size, limits)
	if err != nil {
		return nil, err
	}
	return &GoMover{size: o.Size, search: s, time: cmp.Or(limits.Time, DefaultTime)}, nil
}

// searched bounds the score for a part of the time, and plays a move that is proven to
// reach the better bound. Where nothing is proven it guesses. A score that the book has is
// not searched.
func (m *GoMover) searched(ctx context.Context, p weiqi.Position, limit time.Duration) GoChoice {
	begun := time.Now()
	points := p.Size.Points()
	const part, whole = 4, 5 // of the time for the bounds; the rest is for the move
	solving, cancel := context.WithTimeout(ctx, limit*part/whole)
	defer cancel()
	a := gosearch.All(p.Size)
	known, ok := book.OfGo(p.Size).Bounds(p)
	if ok {
		a = gosearch.Answer{Low: known.Low, High: known.High}
	}
	if !a.Exact() {
		a, _ = m.search.Solve(solving, p, a, 0) // an error is the end of the time
	}
	choice := GoChoice{Move: gosearch.Guess(p), Source: game.FromGuess}
	choice.Value = table.Value{Open: true, Lo: a.Low, Hi: a.High}
	if a.Exact() || a.Held() {
		choice.Value = table.Value{Score: table.EndlessDrawn.Of(a.Low, a.High), Ranged: true, Lo: a.Low, Hi: a.High}
	}
	claim := gosearch.Question{Position: p, Prover: p.ToPlay, Goal: a.Low}
	best := a.Low == known.Low
	if p.ToPlay == board.White {
		claim.Goal, best = -a.High, a.High == known.High
	}
	finding, stop := context.WithDeadline(ctx, begun.Add(limit))
	defer stop()
	if drawn := lead(p.ToPlay, choice.Value.Score); a.Held() && drawn > claim.Goal {
		contrary := gosearch.Question{Position: p, Prover: p.ToPlay.Opponent(), Goal: 1 - drawn}
		if move, err := m.search.Avoid(finding, contrary); err == nil {
			choice.Move, choice.Source = move, game.FromSearch
		}
		return choice
	}
	if claim.Goal <= -points {
		return choice
	}
	if known.Leads && best {
		choice.Move, choice.Source = known.Move, game.FromBound
		if a.Exact() {
			choice.Source = game.FromCertificate
		}
		return choice
	}
	if move, err := m.search.Move(finding, claim); err == nil {
		choice.Move, choice.Source = move, game.FromBound
		if a.Exact() || a.Held() {
			choice.Source = game.FromSearch
		}
	}
	return choice
}

// lead is a score, Black minus White, as a side sees it.
func lead(c board.Colour, score int) int {
	if c == board.White {
		return -score
	}
	return score
}
