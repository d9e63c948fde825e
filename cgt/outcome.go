package cgt

// Outcome tells who wins a game.
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

// Outcome tells who wins g.
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
