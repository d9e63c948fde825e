package play

import (
	"time"

	"tengen/game"
	"tengen/internal/player"
)

// Budget limits the search of one move. A zero field is no limit. Without any limit, the time
// of the mover's limits holds, or else DefaultTime.
type Budget struct {
	Time     time.Duration
	Playouts int

	// All uses the whole budget even if the choice can no longer change: the search will be
	// continued, or its statistics are wanted.
	All bool

	// Level is the strength of a tree search, from 1, a beginner's, to Levels. 0 is full
	// strength, as Levels is. Below that a player searches less, keeps nothing from move to
	// move, and makes mistakes as people do.
	Level int
}

// Levels is the number of levels of strength.
const Levels = 10

// Strength is what a level looks at before it moves, and how it did on 9x9 in a match
// against the level below. The highest level is limited by its time alone.
type Strength struct {
	Level       int
	Evaluations int // by the network
	Playouts    int // where there is no network
	Won, Games  int // none for the lowest level
}

// Strengths lists the levels, the lowest first.
func Strengths() []Strength {
	list := make([]Strength, Levels)
	for i := range list {
		evaluations, playouts, match := player.Strength(i + 1)
		list[i] = Strength{i + 1, evaluations, playouts, match.Won, match.Games}
	}
	return list
}

// DefaultTime is the time for a move without any limit.
const DefaultTime = time.Second

// ErrNoMove reports that the side to move has no legal move and has lost.
var ErrNoMove = player.ErrNoMove

// Shares are the expected shares of wins of moves: 0 or 1 where the result is known, and
// otherwise drawn to the mean of all moves if visits are few. A move that won its only playout
// is no certain win.
func Shares(moves []game.MoveStats) []float64 {
	const doubt = 30 // visits that weigh as much as the mean, which without any is one half
	wins, visits := doubt/2.0, float64(doubt)
	for _, m := range moves {
		if m.Known == game.Unknown {
			wins += float64(m.Visits) * m.WinShare
			visits += float64(m.Visits)
		}
	}
	mean := wins / visits
	shares := make([]float64, len(moves))
	for i, m := range moves {
		n := float64(m.Visits)
		switch m.Known {
		case game.Won:
			shares[i] = 1
		case game.Unknown:
			shares[i] = min(max((n*m.WinShare+doubt*mean)/(n+doubt), 0), 1)
		}
	}
	return shares
}
