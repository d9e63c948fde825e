package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/internal/review"
	"tengen/internal/text"
)

// GoPlayer is an opponent at Go: perfect where there is a table, and by search on boards
// too large for one.
type GoPlayer struct {
	Mover   *play.GoMover
	Analyst *analyse.Analyst // gives hints
}

func (g GoPlayer) String() string {
	switch {
	case g.Mover.Exact():
		return "perfect"
	case g.Mover.Searches():
		return "search"
	}
	return "strategy"
}

// Playouts is 0: nothing is played out.
func (g GoPlayer) Playouts() int { return 0 }

// Move chooses a move and describes its worth.
func (g GoPlayer) Move(ctx context.Context, positions []game.Position) (Reply, error) {
	now := positions[len(positions)-1]
	if g.Mover.Exact() {
		// A table answers at once, so an opponent that is hurried needs no other move.
		ctx = context.WithoutCancel(ctx)
	}
	choice, err := g.Mover.MoveWithin(ctx, now, positions[:len(positions)-1], 0)
	if err != nil {
		return Reply{}, err
	}
	says := ": a guess."
	switch choice.Source {
	case game.FromBound:
		says = fmt.Sprintf(": proven so far, the score is %s.", text.Bounds(choice.Lo, choice.Hi, now.Size.Points()))
	case game.FromGuess:
		if g.Mover.Searches() {
			says = ": a guess. Little is proven so early in the game."
		}
	case game.FromTable, game.FromSearch, game.FromCertificate:
		says = fmt.Sprintf(": exact, %s with best play.", result(choice.Score))
	case game.FromStrategy:
		says = " by the strategy for single rows: it draws at least."
	}
	return Reply{choice.Move, says}, nil
}

// result is the score of best play in words.
func result(score int) string {
	switch {
	case score > 0:
		return fmt.Sprintf("Black wins by %d", score)
	case score < 0:
		return fmt.Sprintf("White wins by %d", -score)
	}
	return "a draw"
}

// Hint gives the exact score of every move for the side to play.
func (g GoPlayer) Hint(ctx context.Context, positions []game.Position) (Hint, error) {
	now := positions[len(positions)-1]
	if g.Mover.Searches() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, hintTime)
		defer cancel()
	}
	analysis, err := g.Analyst.Analyse(ctx, analyse.Question{Rules: game.Go{}, Start: now}, nil)
	var stopped *job.Stopped
	switch {
	case g.Mover.Searches() && !analysis.Settled() && (err == nil || errors.As(err, &stopped)):
		return boundedHint(analysis), nil
	case err != nil:
		return Hint{}, err
	case !analysis.Settled():
		return Hint{}, fmt.Errorf("there is no table of %s, and scores are not known without it", now.Size)
	}
	return goHint(analysis), nil
}

// Review judges the moves of a game by the table.
func (g GoPlayer) Review(ctx context.Context, played *game.Game) (review.Review, error) {
	return review.Played(g.Analyst, played).Game(ctx, played, nil)
}

// boundedHint marks the moves whose scores are known, and says what is proven of the
// position.
func boundedHint(a analyse.Analysis) Hint {
	p, sign := a.Position, 1
	if p.ToPlay == board.White {
		sign = -1
	}
	h := Hint{Marks: map[board.Point]Mark{}}
	for _, m := range a.Moves {
		if m.Grade != analyse.GradeExact || m.Move == game.Pass {
			continue
		}
		grade := Guess
		if a.Best.Grade == analyse.GradeExact {
			if grade = Bad; m.Score == a.Best.Score {
				grade = Good
			}
		}
		h.Marks[m.Move] = Mark{Grade: grade, Text: text.Lead(sign * m.Score)}
	}
	switch a.Best.Grade {
	case analyse.GradeExact:
		h.Says = fmt.Sprintf("Exact: %s; not every move is solved yet.", result(a.Best.Score))
	case analyse.GradeBounded:
		h.Says = fmt.Sprintf("Proven so far: the score is %s.", text.Bounds(a.Best.Lo, a.Best.Hi, p.Size.Points()))
	default:
		h.Says = "Nothing is proven yet: later in the game more is."
	}
	if a.Best.Name != "" {
		h.Says += fmt.Sprintf(" A good move: %s.", a.Best.Name)
	}
	return h
}

// goHint turns scores into marks and a sentence. The scores on the board are
// those of the side to play.
func goHint(a analyse.Analysis) Hint {
	p, sign := a.Position, 1
	if p.ToPlay == board.White {
		sign = -1
	}
	h := Hint{Marks: map[board.Point]Mark{}}
	var best []string
	pass := ""
	for _, m := range a.Moves {
		grade := Bad
		if m.Score == a.Best.Score {
			grade = Good
		}
		name := "a pass"
		if m.Move != game.Pass {
			name = m.Name
			h.Marks[m.Move] = Mark{Grade: grade, Text: text.Lead(sign * m.Score)}
		} else if grade == Bad {
			pass = fmt.Sprintf(" After a pass: %s.", result(m.Score))
		}
		if grade == Good {
			best = append(best, name)
		}
	}
	verb := "is"
	if len(best) > 1 {
		verb = "are"
	}
	h.Says = fmt.Sprintf("Exact: %s; best %s %s.%s", result(a.Best.Score), verb, few(best), pass)
	return h
}

// few joins the first few names.
func few(names []string) string {
	const most = 6
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
