package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/game"
	"tengen/gtp"
	"tengen/internal/review"
	"tengen/internal/text"
)

func (s *Session) registerReview() {
	s.handle("tengen-mistake", 0, 0, "", s.mistake)
	s.handle("tengen-review", 0, 0, "", s.reviewGame)
	s.handle("tengen-why", 1, 2, "[COLOR] VERTEX", s.why)
}

var errNoMoves = errors.New("there is no move to judge")

// mistake judges the last move in the form that GoGui draws: the move red and a better
// one green.
func (s *Session) mistake(ctx context.Context, _ gtp.Command) (string, error) {
	moves := s.game.Moves()
	if len(moves) == 0 {
		return "", errNoMoves
	}
	g, err := s.since(len(moves) - 1)
	if err != nil {
		return "", err
	}
	found, err := s.reviewer(s.options.Exact.Time/2).Game(ctx, g, nil) // of two positions
	if err != nil {
		return "", err
	}
	j := found.Moves[0]
	says := j.Says()
	switch {
	case says != "" || j.Grade == analyse.GradeUnknown:
	case j.Only:
		says = j.Name() + " is the only move that costs nothing."
	default:
		says = j.Name() + " costs nothing."
	}
	answer := "TEXT " + strings.Join(strings.Fields(says+" "+s.notes[len(moves)]+" "+j.Sentence()), " ")
	if !j.Mistake() {
		return answer, nil
	}
	var better, worse board.Set
	if j.Move != game.Pass {
		worse.Add(j.Move)
	}
	if j.Known && j.Best != game.Pass {
		better.Add(j.Best)
	}
	return answer + paint(j.Size, better, worse), nil
}

// why says what a move of Go costs, and the line in which the loser resists longest.
func (s *Session) why(ctx context.Context, c gtp.Command) (string, error) {
	if !s.game.Rules().Scored() {
		return "", fmt.Errorf("this is known of %s only, the game is %s", game.Go{}.Name(), s.game.Rules().Name())
	}
	colour, err := s.colourOr(c.Args[:len(c.Args)-1])
	if err != nil {
		return "", err
	}
	m, err := s.parseMove(colour.String(), c.Args[len(c.Args)-1])
	if err != nil {
		return "", err
	}
	question := s.question(colour)
	if err := game.New(question.Rules, question.Start).Check(m.Point); err != nil {
		return "", fmt.Errorf("illegal move: %w", err)
	}
	ctx, cancel := job.Limits{Time: s.options.Exact.Time}.Context(ctx)
	defer cancel()
	r, err := s.analyst.Refute(ctx, question, m.Point)
	if stopped := (*job.Stopped)(nil); errors.As(err, &stopped) {
		return "", fmt.Errorf("not solved in the time: %w", err)
	}
	if err != nil {
		return "", err
	}
	size := s.size()
	says := "keeps the score"
	if r.Cost > 0 {
		says = "costs " + text.Plural(r.Cost, "point")
	}
	return fmt.Sprintf("%s %s: then %s\n%s", game.MoveName(size, m.Point), says, text.Verdict(r.After), strings.Join(game.LineNames(question.Rules, question.Start, r.Line), " ")), nil
}

// reviewTime is the time for each position of a review that is not solved at once.
const reviewTime = time.Second

// reviewGame summarises the game and lists the mistakes of both sides. It leaves out
// moves that are not judged when the time for exact results is over. Late moves are
// judged first.
func (s *Session) reviewGame(ctx context.Context, _ gtp.Command) (string, error) {
	moves, positions := s.game.Moves(), s.game.Positions()
	if len(moves) == 0 {
		return "", errNoMoves
	}
	// If a side moves twice in a row, the position between is not part of a game.
	first := len(moves) - 1
	for first > 0 && positions[first].ToPlay == moves[first].Colour {
		first--
	}
	g, err := s.since(first)
	if err != nil {
		return "", err
	}
	limited, cancel := job.Limits{Time: s.options.Exact.Time}.Context(ctx)
	defer cancel()
	found, err := s.reviewer(reviewTime).Game(limited, g, nil)
	if err != nil && limited.Err() == nil {
		return "", err
	}
	lines := []string{found.Summary()}
	for _, j := range found.Moves {
		if j.Mistake() {
			lines = append(lines, fmt.Sprintf("%d %s: %s", first+j.Number, j.Colour, j.Says()))
		}
	}
	return strings.Join(lines, "\n"), nil
}

func (s *Session) reviewer(t time.Duration) review.Reviewer {
	return review.Reviewer{Analyst: s.analyst, Time: t}
}

// since is the game from the position before a move on, with the side to play that
// made the move.
func (s *Session) since(n int) (*game.Game, error) {
	moves := s.game.Moves()[n:]
	before := game.New(s.game.Rules(), s.game.Positions()[n])
	g := game.New(s.game.Rules(), before.At(moves[0].Colour))
	for _, m := range moves {
		if err := g.PlayAs(m.Colour, m.Point); err != nil {
			return nil, err
		}
	}
	return g, nil
}
