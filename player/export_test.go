package player

import (
	"context"
	"errors"
	"sync/atomic"

	"tengen/board"
	"tengen/nogo"
	"tengen/solver"
	"tengen/table"
)

// Decide solves a position of which little is left, without a limit but the context.
func Decide(ctx context.Context, p nogo.Position, c board.Colour) (Known, error) {
	g := &start{terrain: newTerrain(p.Size)}
	g.enter(p, c)
	if g.lay(); g.sheet == nil {
		return Unknown, errors.New("too much is left on the board")
	}
	t, err := table.NewThresholds(256 << 20)
	if err != nil {
		return Unknown, err
	}
	defer t.Close()
	var stop atomic.Bool
	defer solver.Watch(ctx, &stop)()
	known, _ := newEndgame(t, &stop).decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, 0)
	return known, ctx.Err()
}
