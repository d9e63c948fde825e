package session

import (
	"context"
	"errors"
	"fmt"

	"tengen/board"
	"tengen/engine"
	"tengen/gtp"
)

// results marks every legal move by who wins after it, for GoGui: green wins for who
// makes it.
func (s *Session) results(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	result, err := s.exact(ctx, colour, true)
	if err != nil {
		return "", err
	}
	if len(result.Moves) == 0 {
		return fmt.Sprintf("TEXT %s to play has no legal move: %s has won", colour, result.Winner), nil
	}
	var wins, losses board.Set
	for _, m := range result.Moves {
		if m.Winner == colour {
			wins.Add(m.Move)
		} else {
			losses.Add(m.Move)
		}
	}
	text := fmt.Sprintf("TEXT %s to play: %s wins, %d of %d moves win", colour, result.Winner, wins.Len(), len(result.Moves))
	if !wins.IsEmpty() {
		text += "\nCOLOR green " + names(s.game.size(), wins)
	}
	if !losses.IsEmpty() {
		text += "\nCOLOR red " + names(s.game.size(), losses)
	}
	return text, nil
}

// solve says who wins, and by which move if that is the side to play.
func (s *Session) solve(ctx context.Context, c gtp.Command) (string, error) {
	colour, err := s.colourOr(c.Args)
	if err != nil {
		return "", err
	}
	result, err := s.exact(ctx, colour, false)
	if err != nil {
		return "", err
	}
	if result.Winner == colour && len(result.Line) > 0 {
		return fmt.Sprintf("%s %s", result.Winner, s.game.size().Name(result.Line[0])), nil
	}
	return result.Winner.String(), nil
}

func (s *Session) exact(ctx context.Context, c board.Colour, eachMove bool) (engine.Result, error) {
	if s.options.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.options.Timeout)
		defer cancel()
	}
	result, err := engine.Solve(ctx, engine.Request{
		Position: s.game.now(),
		ToPlay:   c,
		EachMove: eachMove,
		Memory:   s.options.Memory,
		Threads:  s.options.Threads,
	})
	var stopped *engine.Stopped
	if errors.As(err, &stopped) {
		return result, fmt.Errorf("not solved in the time there is: %w", err)
	}
	return result, err
}
