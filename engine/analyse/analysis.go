package analyse

import (
	"cmp"
	"slices"
	"time"

	"tengen/board"
	"tengen/engine/play"
	"tengen/engine/table"
	"tengen/game"
)

// Question asks for the result of a position and of every legal move.
type Question struct {
	Rules game.Rules
	Start game.Position
	Moves []board.Point // played from Start in turn; under superko they are the history

	Endless   table.Endless // what a game without end counts under basic ko
	Estimates bool          // let a player of NoGo estimate what is not proven yet
	// Mover is the player that estimates. It must have no other work until Analyse
	// returns. Without one the analyst uses its own tree search.
	Mover play.Mover
	// Lines asks for best play after every move where a table has it, and by search for best
	// play in the position.
	Lines bool
	// Alone asks for the result of the position only. Moves are searched as far as that
	// needs.
	Alone bool
	// Every is the longest time between two updates; 0 is a quarter of a second.
	Every time.Duration
}

// Grade says how much is known of a move. Higher is better.
type Grade uint8

// The grades.
const (
	GradeUnknown   Grade = iota
	GradeEstimated       // by playouts: a share of wins, no proof
	GradeBounded         // the score is proven to lie between Lo and Hi
	GradeExact
)

func (g Grade) String() string {
	return [...]string{"unknown", "estimated", "bounded", "exact"}[g]
}

// Basis is what a finding rests on.
type Basis string

// The bases of findings.
const (
	ByRules       Basis = "rules"       // the move ends the game
	ByStore       Basis = "store"       // a search found it earlier
	ByBook        Basis = "book"        // first moves of a board, built into the program
	ByTable       Basis = "table"       // of all positions of a board of Go
	BySearch      Basis = "search"      // to the end of the game
	ByEndgame     Basis = "endgame"     // a search of what is left of a large board
	ByTree        Basis = "tree"        // a proof that came up among playouts
	ByCertificate Basis = "certificate" // the player's
	ByStrategy    Basis = "strategy"    // of single rows of Go, which draws at least
	ByPlayouts    Basis = "playouts"
)

// Finding is what is known of a move.
type Finding struct {
	Move  board.Point // or game.Pass
	Name  string
	Grade Grade
	By    Basis // "" as long as nothing is known

	Winner      board.Winner // of NoGo, if it is exact
	table.Value              // of Go; Open if it is bounded

	// Of NoGo, if it is estimated.
	WinShare float64 // of who makes the move, 0 to 1
	Visits   int
	Prior    float64 // the share of wins that was expected before any playout

	Line       []board.Point // best play as far as it is known, from the move on
	ErrorBound float64       // probability that hashing made it wrong, at most
}

// Analysis is what is known of a position.
type Analysis struct {
	Position game.Position // after the moves of the question
	// Best is the result of the position, with the recommended move and a line of best
	// play. In a lost position the recommended move is the one that makes the win hardest
	// to find. Name is "" if there is no move: the game is over, or no move is known yet
	// to reach the result.
	Best  Finding
	Moves []Finding // every legal move, the best first

	Classes  int // of moves that symmetries of the position exchange
	Decided  int // classes whose results are exact
	Nodes    uint64
	Playouts int
	Rate     float64 // nodes a second since the last update
	Elapsed  time.Duration
	// Building says that the question waits for the table of the board, of which the share
	// Built is done.
	Building bool
	Built    float64
	Warnings []string
}

// Settled reports that the results of the position and of every move are exact.
func (a Analysis) Settled() bool { return a.Decided == a.Classes && a.Best.Grade == GradeExact }

// ErrorBound is the probability, at most, that hashing made any of the results wrong.
func (a Analysis) ErrorBound() float64 {
	sum := a.Best.ErrorBound
	for _, f := range a.Moves {
		sum += f.ErrorBound
	}
	return min(sum, 1)
}

// Choice is an analysis of NoGo as the choice of a mover.
func (a Analysis) Choice() game.Choice {
	choice := game.Choice{Move: a.Best.Move, Line: a.Best.Line, Playouts: a.Playouts, Known: a.known(a.Best)}
	for _, f := range a.Moves {
		choice.Moves = append(choice.Moves, game.MoveStats{
			Move: f.Move, Visits: f.Visits, WinShare: f.WinShare, Prior: f.Prior, Known: a.known(f), Line: f.Line,
		})
	}
	return choice
}

func (a Analysis) known(f Finding) game.Known {
	switch {
	case f.Winner == board.NoWinner:
		return game.Unknown
	case f.Winner.Is(a.Position.ToPlay):
		return game.Won
	}
	return game.Lost
}

// Update is the state of an analysis and the findings that have changed.
type Update struct {
	Changed []Finding // since the last update, for every move of a class
	Now     Analysis
}

// better compares findings for the side to play, the better first.
func better(c board.Colour) func(x, y Finding) int {
	return func(x, y Finding) int {
		xSure, xHope := x.lead(c)
		ySure, yHope := y.lead(c)
		return cmp.Or(
			cmp.Compare(x.rank(c), y.rank(c)), cmp.Compare(ySure, xSure), cmp.Compare(yHope, xHope),
		)
	}
}

// rank puts moves that win first and those that lose last. All scores are of one rank.
func (f Finding) rank(c board.Colour) int {
	switch {
	case f.Grade != GradeExact || f.Winner == board.NoWinner:
		return 1
	case f.Winner.Is(c):
		return 0
	}
	return 2
}

// lead is what the move is sure to bring c, and what it may bring.
func (f Finding) lead(c board.Colour) (sure, hope int) {
	low, high := f.bounds()
	if c == board.White {
		return -high, -low
	}
	return low, high
}

// mapped is the finding about the image of its move.
func (f Finding) mapped(size board.Size, sym board.Symmetry) Finding {
	image := func(p board.Point) board.Point {
		if p == game.Pass {
			return p
		}
		return size.Map(sym, p)
	}
	f.Move = image(f.Move)
	f.Name = game.MoveName(size, f.Move)
	f.Line = slices.Clone(f.Line)
	for i, p := range f.Line {
		f.Line[i] = image(p)
	}
	return f
}
