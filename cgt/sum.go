package cgt

import (
	"slices"

	"tengen/internal/yield"
)

// Add is g + h.
func (a *Arena) Add(g, h Game) (Game, error) {
	if g > h {
		g, h = h, g
	}
	m, n := &a.nodes[g], &a.nodes[h]
	switch {
	case g == 0:
		return h, nil
	case m.kind&n.kind&number != 0:
		return a.Dyadic(m.leftStop + n.leftStop)
	case a.negatives[g] == h:
		return 0, nil
	}
	key := pairKey(g, h)
	if i := a.sums.find(key); i >= 0 {
		return a.sums.values[i], nil
	}
	yield.Now()
	if a.stop.Load() {
		return 0, ErrStopped
	}
	var sum Game
	var err error
	switch {
	case m.kind&n.kind&simple != 0:
		sum, err = a.simple(m.leftStop+n.leftStop, int(m.up)+int(n.up), int(m.star^n.star))
	case m.kind&number != 0:
		sum, err = a.translate(h, g)
	case n.kind&number != 0:
		sum, err = a.translate(g, h)
	default:
		sum, err = a.addOptions(g, h)
	}
	if err == nil {
		a.sums.insert(key, sum)
	}
	return sum, err
}

// SumOf adds up the values of items.
func SumOf[T any](a *Arena, items []T, value func(T) (Game, error)) (Game, error) {
	total := Game(0)
	for _, item := range items {
		g, err := value(item)
		if err != nil {
			return 0, err
		}
		if total, err = a.Add(total, g); err != nil {
			return 0, err
		}
	}
	return total, nil
}

// Sub is g − h.
func (a *Arena) Sub(g, h Game) (Game, error) {
	minus, err := a.Neg(h)
	if err != nil {
		return 0, err
	}
	return a.Add(g, minus)
}

// Neg is −g, the game with the players exchanged.
func (a *Arena) Neg(g Game) (Game, error) {
	if minus := a.negatives[g]; minus != 0 || g == 0 {
		return minus, nil
	}
	var minus Game
	var err error
	if n := &a.nodes[g]; n.kind&simple != 0 {
		minus, err = a.simple(-n.leftStop, -int(n.up), int(n.star))
	} else {
		minus, err = a.mapOptions(g, right, a.Neg)
	}
	if err != nil {
		return 0, err
	}
	a.negatives[g], a.negatives[minus] = minus, g
	return minus, nil
}

// translate adds a number to a game that is not a number. Moves in the number
// need not be considered, and canonical options stay canonical.
func (a *Arena) translate(g, x Game) (Game, error) {
	return a.mapOptions(g, left, func(option Game) (Game, error) { return a.Add(option, x) })
}

// mapOptions applies a change to every option of g and makes the game of the
// results. The change must keep options canonical. The changed options of Left
// become options of p.
func (a *Arena) mapOptions(g Game, p player, change func(Game) (Game, error)) (Game, error) {
	base := len(a.stack)
	defer func() { a.stack = a.stack[:base] }()
	for _, side := range [2]player{p, 1 - p} {
		for _, option := range a.moves(side, g) {
			image, err := change(option)
			if err != nil {
				return 0, err
			}
			a.stack = append(a.stack, image)
		}
	}
	middle := base + len(a.moves(p, g))
	l, r := a.stack[base:middle], a.stack[middle:]
	slices.Sort(l)
	slices.Sort(r)
	return a.intern(l, r)
}

// addOptions is the definition of the sum: a move is a move in one of the two.
func (a *Arena) addOptions(g, h Game) (Game, error) {
	base := len(a.stack)
	defer func() { a.stack = a.stack[:base] }()
	for _, p := range [2]player{left, right} {
		for _, option := range a.moves(p, g) {
			if err := a.pushSum(option, h); err != nil {
				return 0, err
			}
		}
		for _, option := range a.moves(p, h) {
			if err := a.pushSum(g, option); err != nil {
				return 0, err
			}
		}
	}
	middle := base + len(a.Left(g)) + len(a.Left(h))
	return a.form.value(a.stack[base:middle], a.stack[middle:])
}

func (a *Arena) pushSum(g, h Game) error {
	sum, err := a.Add(g, h)
	if err == nil {
		a.stack = append(a.stack, sum)
	}
	return err
}
