package board

// Winner is who wins, if that is known. The zero value knows nobody.
type Winner uint8

// NoWinner says that nobody is known to win.
const NoWinner Winner = 0

// Wins is the winner c. Empty is nobody.
func (c Colour) Wins() Winner {
	if c > White {
		return NoWinner
	}
	return Winner(c + 1)
}

// WinsIf is the winner c if it has won, and else the opponent.
func (c Colour) WinsIf(won bool) Winner {
	if won {
		return c.Wins()
	}
	return c.Opponent().Wins()
}

// Is reports whether c is known to win.
func (w Winner) Is(c Colour) bool { return w != NoWinner && w == c.Wins() }

// Colour is that of the winner, Empty if nobody is known to win.
func (w Winner) Colour() Colour {
	if w == NoWinner {
		return Empty
	}
	return Colour(w - 1)
}

func (w Winner) String() string {
	if w == NoWinner {
		return "nobody"
	}
	return w.Colour().String()
}
