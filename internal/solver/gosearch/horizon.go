package gosearch

import "math/bits"

// close is the outcome of a move after which the prover has at most one move left: a stone
// that makes the claimed points safe, or a second pass.
func (w *worker) close(k *child, need, moves int) outcome {
	won := false
	switch {
	case k.reply && need == 0 && w.secure(&k.state):
		won, k.won = true, 0
	case moves == 0:
	case k.reply:
		won, k.won = w.finished(&k.state), 2
	default:
		won = w.finish(k.own, k.other, k.ko) != 0 || k.passed && w.scored(&k.state) == reached
		k.won = 1
	}
	if won {
		return reached
	}
	return notYet
}

// finish is a point where a stone of the prover, to move, makes the claimed points safe; 0
// if there is none.
func (w *worker) finish(own, other, ko uint64) uint64 {
	for rest := w.candidates(own, other) &^ ko; rest != 0; rest &= rest - 1 {
		if point := rest & -rest; w.finishes(own, other, point) {
			return point
		}
	}
	if w.on.rooms {
		return w.partition(own, other, ko)
	}
	return 0
}

// partition is a point where a stone of the prover, to move, makes a wall of which it keeps
// enough rooms; 0 if there is none.
func (w *worker) partition(own, other, ko uint64) uint64 {
	grid := &w.geo.grid
	index := w.stones.index(own)
	for rest := grid.Mask &^ (own | other | ko) & grid.Around(own); rest != 0; rest &= rest - 1 {
		point := rest & -rest
		if w.stones.need[index|w.stones.bit[bits.TrailingZeros64(point)&63]]&wallBit == 0 {
			continue
		}
		if taken, legal := w.put(own, other, point); legal && w.rooms(own|point, other&^taken, w.wanted()) {
			return point
		}
	}
	return 0
}

// candidates are the empty points where a stone of the prover could be the last one that it
// lacks. Only the prover's stones are looked at.
func (w *worker) candidates(own, other uint64) (points uint64) {
	index := w.stones.index(own)
	if w.stones.need[index]&^wallBit > 1 {
		return 0
	}
	for rest := w.geo.grid.Mask &^ (own | other); rest != 0; rest &= rest - 1 {
		if w.stones.need[index|w.stones.bit[bits.TrailingZeros64(rest)&63]]&^wallBit == 0 {
			points |= rest & -rest
		}
	}
	return points
}

// finishes reports whether a stone of the prover is legal, bans aside, and makes the
// claimed points safe.
func (w *worker) finishes(own, other, point uint64) bool {
	taken, legal := w.put(own, other, point)
	return legal && w.safe(own|point, other&^taken, w.wanted())
}

// put is what a stone of own on an empty point takes, and whether it is no suicide.
func (w *worker) put(own, other, point uint64) (taken uint64, legal bool) {
	grid := &w.geo.grid
	taken = grid.Captures(own, other, point)
	own |= point
	return taken, taken != 0 || grid.Around(grid.Flood(point, own))&^(own|other) != 0
}

// finished reports whether the prover makes the claimed points safe with its next stone, or
// ends the game by a second pass, after whatever the other side does first.
func (w *worker) finished(s *state) bool {
	grid := &w.geo.grid
	after, quiet := false, uint64(0) // a pass there is a stone; those that take nothing
	for rest := w.candidates(s.own, s.other); rest != 0; rest &= rest - 1 {
		point := rest & -rest
		if w.finishes(s.own, s.other, point) {
			if after = true; grid.Captures(s.own, s.other, point) == 0 {
				quiet |= point
			}
		}
	}
	if !after && w.on.rooms {
		after = w.partition(s.own, s.other, 0) != 0
	}
	if (!after || s.passed) && w.scored(s) != reached {
		return false
	}
	f := &w.horizon
	f.blocks.Take(*grid, s.own, s.other)
	f.stones = f.blocks.Moves(1, f.stones[:0])
	for i, m := range f.stones {
		if m.Point == w.spoils { // it may do so again
			f.stones[0], f.stones[i] = m, f.stones[0]
		}
	}
	for _, m := range f.stones {
		if m.Point == s.ko || m.Taken == 0 && w.undisturbed(s, quiet, m.Point) {
			continue
		}
		if k := s.after(m); w.finish(k.own, k.other, k.ko) == 0 {
			w.spoils = m.Point
			return false
		}
	}
	return true
}

// undisturbed reports whether one of the points is as good as before after a stone of the
// other side: it has a liberty and takes nothing. More stones of the other side make no
// point less safe.
func (w *worker) undisturbed(s *state, quiet, played uint64) bool {
	grid := &w.geo.grid
	empty := grid.Mask &^ (s.own | s.other | played)
	if liberties := grid.Around(grid.Flood(played, s.other|played)) & empty; liberties&(liberties-1) == 0 {
		quiet &^= liberties
	}
	return quiet&^played&grid.Around(empty) != 0
}
