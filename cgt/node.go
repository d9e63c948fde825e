package cgt

import "slices"

// describe finds the facts about a game that is not a number from its options.
func (a *Arena) describe(l, r []Game) node {
	n := node{lefts: uint16(len(l)), rights: uint16(len(r))}
	n.leftStop, n.rightStop = a.nodes[l[0]].rightStop, a.nodes[r[0]].leftStop
	deepest := uint8(0)
	for _, g := range l {
		option := &a.nodes[g]
		n.leftStop = max(n.leftStop, option.rightStop)
		n.birthday = max(n.birthday, option.birthday+1)
		deepest = max(deepest, option.depth)
		if option.kind&rightWins == 0 {
			n.kind |= leftWins
		}
	}
	for _, g := range r {
		option := &a.nodes[g]
		n.rightStop = min(n.rightStop, option.leftStop)
		n.birthday = max(n.birthday, option.birthday+1)
		deepest = max(deepest, option.depth)
		if option.kind&leftWins == 0 {
			n.kind |= rightWins
		}
	}
	n.depth = deepest + 1
	if up, star, ok := a.recognise(l, r); ok {
		n.kind |= simple
		n.up, n.star = int16(up), uint16(star)
		n.depth = uint8(n.leftStop.exponent())
	}
	return n
}

// recognise reports whether canonical options are those of the sum of a number
// x, a multiple of ^ and a nimber, and returns the last two.
//
//	x*k    = {x, x*, …, x*(k−1) | x, x*, …, x*(k−1)}
//	x^n*k  = {x | x^(n−1)*(k xor 1)}   but x^* = {x, x* | x}
func (a *Arena) recognise(l, r []Game) (up, star int, ok bool) {
	if slices.Equal(l, r) {
		return 0, len(l), a.areNimbers(l)
	}
	if up, star, ok = a.recogniseUp(l, r, 1); ok {
		return up, star, true
	}
	up, star, ok = a.recogniseUp(r, l, -1)
	return -up, star, ok
}

// areNimbers reports whether the options are a number x and then x*, x*2, and so
// on: each has the ones before it as options, and therefore a larger handle.
func (a *Arena) areNimbers(options []Game) bool {
	x := a.nodes[options[0]].leftStop
	for i, g := range options {
		if n := &a.nodes[g]; n.kind&simple == 0 || n.leftStop != x || n.up != 0 || int(n.star) != i {
			return false
		}
	}
	return true
}

// recogniseUp looks for a positive multiple of ^, or, with the players exchanged
// and the sign −1, for a negative one.
func (a *Arena) recogniseUp(l, r []Game, sign int) (up, star int, ok bool) {
	if len(l) > 2 || len(r) != 1 || !a.IsNumber(l[0]) {
		return 0, 0, false
	}
	x, reply := a.nodes[l[0]].leftStop, &a.nodes[r[0]]
	if reply.kind&simple == 0 || reply.leftStop != x {
		return 0, 0, false
	}
	if len(l) == 2 {
		return 1, 1, r[0] == l[0] && a.areNimbers(l)
	}
	up, star = sign*int(reply.up), int(reply.star)
	return up + 1, star ^ 1, up > 0 || up == 0 && star > 0
}
