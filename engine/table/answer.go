package table

import (
	"tengen/board"
	"tengen/weiqi"
)

// Endless is the result of a game without end under basic ko.
type Endless uint8

// The rules for endless games.
const (
	EndlessDrawn Endless = iota
	EndlessLost          // by Black
	EndlessWon           // by Black
)

// worth is the score of an endless game on a board with this number of points.
func (e Endless) worth(points int) int {
	return [...]int{EndlessDrawn: 0, EndlessLost: -points, EndlessWon: points}[e]
}

// Of is the score under this rule, between those if Black loses endless games and if he wins
// them.
func (e Endless) Of(lo, hi int) int {
	return [...]int{EndlessDrawn: min(max(lo, 0), hi), EndlessLost: lo, EndlessWon: hi}[e]
}

// Value is the result of best play, Black minus White.
type Value struct {
	Score int // under the rules of the request
	// Open says that the score is not known: it is proven to lie between Lo and Hi.
	Open bool
	// Ranged says that Lo and Hi are known: the scores if endless games were lost by
	// Black, and if they were won.
	Ranged bool
	Lo, Hi int
	// Distance is the number of moves to the end, passes included, if the winner
	// hurries, the loser does not, and endless games are draws. It is 0 where
	// nobody wins and where it is not known.
	Distance int
}

// Move is a move and the result of best play after it.
type Move struct {
	Move board.Point // or weiqi.Pass
	Value
}

// Answer is the result of a position.
type Answer struct {
	Value
	Moves []Move // every legal move, the best first; nil if they were not asked for
	// Line is best play. It ends with the game. If it is Round, it ends with the move that
	// repeats the position after the first Before moves, as best play may under basic ko. It
	// is nil if the table has no distances to choose moves by.
	Line   []board.Point
	Round  bool
	Before int
}

// turned is an answer about a board of a size on the board turned.
func (a Answer) turned(size board.Size) Answer {
	for i := range a.Moves {
		a.Moves[i].Move = size.Turn(a.Moves[i].Move)
	}
	a.Line = size.TurnAll(a.Line)
	return a
}

// turnedPosition is a sound position on the board turned.
func turnedPosition(p weiqi.Position) weiqi.Position {
	p.Stones, p.Ko, p.Size = p.Size.TurnStones(p.Stones), p.Size.Turn(p.Ko), p.Size.Turned()
	return p
}

// Several moves may be equally good, so there are many lines of best play. In those that are
// shown the winner ends the game as soon as it can, and the loser adds no stones that are
// captured at once. A stubborn loser does.

// LineMove is the move of a line in p, of those that keep the score. The answer must have
// moves, the best of them first.
//
// A winner takes the shortest way to the end. A loser passes where that costs nothing.
// Elsewhere it makes the game long, but not by stones that can be captured at once: such
// throw-ins come last among moves of one length, for both sides. A draw ends once both sides
// may pass. The line ends: each move of the winner shortens the distance, and no move of the
// loser makes the line longer than that.
func LineMove(p weiqi.Position, a Answer) Move {
	best := a.Moves[0]
	losing := a.Score != 0 && (a.Score < 0) == (p.ToPlay == board.Black)
	clumsy := throwIn(p, best.Move)
	for _, m := range a.Moves[1:] {
		if m.Score != a.Score {
			break
		}
		if m.Move == weiqi.Pass && (losing || p.Passes > 0 && m.Distance <= 1) {
			return m
		}
		if clumsy && (losing || m.Distance == best.Distance) && !throwIn(p, m.Move) {
			best, clumsy = m, false
		}
	}
	return best
}

// throwIn reports whether a stone can be taken at once.
func throwIn(p weiqi.Position, q board.Point) bool {
	if q == weiqi.Pass {
		return false
	}
	next, err := weiqi.Rules{}.Play(p, q)
	if err != nil {
		return false
	}
	for r := range (weiqi.Rules{}).Legal(next).Points() {
		if after, err := (weiqi.Rules{}).Play(next, r); err == nil && after.Stones.At(q) == board.Empty {
			return true
		}
	}
	return false
}
