package analyse_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tengen/board"
	"tengen/engine/analyse"
	"tengen/engine/job"
	"tengen/engine/play"
	"tengen/game"
	"tengen/nogo"
)

// counter is a player that answers at once.
type counter struct {
	play.Mover
	moves int
	ended func() // is called after three moves
}

func (c *counter) Move(_ context.Context, p nogo.Position, _ board.Colour, _ play.Budget) (game.Choice, error) {
	if c.moves++; c.moves == 3 {
		c.ended()
	}
	return game.Choice{Move: p.Size.At(0, 0), Source: game.FromPlayouts, Playouts: 1, WinShare: 0.5}, nil
}

// Where nothing can be proven, no time is set aside for proofs: one estimate follows the other.
func TestEstimatesDoNotWaitForProofs(t *testing.T) {
	a := newAnalyst(t, analyse.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	player := &counter{ended: cancel}
	question := askNoGo(nogo.NewPosition(board.Size{Rows: 9, Cols: 9}), board.Black)
	question.Estimates, question.Mover, question.Every = true, player, time.Hour
	var stopped *job.Stopped
	if _, err := a.Analyse(ctx, question, nil); !errors.As(err, &stopped) || player.moves != 3 {
		t.Errorf("after %d estimates: %v", player.moves, err)
	}
}
