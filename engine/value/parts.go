package value

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"tengen/board"
	"tengen/cgt"
	"tengen/engine/job"
	"tengen/internal/region"
	"tengen/nogo"
)

// Parts is a position as the sum of its independent parts. docs/regions.md argues
// why they are.
type Parts struct {
	Parts []Part // the smallest first
	// Neutral are empty points where nobody may play any more: liberties for ever.
	Neutral []board.Point
	Sum     Value
	Known   bool // Sum is; false if a value was beyond the limits
}

// Part is a region that no move elsewhere changes.
type Part struct {
	Points []board.Point // that can still be played on
	Value  Value
	Known  bool // Value is
}

// FindParts divides a position into parts and finds their values, with Black as Left. It leaves
// out values that need too much memory or time.
func FindParts(ctx context.Context, p nogo.Position, limits job.Limits) (Parts, error) {
	limits, err := Request{Sum: Of(p), Limits: limits}.check()
	if err == nil {
		err = beyondValues(p.Size)
	}
	if err != nil {
		return Parts{}, err
	}
	limited, cancel := limits.Context(ctx)
	defer cancel()
	layout := region.NewLayout(p.Size)
	whole := region.Of(layout.Grid, layout.Stones(p))
	arena := cgt.New(cgt.Limits{Games: math.MaxInt32, Memory: limits.Memory - limits.Memory/4})
	defer context.AfterFunc(limited, arena.Stop)()
	values := region.NewValues(arena, layout.Grid, limits.Memory/4)

	var result Parts
	var games []*region.Region
	open := whole.Points()
	for rest := open; rest != 0; {
		piece := whole.Component(layout.Grid, rest)
		rest &^= piece
		r := new(region.Region)
		whole.Part(piece, r)
		games = append(games, r)
	}
	slices.SortStableFunc(games, func(x, y *region.Region) int {
		return cmp.Compare(len(pointsOf(layout, p.Size, x.Points())), len(pointsOf(layout, p.Size, y.Points())))
	})
	total, err := arena.Integer(0)
	for _, r := range games {
		part := Part{Points: pointsOf(layout, p.Size, r.Points())}
		var g cgt.Game
		if err == nil {
			g, err = values.Of(r)
		}
		if err == nil {
			part.Value, err = describe(arena, g)
			part.Known = err == nil
		}
		if err == nil {
			total, err = arena.Add(total, g)
		}
		result.Parts = append(result.Parts, part)
	}
	if err == nil {
		result.Sum, err = describe(arena, total)
		result.Known = err == nil
	}
	for _, q := range pointsOf(layout, p.Size, ^open) {
		if !p.Stones[board.Black].Has(q) && !p.Stones[board.White].Has(q) {
			result.Neutral = append(result.Neutral, q)
		}
	}
	switch {
	case ctx.Err() != nil:
		return result, &job.Stopped{Cause: ctx.Err(), Known: "not every value is known"}
	case limited.Err() != nil || errors.Is(err, cgt.ErrLimit):
		return result, nil
	}
	return result, err
}

// pointsOf lists the points of a board in a set of cells, row by row from the bottom.
func pointsOf(layout region.Layout, size board.Size, cells uint64) (points []board.Point) {
	for _, p := range size.All() {
		if cells&layout.Bit(p) != 0 {
			points = append(points, p)
		}
	}
	return points
}
