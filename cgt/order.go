package cgt

// LessEq reports whether g ≤ h: Left, moving second, wins h − g.
func (a *Arena) LessEq(g, h Game) (bool, error) {
	le := a.lessEq(g, h)
	if a.halted {
		return false, ErrStopped
	}
	return le, nil
}

// Compare is the outcome of g − h, which it does not make: L if g is greater, R
// if it is less, P if they are equal and N if neither can be said.
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

// lessEq decides g ≤ h. After it was stopped its answers mean nothing, and
// halted is set.
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

// compareNodes decides what the nodes of two unequal games decide.
//
// If g stops below h even when Left begins there and Right here, g < h; and if
// g ≤ h, so are their stops. A multiple of ^ and a nimber make a positive game
// if ^ comes twice, or once with any nimber but *.
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
// Right has a move h' ≤ g. Beside a game that is no number nobody needs to move
// in a number.
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
