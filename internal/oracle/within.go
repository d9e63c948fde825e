package oracle

import (
	"math/rand/v2"

	"tengen/board"
	"tengen/nogo"
)

// Memo remembers answers of WinsWithin for one attacker.
type Memo map[limited]bool

type limited struct {
	position nogo.Position
	toPlay   board.Colour
	plies    int
}

// WinsWithin reports whether the attacker wins within a number of plies.
func WinsWithin(p nogo.Position, toPlay, attacker board.Colour, plies int, memo Memo) bool {
	legal := p.Legal(toPlay)
	if legal.IsEmpty() {
		return toPlay != attacker
	}
	if plies == 0 {
		return false
	}
	key := limited{p, toPlay, plies}
	if known, ok := memo[key]; ok {
		return known
	}
	result := toPlay != attacker
	for move := range legal.Points() {
		next := p
		next.Stones[toPlay].Add(move)
		if WinsWithin(next, toPlay.Opponent(), attacker, plies-1, memo) == (toPlay == attacker) {
			result = toPlay == attacker
			break
		}
	}
	memo[key] = result
	return result
}

// RandomPosition plays a number of random moves, or fewer if a side has none left, and
// returns the side to play next.
func RandomPosition(random *rand.Rand, size board.Size, stones int) (nogo.Position, board.Colour) {
	p, c := nogo.NewPosition(size), board.Black
	for range stones {
		legal := p.Legal(c)
		if legal.IsEmpty() {
			break
		}
		n := random.IntN(legal.Len())
		for q := range legal.Points() {
			if n == 0 {
				p.Stones[c].Add(q)
			}
			n--
		}
		c = c.Opponent()
	}
	return p, c
}
