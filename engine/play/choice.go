package play

import (
	"time"

	"tengen/board"
	"tengen/internal/player"
)

// Known is the known result of a position for the side to move, or of a move for the side that
// makes it.
type Known uint8

// A position is won or lost, or nothing is known of it.
const (
	Unknown Known = iota
	Won
	Lost
)

func (k Known) String() string { return player.Known(k).String() }

// Source names the origin of a move and of its result.
type Source string

// The sources of moves of NoGo, and those of Go.
const (
	FromCertificate Source = "certificate" // a stored solution
	FromSearch      Source = "search"      // a search to the end
	FromPlayouts    Source = "playouts"
	FromEvaluation  Source = "evaluation"
	FromTable       Source = "table"    // the score is exact
	FromStrategy    Source = "strategy" // the move draws at least
	FromBound       Source = "bound"    // the move is proven to reach a bound of the score
	FromGuess       Source = "guess"    // nothing is known
)

// Choice is a move of NoGo and the reasons for it. The results of playouts are there if there
// were any.
type Choice struct {
	Move   board.Point
	Known  Known
	Source Source

	// ErrorBound bounds the probability that a known result of the position or of a move is
	// wrong: searches identify positions by hashed keys. It is 0 for results of a
	// certificate, and if nothing is known.
	ErrorBound float64

	WinShare float64       // share of the playouts that the move won, 0 to 1
	Playouts int           // played for this choice
	Line     []board.Point // the principal variation, from the move on
	Moves    []MoveStats   // the legal moves that were looked at, best first
}

// MoveStats is the result of one legal move, seen by the side that makes it.
type MoveStats struct {
	Move     board.Point
	Visits   int
	WinShare float64
	Prior    float64 // the win share that was expected before any playout
	Known    Known   // what the move leads to for the side that makes it
	Line     []board.Point
}

// choiceOf is a choice of a player below.
func choiceOf(c player.Choice) Choice {
	choice := Choice{
		Move: c.Move, Known: Known(c.Known), Source: Source(c.Source), ErrorBound: c.ErrorBound,
		WinShare: c.WinShare, Playouts: c.Playouts, Line: c.Line,
	}
	if c.Moves != nil {
		choice.Moves = make([]MoveStats, len(c.Moves))
	}
	for i, m := range c.Moves {
		choice.Moves[i] = MoveStats{m.Move, m.Visits, m.WinShare, m.Prior, Known(m.Known), m.Line}
	}
	return choice
}

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
func Shares(moves []MoveStats) []float64 {
	const doubt = 30 // visits that weigh as much as the mean, which without any is one half
	wins, visits := doubt/2.0, float64(doubt)
	for _, m := range moves {
		if m.Known == Unknown {
			wins += float64(m.Visits) * m.WinShare
			visits += float64(m.Visits)
		}
	}
	mean := wins / visits
	shares := make([]float64, len(moves))
	for i, m := range moves {
		n := float64(m.Visits)
		switch m.Known {
		case Won:
			shares[i] = 1
		case Unknown:
			shares[i] = min(max((n*m.WinShare+doubt*mean)/(n+doubt), 0), 1)
		}
	}
	return shares
}
