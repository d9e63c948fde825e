package player

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	"tengen/board"
	"tengen/game"
	"tengen/internal/lockless"
	"tengen/internal/solver"
	"tengen/nogo"
)

// ErrTooMuchLeft reports that a position has too many open points to be solved.
var ErrTooMuchLeft = errors.New("too much of the board is left to solve it")

// Decider solves positions near the end of the game, on boards of any size. Its table
// keeps results from one question to the next. It is for one goroutine at a time.
type Decider struct {
	table *lockless.Table
	ends  *endgame
	nodes atomic.Uint64 // of all questions
	stop  atomic.Bool
}

// NewDecider takes memory for a table.
func NewDecider(memory int64) (*Decider, error) {
	t, err := lockless.New(memory)
	if err != nil {
		return nil, err
	}
	d := &Decider{table: t}
	d.ends = newEndgame(t, &d.stop)
	return d, nil
}

// Close gives the memory back.
func (d *Decider) Close() { d.table.Close() }

// keptEffort is the least effort of an entry that Save keeps. The others are soon found
// again.
const keptEffort = 4

// Save writes the contents of the table. It may be called while Decide runs.
func (d *Decider) Save(w io.Writer) error { return d.table.Save(w, keptEffort) }

// Load reads what Save wrote.
func (d *Decider) Load(r io.Reader) error { return d.table.Load(r) }

// Stats count the work of all questions. It may be called at any time.
func (d *Decider) Stats() solver.Stats {
	nodes := d.nodes.Load() + d.ends.published.Load()
	return solver.Stats{
		Nodes: nodes, Stored: d.table.Stored(), Capacity: d.table.Capacity(), Bytes: d.table.Bytes(),
		ErrorBound: endgameBound(nodes, d.table),
	}
}

// Fits reports whether a position is near enough to its end for a Decider.
func Fits(p nogo.Position, c board.Colour) bool {
	g := &start{terrain: newTerrain(p.Size)}
	g.enter(p, c)
	g.lay()
	return g.sheet != nil
}

// Decide reports whether c, to move, wins, and if so by which move. Only the context
// limits it.
func (d *Decider) Decide(ctx context.Context, p nogo.Position, c board.Colour) (game.Known, board.Point, error) {
	g := &start{terrain: newTerrain(p.Size)}
	g.enter(p, c)
	if g.lay(); g.sheet == nil {
		return game.Unknown, board.NoPoint, ErrTooMuchLeft
	}
	d.stop.Store(false)
	unwatch := solver.Watch(ctx, &d.stop)
	known, cell := d.ends.decide(g.terrain, g.sheet, &g.field, g.candidates, g.toPlay, 0)
	unwatch()
	d.ends.published.Store(0)
	d.nodes.Add(d.ends.nodes)
	switch {
	case known == game.Won:
		return game.Won, g.point(cell), nil
	case known == game.Lost:
		return game.Lost, board.NoPoint, nil
	case ctx.Err() != nil:
		return game.Unknown, board.NoPoint, ctx.Err()
	}
	return game.Unknown, board.NoPoint, ErrTooMuchLeft
}
