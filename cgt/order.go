package cgt

import "tengen/internal/yield"

// LessEq reports whether g ≤ h: Left, moving second, wins h − g.
func (a *Arena) LessEq(g, h Game) (bool, error) {
	le := a.lessEq(g, h)
	if a.halted {
		return false, ErrStopped
	}
	return le, nil
}

// Compare is the outcome of g − h, found without making that game: L if g is
// greater, R if it is less, P if they are equal and N if they are confused.
func (a *Arena) Compare(g, h Game) (Outcome, error) {
	o := P
	if !a.lessEq(g, h) {
		o |= L
	}
	if !a.lessEq(h, g) {
		o |= R
	}
	if a.halted {
		return 0, ErrStopped
	}
	return o, nil
}

// lessEq decides g ≤ h. If it is stopped, halted is set and its answers mean
// nothing.
func (a *Arena) lessEq(g, h Game) bool {
	if g == h {
		return true
	}
	if le, ok := compareNodes(&a.nodes[g], &a.nodes[h]); ok {
		return le
	}
	key := pairKey(g, h)
	if i := a.orders.find(key); i >= 0 {
		return a.orders.keys[i]&1 != 0
	}
	yield.Now()
	if a.stop.Load() {
		a.halted = true
		return false
	}
	le := a.searchOrder(g, h)
	if a.halted {
		return false
	}
	if le {
		key |= 1
	}
	a.orders.insert(key, 0)
	return le
}

// compareNodes decides g ≤ h for two unequal games where their nodes suffice.
//
// If the left stop of g is less than the right stop of h, then g < h. If g ≤ h,
// each stop of g is at most that of h. The sum of n times ^ and a nimber is
// positive if n ≥ 2, or if n is 1 and the nimber is not *.
func compareNodes(g, h *node) (le, decided bool) {
	switch {
	case g.leftStop < h.rightStop:
		return true, true
	case g.leftStop > h.leftStop, g.rightStop > h.rightStop:
		return false, true
	case g.kind&h.kind&simple != 0:
		ups, star := int(h.up)-int(g.up), h.star^g.star
		return ups > 1 || ups == 1 && star != 1, true
	}
	return false, false
}

// searchOrder applies the definition: g ≤ h unless Left has a move g' ≥ h or
// Right has a move h' ≤ g. If one of the games is not a number, moves in a
// number need not be searched.
func (a *Arena) searchOrder(g, h Game) bool {
	if !a.IsNumber(h) {
		for _, option := range a.Right(h) {
			if a.lessEq(option, g) {
				return false
			}
		}
	}
	if !a.IsNumber(g) {
		for _, option := range a.Left(g) {
			if a.lessEq(h, option) {
				return false
			}
		}
	}
	return true
}

// noBetter reports whether g is no better for p than h.
func (a *Arena) noBetter(p player, g, h Game) bool {
	if p == right {
		g, h = h, g
	}
	return a.lessEq(g, h)
}
