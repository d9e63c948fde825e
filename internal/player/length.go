package player

import (
	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// LengthPoints is the largest number of playable points for which the length of a game
// is found. It keeps a search without any cutoff to about ten thousand positions.
const LengthPoints = 10

// Soonest is a move of best play, in which the winner ends the game as early as
// possible and the loser as late as possible. It returns false if there is no move or
// if more than LengthPoints points are playable. Among moves of the same length it
// takes the one after which the side has the most moves compared with the opponent,
// then the first point.
func Soonest(position nogo.Position, c board.Colour) (move board.Point, ok bool) {
	if playable(position) > LengthPoints {
		return board.NoPoint, false
	}
	l := lengths{}
	best, first := ending{}, true
	margin := 0
	for m := range position.Legal(c).Points() {
		q := solver.Query{Position: position, ToPlay: c}.After(m)
		e, room := l.after(q), mobility(q.Position, c)
		if first || e.better(best) || e == best && room > margin {
			move, best, margin, first = m, e, room, false
		}
	}
	return move, !first
}

// ending is the end of a game for the side to move: whether it wins, and the number of
// moves until then.
type ending struct {
	won   bool
	moves int
}

// better reports whether a side prefers an ending: a win, and an early one, or else a
// late loss.
func (e ending) better(than ending) bool {
	switch {
	case e.won != than.won:
		return e.won
	case e.won:
		return e.moves < than.moves
	}
	return e.moves > than.moves
}

// lengths has the endings of the positions seen. The side to move follows from the
// number of stones.
type lengths map[board.Stones]ending

// after is the ending for the side that has just moved.
func (l lengths) after(q solver.Query) ending {
	e, known := l[q.Position.Stones]
	if !known {
		e = l.of(q)
		l[q.Position.Stones] = e
	}
	return ending{!e.won, e.moves + 1}
}

func (l lengths) of(q solver.Query) ending {
	best := ending{} // without a move the side has lost
	first := true
	for m := range q.Position.Legal(q.ToPlay).Points() {
		if e := l.after(q.After(m)); first || e.better(best) {
			best, first = e, false
		}
	}
	return best
}
