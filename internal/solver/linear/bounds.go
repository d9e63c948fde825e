package linear

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/region"
	"tengen/internal/solver"
	"tengen/internal/strip"
	"tengen/nogo"
)

// cached is a strip with its facts.
type cached struct {
	strip strip.Strip
	facts
}

// describe finds the facts of a strip without a value, in the worker's cache
// if they are there.
func (w *worker) describe(s strip.Strip) facts {
	black, white := s.Slots()
	slot := &w.cache[(fold(black, mulA)+fold(white, mulB)+uint64(s.Points()))%cacheSize]
	if slot.strip != s {
		*slot = cached{s, w.derive(s)}
	}
	return slot.facts
}

func (w *worker) derive(s strip.Strip) facts {
	var f facts
	f.key, f.inverse = stripKeys(s)
	black, white := s.Legal()
	f.open = [2]int8{int8(bits.OnesCount64(black)), int8(bits.OnesCount64(white))}
	f.contested = int8(bits.OnesCount64(black & white))
	f.Value = solver.Value{Low: -f.open[1], High: f.open[0], First: -f.open[1] - 1, Reply: f.open[0] + 1}
	if !w.on.static {
		return f
	}
	if fits(s) {
		f.Value = count(s)
	}
	f.atLeast, f.atMost = f.Low, f.High
	if w.values.db != nil {
		if b, ok := w.values.db.Bounds(s); ok {
			f.Value = beside(b.Low, b.High)
		}
	}
	return f
}

// fits reports whether a region can hold the blocks of a strip. Only positions
// with stones already on the board can have more.
func fits(s strip.Strip) bool {
	black, white := s.Slots()
	return max(bits.OnesCount64(black), bits.OnesCount64(white)) <= region.MaxBlocks
}

// count bounds a strip by counting the moves that nobody can take from a
// colour, in each of its independent regions.
func count(s strip.Strip) solver.Value {
	grid, stones := row(s)
	r := region.Of(grid, stones)
	total := solver.NewTotal(0)
	for rest := r.Points(); rest != 0; {
		points := r.Component(grid, rest)
		rest &^= points
		var piece region.Region
		r.Part(points, &piece)
		b := piece.Bounds(grid)
		total.Add(&solver.Value{Low: int8(b.Low), High: int8(b.High), First: int8(b.First), Reply: int8(b.Reply)})
	}
	return solver.Value{
		Low: int8(total.Low), High: int8(total.High),
		First: int8(total.Low + total.Gain), Reply: int8(total.High + total.Loss),
	}
}

// beside is the value of a game given by the integers next to it.
func beside(low, high int) solver.Value {
	return solver.Value{Low: int8(low), High: int8(high), First: int8(high - 1), Reply: int8(low + 1)}
}

// row lays a strip out as a board of one row.
func row(s strip.Strip) (nogo.Grid, nogo.Stones) {
	var stones nogo.Stones
	black, white := s.Slots()
	cell := 0
	for slot := range s.Points() + 1 {
		if (black|white)>>slot&1 != 0 {
			stones[white>>slot&1] |= 1 << cell
			cell++
		}
		cell++
	}
	cell-- // no point follows the last slot
	return nogo.Grid{Grid: board.Grid{Stride: cell + 1, Mask: 1<<cell - 1}}, stones
}
