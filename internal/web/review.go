package web

import (
	"context"
	"errors"

	"github.com/danielgtaylor/huma/v2"

	"tengen/engine/analyse"
	"tengen/game"
	"tengen/internal/review"
)

// Worth is the result of a position with best play.
type Worth struct {
	Grade  string   `json:"grade" enum:"exact,bounded,estimated,unknown" doc:"exact, bounded, estimated or unknown"`
	By     string   `json:"by,omitempty" doc:"where the result comes from, such as table, search or store"`
	Winner string   `json:"winner,omitempty" enum:"black,white,none" doc:"if it is exact: black, white or none"`
	Score  *int     `json:"score,omitempty" doc:"of Go, if it is exact: Black's area less White's"`
	Lo     *int     `json:"lo,omitempty" doc:"of Go: bounds of a score that is not exact"`
	Hi     *int     `json:"hi,omitempty"`
	Share  *float64 `json:"share,omitempty" doc:"estimated: share of wins that Black may expect"`
}

// Judged is a move of a game and what it cost.
type Judged struct {
	Number  int      `json:"number" doc:"of the move in the game, from 1 on"`
	Colour  string   `json:"colour" enum:"b,w"`
	Move    string   `json:"move"`
	Before  Worth    `json:"before"`
	After   Worth    `json:"after"`
	Grade   string   `json:"grade" enum:"exact,bounded,estimated,unknown" doc:"how sure the cost is: exact, bounded (at least this), estimated or unknown"`
	Cost    float64  `json:"cost" doc:"points of Go; of NoGo 1 for a win thrown away, or an estimated share of wins"`
	Mistake bool     `json:"mistake" doc:"it cost something, or is estimated to have cost much"`
	Only    bool     `json:"only" doc:"no other move kept the result"`
	Best    string   `json:"best,omitempty" doc:"a move that keeps the result, if one is known"`
	Line    []string `json:"line,omitempty" doc:"best play from there, as far as it is known"`
	Cut     bool     `json:"cut,omitempty" doc:"the game goes on after line"`
	Says    string   `json:"says,omitempty" doc:"of a mistake, a sentence"`
}

// Reviewed is a game and all its moves.
type Reviewed struct {
	Moves    []Judged `json:"moves" doc:"in the order of the game"`
	Summary  string   `json:"summary"`
	Warnings []string `json:"warnings"`
	Late     bool     `json:"late,omitempty" doc:"the time was up before everything was decided"`
}

// review judges the moves of a question as annotate and the board in the terminal do.
func (s *Server) review(ctx context.Context, in *body[Question]) (*huma.StreamResponse, error) {
	a, err := in.Body.read()
	if err != nil {
		return nil, err
	}
	if len(a.moves) == 0 {
		return nil, wrong(".moves", nil, errors.New("a review needs a game with moves"))
	}
	if a.onRow() {
		s.ahead.strips()
	}
	return s.whenFree(ctx, s.analyses, "review", func(ctx context.Context, send sender) { s.judge(ctx, a.game, send) })
}

// judge reviews a game that has its slot.
func (s *Server) judge(ctx context.Context, g *game.Game, send sender) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	limited, cancel := context.WithTimeout(ctx, s.options.Time)
	defer cancel()
	found, err := review.Played(s.analyst, g).Game(limited, g, func(step review.Step) {
		if step.Judged == nil {
			return
		}
		if err := send("judged", judged(*step.Judged)); err != nil {
			stop(err) // nobody listens
		}
	})
	answer := Reviewed{Moves: make([]Judged, len(found.Moves)), Summary: sentence(found.Summary()), Warnings: append([]string{}, found.Warnings...)}
	for i, j := range found.Moves {
		answer.Moves[i] = judged(j)
	}
	switch {
	case err == nil:
		send("reviewed", answer)
	case ctx.Err() != nil:
		s.counts.cancelled.Inc()
		send("problem", stopping)
	case errors.Is(err, context.DeadlineExceeded):
		answer.Late, answer.Warnings = true, append(answer.Warnings, s.late())
		send("reviewed", answer)
	default:
		send("problem", s.trouble(err))
	}
}

func judged(j review.Judgement) Judged {
	r := Judged{
		Number: j.Number, Colour: letter(j.Colour), Move: j.Name(), Before: worth(j.Before), After: worth(j.After),
		Grade: j.Grade.String(), Cost: j.Cost, Mistake: j.Mistake(), Only: j.Only, Says: j.Says(),
	}
	if j.Grade != analyse.GradeUnknown {
		r.Best, r.Line, r.Cut = j.BestName(), game.MoveNames(j.Size, j.Line), j.Cut
	}
	return r
}

func worth(w review.Worth) Worth {
	r := Worth{Grade: w.Grade.String(), By: string(w.By)}
	switch {
	case w.Grade == analyse.GradeExact:
		r.Winner = winner(w.Winner)
		if w.Scored {
			r.Score = &w.Score
		}
	case w.Grade == analyse.GradeBounded:
		r.Lo, r.Hi = &w.Low, &w.High
	case w.Grade == analyse.GradeEstimated:
		r.Share = &w.Share
	}
	return r
}
