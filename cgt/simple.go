package cgt

import "fmt"

// Dyadic is the number x.
func (a *Arena) Dyadic(x Dyadic) (Game, error) {
	if g, ok := a.numbers[x]; ok {
		return g, nil
	}
	if x.exponent() == 0 {
		return a.integer(x)
	}
	step := One >> x.exponent()
	low, err := a.Dyadic(x - step)
	if err != nil {
		return 0, err
	}
	high, err := a.Dyadic(x + step)
	if err != nil {
		return 0, err
	}
	return a.addNumber(x, []Game{low}, []Game{high})
}

// integer builds n from 0 upwards. It is a loop because recursion could be deep.
func (a *Arena) integer(x Dyadic) (Game, error) {
	if most := Dyadic(a.limits.Birthday) * One; x > most || x < -most {
		return 0, fmt.Errorf("%w: a play of more than %d moves", ErrLimit, a.limits.Birthday)
	}
	step := One
	if x < 0 {
		step = -One
	}
	g := Game(0)
	for n := step; ; n += step {
		next, ok := a.numbers[n]
		if !ok {
			var err error
			if n > 0 {
				next, err = a.addNumber(n, []Game{g}, nil)
			} else {
				next, err = a.addNumber(n, nil, []Game{g})
			}
			if err != nil {
				return 0, err
			}
		}
		if n == x {
			return next, nil
		}
		g = next
	}
}

func (a *Arena) addNumber(x Dyadic, l, r []Game) (Game, error) {
	n := node{
		leftStop: x, rightStop: x,
		lefts: uint16(len(l)), rights: uint16(len(r)),
		kind: simple | number, depth: uint8(x.exponent()),
	}
	for _, side := range [][]Game{l, r} {
		for _, g := range side {
			n.birthday = max(n.birthday, a.nodes[g].birthday+1)
		}
	}
	if x > 0 {
		n.kind |= leftWins
	} else {
		n.kind |= rightWins
	}
	g, err := a.add(hashForm(l, r), n, l, r)
	if err == nil {
		a.numbers[x] = g
	}
	return g, err
}

// Integer is the number n.
func (a *Arena) Integer(n int) (Game, error) {
	x, ok := NewDyadic(int64(n), 0)
	if !ok {
		return 0, fmt.Errorf("%w: the integer %d", ErrLimit, n)
	}
	return a.Dyadic(x)
}

// Nimber is *k, the heap of k counters in Nim. *0 is 0.
func (a *Arena) Nimber(k int) (Game, error) { return a.simple(0, 0, k) }

// Up is n times ^ = {0|*}, for negative n the same multiple of v = {*|0}.
func (a *Arena) Up(n int) (Game, error) { return a.simple(0, n, 0) }

// Switch is {l|r}, a game in which whoever moves gets one of two numbers, if l ≥ r.
func (a *Arena) Switch(l, r Dyadic) (Game, error) {
	high, err := a.Dyadic(l)
	if err != nil {
		return 0, err
	}
	low, err := a.Dyadic(r)
	if err != nil {
		return 0, err
	}
	return a.Make([]Game{high}, []Game{low})
}

// Tiny is +_g = {0||0|−g}. For a positive number g it is positive and smaller
// than ^, however often it is taken. Its negative is miny, -_g.
func (a *Arena) Tiny(g Game) (Game, error) {
	minus, err := a.Neg(g)
	if err != nil {
		return 0, err
	}
	threat, err := a.Make([]Game{0}, []Game{minus})
	if err != nil {
		return 0, err
	}
	return a.Make([]Game{0}, []Game{threat})
}

// simple is the sum of a number, a multiple of ^ and a nimber.
func (a *Arena) simple(x Dyadic, up, star int) (Game, error) {
	if most := min(a.limits.Options, a.limits.Birthday); star < 0 || star > most {
		return 0, fmt.Errorf("%w: the nimber *%d, of which *%d is the largest here", ErrLimit, star, most)
	}
	if most := a.limits.Birthday; up > most || up < -most {
		return 0, fmt.Errorf("%w: %d times ^, where %d times is the most", ErrLimit, up, most)
	}
	if up == 0 {
		return a.nimber(x, star)
	}
	return a.ups(x, up, star)
}

// nimber is x + *k.
func (a *Arena) nimber(x Dyadic, k int) (Game, error) {
	g, err := a.Dyadic(x)
	if err != nil {
		return 0, err
	}
	options := make([]Game, 0, k)
	for range k {
		options = append(options, g)
		if g, err = a.intern(options, options); err != nil {
			return 0, err
		}
	}
	return g, nil
}

// ups is the sum of x, a multiple of ^ other than 0, and a nimber. It is built from
// a single ^ by the identities that recognise uses.
func (a *Arena) ups(x Dyadic, up, star int) (Game, error) {
	build := a.intern
	if up < 0 {
		up = -up
		build = func(l, r []Game) (Game, error) { return a.intern(r, l) }
	}
	base, err := a.Dyadic(x)
	if err != nil {
		return 0, err
	}
	l, r := []Game{base}, []Game{base}
	if first := star ^ (up-1)&1; first != 1 {
		r[0], err = a.nimber(x, first^1)
	} else {
		l = append(l, 0)
		l[1], err = a.nimber(x, 1)
	}
	if err != nil {
		return 0, err
	}
	g, err := build(l, r)
	for ; up > 1 && err == nil; up-- {
		g, err = build(l[:1], []Game{g})
	}
	return g, err
}
