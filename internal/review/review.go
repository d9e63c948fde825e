package review

import (
	"context"
	"errors"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/sgf"
	"tengen/weiqi"
)

// Reviewer judges games. The analyst is asked one question at a time.
type Reviewer struct {
	Analyst *analyse.Analyst
	// Time is the time for each position that needs a search; 0 for no limit. A result
	// that is not exact after that time is an estimate. There is always time for a first
	// estimate. Lookups in tables of Go have no limit.
	Time time.Duration
}

// Played returns the reviewer for games that were played on the terminal board or the
// page. It is exact on boards that are solved in a moment. On others it takes a second
// for each position.
func Played(a *analyse.Analyst, g *game.Game) Reviewer {
	r := Reviewer{Analyst: a}
	if g.Rules().Scored() && play.Searched(g.Position().Size) || !g.Rules().Scored() && play.Default(g.Position().Size) != play.Perfect {
		r.Time = time.Second
	}
	return r
}

// Step is a position that a review has finished.
type Step struct {
	Done, All int
	Judged    *Judgement // the move that was made there; nil at the end of the game
}

// Review is the result of reviewing a game.
type Review struct {
	Moves    []Judgement // in the order of the game
	Warnings []string
}

// Game judges the moves of a game from the last to the first. Late positions are easy and
// help to decide earlier ones: in NoGo a position with a winning move is won and needs no
// search. report, if it is not nil, is called after every position. When ctx ends, Game
// returns the moves judged so far with the error of ctx. The other moves have an unknown
// grade, and so have moves after the end of the game. A board of Go that cannot be
// analysed is an error, as in Analyse.
func (r Reviewer) Game(ctx context.Context, g *game.Game, report func(Step)) (Review, error) {
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
	var after Worth // of the position that was analysed last
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
			if j.Mistake() && !j.Known { // a better move exists, but it is not known which
				if before, err = w.ask(ctx, n, false); err != nil {
					return review, err
				}
				j.choose(before)
			}
		}
		after = worth
		if report != nil {
			report(step)
		}
	}
	review.Warnings = w.warnings
	return review, nil
}

// Ended reports whether two passes ended the game at some time. Moves after that are not
// judged, legal or not.
func Ended(g *game.Game) bool { return slices.ContainsFunc(g.Positions(), game.Position.Over) }

// AddLate adds the moves of a record that could not be played because the game was over.
func (r *Review) AddLate(record *sgf.Game) {
	for i := len(r.Moves); i < len(record.Moves); i++ {
		m := record.Moves[i]
		unknown := Worth{Winner: board.Empty}
		r.Moves = append(r.Moves, Judgement{Number: i + 1, Size: record.Size, Colour: m.Colour, Move: m.Point, Before: unknown, After: unknown, Late: true})
	}
}

// walk is a review that is being made.
type walk struct {
	Reviewer
	game     *game.Game
	scored   bool
	warnings []string
}

// look analyses the position after n moves. next is the worth of the position after it.
func (w *walk) look(ctx context.Context, n int, next Worth) (analyse.Analysis, error) {
	p := w.game.Positions()[n]
	moves := w.game.Moves()
	if n < len(moves) && !w.scored && next.Grade == analyse.GradeExact && next.Winner == p.ToPlay {
		move := moves[n].Point
		best := analyse.Finding{Move: move, Name: game.MoveName(p.Size, move), Grade: analyse.GradeExact, By: next.By, Winner: next.Winner.Wins()}
		return analyse.Analysis{Position: p, Best: best}, nil
	}
	return w.ask(ctx, n, true)
}

// ask asks the analyst about the position after n moves. With alone it asks for the
// result only, not for every move.
func (w *walk) ask(ctx context.Context, n int, alone bool) (analyse.Analysis, error) {
	question, timed := w.question(n)
	question.Alone = alone
	if timed && w.scored && w.Time <= 0 && play.Searched(question.Start.Size) {
		w.Time = searchTime
	}
	limited, cancel := context.WithCancel(ctx)
	defer cancel()
	var report func(analyse.Update)
	switch {
	case !timed || w.Time <= 0:
	case question.Estimates: // a first estimate is made however little time there is
		end := time.Now().Add(w.Time)
		report = func(u analyse.Update) {
			if u.Now.Best.Grade >= analyse.GradeEstimated && !time.Now().Before(end) {
				cancel()
			}
		}
	default:
		limited, cancel = context.WithTimeout(limited, w.Time)
		defer cancel()
	}
	analysis, err := w.Analyst.Analyse(limited, question, report)
	w.warn(analysis.Warnings)
	var stopped *job.Stopped
	switch {
	case ctx.Err() != nil:
		return analysis, ctx.Err()
	case errors.As(err, &stopped):
		return analysis, nil
	}
	return analysis, err
}

// searchTime is the time for each position of a board of Go that is searched if no other
// limit is set: such a search may never end.
const searchTime = time.Second

// question makes the question about the position after n moves, with its history where
// that counts. timed says whether the answer may take long.
func (w *walk) question(n int) (q analyse.Question, timed bool) {
	q = analyse.Question{Rules: w.game.Rules(), Start: w.game.Positions()[n]}
	switch {
	case !w.scored:
		q.Estimates = true
	case w.game.Rules().Superko() == weiqi.Basic:
		return q, play.Searched(q.Start.Size)
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
