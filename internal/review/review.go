package review

import (
	"context"
	"errors"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine"
	"tengen/game"
	"tengen/weiqi"
)

// Reviewer judges games. The analyst is asked one question at a time.
type Reviewer struct {
	Analyst *engine.Analyst
	// Time is for each position that needs a search; 0 is no limit. What is not exact
	// then is an estimate, for the first of which there is always time. Tables of Go are not held to it.
	Time time.Duration
}

// Played is who judges a game that was played here, for the board in the terminal and the
// page alike: exactly on boards that are solved in a moment, elsewhere with a second for
// each position.
func Played(a *engine.Analyst, g *game.Game) Reviewer {
	r := Reviewer{Analyst: a}
	if !g.Rules().Scored() && engine.DefaultPlayer(g.Position().Size) != engine.PlayerPerfect {
		r.Time = time.Second
	}
	return r
}

// Step is a position that a review has looked at.
type Step struct {
	Done, All int
	Judged    *Judgement // the move that was made there; nil at the end of the game
}

// Review is what was found out about a game.
type Review struct {
	Moves    []Judgement // in the order of the game
	Warnings []string
}

// Game judges the moves of a game from the last to the first, since late positions are
// easy and decide earlier ones: in NoGo a position from which a move led to a win is
// won, and needs no search. Hear, if it is not nil, is told of every position that is
// done. When ctx ends, what was judged comes back with its error; the other moves
// are of an unknown grade, and so are moves after the end of the game. A board of Go of
// which nothing can be known is an error as those of Analyse.
func (r Reviewer) Game(ctx context.Context, g *game.Game, hear func(Step)) (Review, error) {
	positions, moves := g.Positions(), g.Moves()
	w := &walk{Reviewer: r, game: g, scored: g.Rules().Scored()}
	review := Review{Moves: make([]Judgement, len(moves))}
	for i, m := range moves {
		unknown := Worth{Scored: w.scored, Winner: board.Empty}
		review.Moves[i] = Judgement{Number: i + 1, Size: positions[i].Size, Colour: m.Colour, Move: m.Point, Before: unknown, After: unknown}
	}
	end := len(moves)
	if over := slices.IndexFunc(positions, game.Position.Over); over >= 0 {
		end = over
	}
	for i := range review.Moves[end:] {
		review.Moves[end+i].Late = true
	}
	var after Worth // of the position that was looked at last
	for n := end; n >= 0; n-- {
		before, err := w.look(ctx, n, after)
		if err != nil {
			return review, err
		}
		worth := WorthOf(before.Best, positions[n].ToPlay, w.scored)
		step := Step{Done: end - n + 1, All: end + 1}
		if n < end {
			j := &review.Moves[n]
			step.Judged = j
			j.Before, j.After = worth, after
			j.weigh()
			j.choose(before)
			if j.Mistake() && !j.Known { // it is known that there is a better move, and not which
				if before, err = w.ask(ctx, n, false); err != nil {
					return review, err
				}
				j.choose(before)
			}
		}
		after = worth
		if hear != nil {
			hear(step)
		}
	}
	review.Warnings = w.warnings
	return review, nil
}

// walk is a review under way.
type walk struct {
	Reviewer
	game     *game.Game
	scored   bool
	warnings []string
}

// look is what is known of the position after n moves, given the worth of the next.
func (w *walk) look(ctx context.Context, n int, next Worth) (engine.Analysis, error) {
	p := w.game.Positions()[n]
	moves := w.game.Moves()
	if n < len(moves) && !w.scored && next.Grade == engine.GradeExact && next.Winner == p.ToPlay {
		move := moves[n].Point
		best := engine.Finding{Move: move, Name: game.MoveName(p.Size, move), Grade: engine.GradeExact, By: next.By, Winner: next.Winner}
		return engine.Analysis{Position: p, Best: best}, nil
	}
	return w.ask(ctx, n, true)
}

// ask is look by the analyst. Alone asks for the result and not for every move.
func (w *walk) ask(ctx context.Context, n int, alone bool) (engine.Analysis, error) {
	question, timed := w.question(n)
	question.Alone = alone
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	var hear func(engine.Update)
	switch {
	case !timed || w.Time <= 0:
	case question.Estimates: // however little time there is, it is enough for a first one
		end := time.Now().Add(w.Time)
		hear = func(u engine.Update) {
			if u.Now.Best.Grade >= engine.GradeEstimated && !time.Now().Before(end) {
				cancel()
			}
		}
	default:
		limited, cancel = context.WithTimeout(limited, w.Time)
		defer cancel()
	}
	analysis, err := w.Analyst.Analyse(limited, question, hear)
	w.warn(analysis.Warnings)
	var stopped *engine.Stopped
	switch {
	case ctx.Err() != nil:
		return analysis, ctx.Err()
	case errors.As(err, &stopped):
		return analysis, nil
	}
	return analysis, err
}

// question asks about the position after n moves, with its history where that counts,
// and says whether the answer may take long.
func (w *walk) question(n int) (q engine.Question, timed bool) {
	q = engine.Question{Rules: w.game.Rules(), Start: w.game.Positions()[n]}
	switch {
	case !w.scored:
		q.Estimates = true
	case w.game.Rules().Superko() == weiqi.Basic:
		return q, false
	default:
		q.Lines, q.Start = true, w.game.Positions()[0]
		for _, m := range w.game.Moves()[:n] {
			q.Moves = append(q.Moves, m.Point)
		}
	}
	return q, true
}

func (w *walk) warn(warnings []string) {
	for _, text := range warnings {
		if len(w.warnings) == 0 || w.warnings[len(w.warnings)-1] != text {
			w.warnings = append(w.warnings, text)
		}
	}
}
