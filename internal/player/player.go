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
	"tengen/game"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Book is a stored solution. Lookup reports who wins with c to play, and a winning move
// if that is c. It returns false if the position is not in the solution.
type Book interface {
	Lookup(p nogo.Position, c board.Colour) (winner board.Colour, move board.Point, ok bool)
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
func (p *Player) Move(ctx context.Context, position nogo.Position, c board.Colour) (game.Choice, error) {
	return p.Answer(ctx, solver.Query{Position: position, ToPlay: c})
}

// Answer chooses a move for the side to move of a question, which may be about
// a win within a number of moves.
func (p *Player) Answer(ctx context.Context, q solver.Query) (game.Choice, error) {
	if q.Position.Legal(q.ToPlay).IsEmpty() {
		return game.Choice{}, ErrNoMove
	}
	limited, cancel := p.limit(ctx)
	defer cancel()
	winner, move, source, err := p.ask(limited, q)
	switch {
	case err != nil && ctx.Err() != nil:
		return game.Choice{}, ctx.Err()
	case err != nil && limited.Err() == nil:
		return game.Choice{}, err
	case source == game.FromGuess || err != nil:
		return game.Choice{Move: mobile(q), Known: game.Unknown, Source: game.FromGuess}, nil
	case winner == q.ToPlay && q.Position.Size.Contains(move):
		return game.Choice{Move: move, Known: game.Won, Source: source, ErrorBound: p.bound(source)}, nil
	case winner == q.ToPlay:
		// The limit on moves is reached, and the defence has held: every move keeps it.
		return game.Choice{Move: mobile(q), Known: game.Won, Source: source, ErrorBound: p.bound(source)}, nil
	}
	move, err = p.resist(limited, q)
	if ctx.Err() != nil {
		return game.Choice{}, ctx.Err()
	}
	if err != nil && limited.Err() == nil {
		return game.Choice{}, err
	}
	return game.Choice{Move: move, Known: game.Lost, Source: source, ErrorBound: p.bound(source)}, nil
}

// bound bounds the error of the results of a source. A certificate compares whole
// codes.
func (p *Player) bound(s game.Source) float64 {
	if s != game.FromSearch {
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
func (p *Player) ask(ctx context.Context, q solver.Query) (board.Colour, board.Point, game.Source, error) {
	if p.book != nil && !q.Limited {
		if winner, move, ok := p.book.Lookup(q.Position, q.ToPlay); ok {
			return winner, move, game.FromCertificate, nil
		}
	}
	if p.solver == nil {
		return board.Empty, board.NoPoint, game.FromGuess, nil
	}
	answer, err := p.solver.Solve(ctx, q)
	return answer.Winner, answer.Move, game.FromSearch, err
}
