// Package player chooses moves of NoGo. Player plays perfectly: from a stored solution
// where the position is in it, and from a search everywhere else. It keeps a win, and
// makes a lost game as hard to win as it can (resist.go). MCTS and Network estimate:
// they are tree searches with exact endgames, MCTS with priors and playouts, Network
// with a neural network. Value looks one move ahead, by the value function of Guo and
// Chen, with ties broken by playouts.
//
// Every choice names its source. The package prints nothing and keeps no record.
package player

import (
	"context"
	"errors"
	"time"

	"tengen/board"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Book is a stored solution. Lookup reports who wins with c to play, and a winning move
// if that is c. It returns false if the position is not in the solution.
type Book interface {
	Lookup(p nogo.Position, c board.Colour) (winner board.Colour, move board.Point, ok bool)
}

// Known is the known result of a position for the side to move.
type Known uint8

// A position is won or lost for the side to move, or nothing is known of it.
const (
	Unknown Known = iota
	Won
	Lost
)

func (k Known) String() string { return [...]string{"unknown", "won", "lost"}[k] }

// Source names where a result came from.
type Source string

// The sources of a choice.
const (
	Certificate Source = "certificate"
	Search      Source = "search"
	Guess       Source = "guess"
	Playouts    Source = "playouts"
	Evaluation  Source = "evaluation"
)

// Choice is a move and the reasons for it. The results of playouts are there if there
// were any.
type Choice struct {
	Move   board.Point
	Known  Known
	Source Source

	// ErrorBound bounds the probability that a known result of the position or of a
	// move is wrong: searches identify positions by hashed keys.
	ErrorBound float64

	WinShare float64       // share of the playouts that the move won, 0 to 1
	Playouts int           // played for this choice
	Line     []board.Point // the principal variation, starting with the move
	Moves    []MoveStats   // the legal moves that were looked at, best first
}

// MoveStats is the knowledge about one legal move, seen by the side that makes it.
type MoveStats struct {
	Move     board.Point
	Visits   int
	WinShare float64
	Prior    float64 // the win share that was expected before any playout
	Known    Known   // result of the move for the side that makes it
	Line     []board.Point
}

// ErrNoMove reports that the side to move has no legal move and has lost.
var ErrNoMove = errors.New("there is no legal move: the game is over")

// DefaultCountPoints is small enough to count winning replies in a moment.
const DefaultCountPoints = 12

// Player is for one goroutine at a time, as its solver is.
type Player struct {
	// CountPoints is the largest number of playable points at which a lost
	// position is answered by counting the opponent's winning replies.
	CountPoints int
	// Think limits the search for one move; 0 is no limit.
	Think time.Duration

	solver solver.Solver
	book   Book
}

// New makes a player. Without a book it searches every move; without a solver it uses
// only the book.
func New(s solver.Solver, book Book) *Player {
	return &Player{CountPoints: DefaultCountPoints, solver: s, book: book}
}

// Move chooses a move for c.
func (p *Player) Move(ctx context.Context, position nogo.Position, c board.Colour) (Choice, error) {
	return p.Answer(ctx, solver.Query{Position: position, ToPlay: c})
}

// Answer chooses a move for the side to move of a question, which may be about
// a win within a number of moves.
func (p *Player) Answer(ctx context.Context, q solver.Query) (Choice, error) {
	if q.Position.Legal(q.ToPlay).IsEmpty() {
		return Choice{}, ErrNoMove
	}
	limited, cancel := p.limit(ctx)
	defer cancel()
	winner, move, source, err := p.ask(limited, q)
	switch {
	case err != nil && ctx.Err() != nil:
		return Choice{}, ctx.Err()
	case err != nil && limited.Err() == nil:
		return Choice{}, err
	case source == Guess || err != nil:
		return Choice{Move: mobile(q), Known: Unknown, Source: Guess}, nil
	case winner == q.ToPlay && q.Position.Size.Contains(move):
		return Choice{Move: move, Known: Won, Source: source, ErrorBound: p.bound(source)}, nil
	case winner == q.ToPlay:
		// The limit on moves is reached, and the defence has held: every move keeps it.
		return Choice{Move: mobile(q), Known: Won, Source: source, ErrorBound: p.bound(source)}, nil
	}
	move, err = p.resist(limited, q)
	if ctx.Err() != nil {
		return Choice{}, ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return Choice{}, err
	}
	return Choice{Move: move, Known: Lost, Source: source, ErrorBound: p.bound(source)}, nil
}

// bound bounds the error of the results of a source. A certificate compares whole
// codes.
func (p *Player) bound(s Source) float64 {
	if s != Search {
		return 0
	}
	return p.solver.Stats().ErrorBound
}

func (p *Player) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.Think <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, p.Think)
}

// ask asks the book first, then the solver. The source is Guess if there is neither.
func (p *Player) ask(ctx context.Context, q solver.Query) (board.Colour, board.Point, Source, error) {
	if p.book != nil && !q.Limited {
		if winner, move, ok := p.book.Lookup(q.Position, q.ToPlay); ok {
			return winner, move, Certificate, nil
		}
	}
	if p.solver == nil {
		return board.Empty, board.NoPoint, Guess, nil
	}
	answer, err := p.solver.Solve(ctx, q)
	return answer.Winner, answer.Move, Search, err
}
