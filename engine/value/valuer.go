package value

import (
	"math"

	"tengen/board"
	"tengen/cgt"
	"tengen/internal/region"
	"tengen/internal/strip"
	"tengen/nogo"
)

// valuer finds canonical forms of positions and sums in one arena, and remembers those
// of strips and regions.
type valuer struct {
	arena  *cgt.Arena
	strips *strip.Values
	boards map[board.Size]*region.Values
	memory int64 // bytes for the regions of boards of one size
}

// newValuer leaves a quarter of the memory for what is known of the regions of boards,
// shared out among their sizes. Strips need little.
func newValuer(sum Sum, memory int64) *valuer {
	sizes := make(map[board.Size]bool)
	for _, p := range sum.Positions() {
		if !p.Size.IsRow() {
			sizes[p.Size] = true
		}
	}
	arena := cgt.New(cgt.Limits{Games: math.MaxInt32, Memory: memory - memory/4})
	return &valuer{arena, strip.NewValues(arena), make(map[board.Size]*region.Values), memory / 4 / int64(max(len(sizes), 1))}
}

// ofSum adds up the values of the summands that do not cancel.
func (v *valuer) ofSum(sum Sum) (cgt.Game, error) {
	return cgt.SumOf(v.arena, sum.cancelled(), v.of)
}

func (v *valuer) of(s Summand) (cgt.Game, error) {
	if s.IsPosition() {
		return v.ofPosition(s.Position)
	}
	return cgt.SumOf(v.arena, s.terms, func(t cgt.Term) (cgt.Game, error) { return v.arena.Evaluate(t, v.ofText) })
}

func (v *valuer) ofText(text string) (cgt.Game, error) {
	p, err := readPosition(text)
	if err != nil {
		return 0, err
	}
	return v.ofPosition(p)
}

// ofPosition is the value of a row of any length, or of a small board.
func (v *valuer) ofPosition(p nogo.Position) (cgt.Game, error) {
	if p.Size.IsRow() {
		parts, err := stripsOf(p)
		if err != nil {
			return 0, err
		}
		return v.strips.Sum(parts...)
	}
	layout := region.NewLayout(p.Size)
	whole := region.Of(layout.Grid, layout.Stones(p))
	values, ok := v.boards[p.Size]
	if !ok {
		values = region.NewValues(v.arena, layout.Grid, v.memory)
		v.boards[p.Size] = values
	}
	return values.Of(&whole)
}
