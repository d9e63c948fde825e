package cgt

import "math"

// IsAllSmall reports whether g is all-small: in every position of its canonical form either
// both players can move or neither can.
func (a *Arena) IsAllSmall(g Game) bool { return a.isAllSmall(g, make(map[Game]bool)) }

func (a *Arena) isAllSmall(g Game, seen map[Game]bool) bool {
	if g == 0 || seen[g] {
		return true
	}
	seen[g] = true
	if len(a.Left(g)) == 0 || len(a.Right(g)) == 0 {
		return false
	}
	for _, p := range [2]player{left, right} {
		for _, option := range a.moves(p, g) {
			if !a.isAllSmall(option, seen) {
				return false
			}
		}
	}
	return true
}

// AtomicWeight measures an infinitesimal game in units of ^ and ignores nimbers: it is 1
// for ^ and ^*, 0 for nimbers and tinies. Every all-small game has an atomic weight, which
// need not be a number. For other games only integer weights are found, where g is near
// enough to a multiple of ^. The second result is false if no weight was found.
func (a *Arena) AtomicWeight(g Game) (Game, bool, error) {
	if l, r := a.Stops(g); l != 0 || r != 0 {
		return 0, false, nil
	}
	weight, err := a.atomicWeight(g, make(map[Game]Game))
	if err != nil || a.IsAllSmall(g) {
		return weight, err == nil, err
	}
	n, ok := a.Number(weight)
	if !ok || n.exponent() > 0 {
		return 0, false, nil
	}
	near, err := a.isNear(g, int(n/One))
	return weight, near, err
}

// isNear reports whether g lies between (n−1)^ and (n+1)^, with a remote star added to
// both. Then g has the atomic weight n.
func (a *Arena) isNear(g Game, n int) (bool, error) {
	star, err := a.remoteStar(g)
	if err != nil {
		return false, err
	}
	for _, side := range []int{-1, 1} {
		bound, err := a.Up(n + side)
		if err != nil {
			return false, err
		}
		if bound, err = a.Add(bound, star); err != nil {
			return false, err
		}
		o, err := a.Compare(g, bound)
		if err != nil {
			return false, err
		}
		if side < 0 && o != L || side > 0 && o != R {
			return false, nil
		}
	}
	return true, nil
}

// remoteStar is a nimber that is no position of g: its number is larger than the birthday
// of g.
func (a *Arena) remoteStar(g Game) (Game, error) {
	n := 1
	for n <= a.Birthday(g) {
		n *= 2
	}
	return a.Nimber(n)
}

// atomicWeight is {w − 2 | w + 2} for the weights w of the options of Left and of Right.
// Where several integers lie between them, a remote star decides: it is the largest integer
// if g is greater than the star, the smallest if g is less, and 0 if they are confused.
func (a *Arena) atomicWeight(g Game, known map[Game]Game) (Game, error) {
	if n := &a.nodes[g]; n.kind&simple != 0 {
		return a.Integer(int(n.up))
	}
	if weight, ok := known[g]; ok {
		return weight, nil
	}
	var sides [2][]Game
	for _, p := range [2]player{left, right} {
		shift, err := a.Integer([2]int{-2, 2}[p])
		if err != nil {
			return 0, err
		}
		for _, option := range a.moves(p, g) {
			w, err := a.atomicWeight(option, known)
			if err != nil {
				return 0, err
			}
			if w, err = a.Add(w, shift); err != nil {
				return 0, err
			}
			sides[p] = append(sides[p], w)
		}
	}
	weight, err := a.Make(sides[left], sides[right])
	if err != nil {
		return 0, err
	}
	if x, ok := a.Number(weight); ok && x.exponent() == 0 {
		if weight, err = a.eccentric(g, sides, weight); err != nil {
			return 0, err
		}
	}
	known[g] = weight
	return weight, nil
}

// eccentric chooses among the integers between the options of a weight.
func (a *Arena) eccentric(g Game, sides [2][]Game, simplest Game) (Game, error) {
	star, err := a.remoteStar(g)
	if err != nil {
		return 0, err
	}
	o, err := a.Compare(g, star)
	if err != nil {
		return 0, err
	}
	p := right // the player whose options bound the integer
	switch {
	case o == L:
	case o == R:
		p = left
	default:
		return simplest, nil
	}
	best, found := 0, false
	for _, w := range sides[p] {
		n, err := a.integerBeside(p, w)
		if err != nil {
			return 0, err
		}
		if !found || p == right && n < best || p == left && n > best {
			best, found = n, true
		}
	}
	if !found {
		return simplest, nil
	}
	return a.Integer(best)
}

// integerBeside is the greatest integer that is not ≥ w if w is an option of Right, or the
// smallest integer that is not ≤ w if w is an option of Left.
func (a *Arena) integerBeside(p player, w Game) (int, error) {
	l, r := a.Stops(w)
	n, step := int(math.Floor(l.Float64())), -1
	if p == left {
		n, step = int(math.Ceil(r.Float64())), 1
	}
	g, err := a.Integer(n)
	if err != nil {
		return 0, err
	}
	beyond := a.lessEq(w, g)
	if p == left {
		beyond = a.lessEq(g, w)
	}
	if a.halted {
		return 0, ErrStopped
	}
	if beyond {
		n += step
	}
	return n, nil
}
