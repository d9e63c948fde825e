package linear

import (
	"math/bits"

	"tengen/board"
	"tengen/internal/region"
	"tengen/internal/strip"
	"tengen/nogo"
)

// cached is a strip with what was derived from it.
type cached struct {
	strip strip.Strip
	facts
}

// describe derives the facts of a strip without a value, from the worker's cache
// if it can.
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
	f.enclosure = enclosure{-f.open[1], f.open[0], -f.open[1] - 1, f.open[0] + 1}
	if !w.rules.static {
		return f
	}
	if fits(s) {
		f.enclosure = count(s)
	}
	f.atLeast, f.atMost = f.low, f.high
	if w.values.db != nil {
		if b, ok := w.values.db.Bounds(s); ok {
			f.enclosure = enclosure{int8(b.Low), int8(b.High), int8(b.High) - 1, int8(b.Low) + 1}
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

// count encloses a strip by counting the moves that cannot be taken from a
// colour, in each of its independent regions.
func count(s strip.Strip) enclosure {
	grid, stones := row(s)
	r := region.Of(grid, stones)
	var e enclosure
	gain, loss := -1, 1
	for rest := r.Points(); rest != 0; {
		points := r.Component(grid, rest)
		rest &^= points
		var piece region.Region
		r.Part(points, &piece)
		b := piece.Bounds(grid)
		e.low += int8(b.Low)
		e.high += int8(b.High)
		gain = max(gain, b.First-b.Low)
		loss = min(loss, b.Reply-b.High)
	}
	e.first, e.reply = e.low+int8(gain), e.high+int8(loss)
	return e
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
