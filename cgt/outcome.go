package cgt

import "math"

// Outcome says who wins a game.
type Outcome uint8

// The outcome classes: won by the previous player, by Left, by Right, and by the
// next player.
const (
	P Outcome = iota
	L
	R
	N
)

// String is the letter of the class.
func (o Outcome) String() string { return "PLRN"[o&3:][:1] }

// Outcome returns who wins g.
func (a *Arena) Outcome(g Game) Outcome {
	k := a.nodes[g].kind
	o := P
	if k&leftWins != 0 {
		o |= L
	}
	if k&rightWins != 0 {
		o |= R
	}
	return o
}

// StopCount is the number of different plays of the canonical form of g, each up
// to the first number it reaches. It is the usual measure of how complicated a
// game is. It is capped at the largest int.
func (a *Arena) StopCount(g Game) int { return a.countStops(g, make(map[Game]int)) }

func (a *Arena) countStops(g Game, known map[Game]int) int {
	if a.IsNumber(g) {
		return 1
	}
	if n, ok := known[g]; ok {
		return n
	}
	n := 0
	for _, p := range [2]player{left, right} {
		for _, option := range a.moves(p, g) {
			if n += a.countStops(option, known); n < 0 {
				n = math.MaxInt
			}
		}
	}
	known[g] = n
	return n
}
