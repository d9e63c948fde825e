package engine

import (
	"context"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/nogo"
)

// Choice is a move and what stands behind it.
type Choice = player.Choice

// OpponentOptions say what a perfect opponent may use.
type OpponentOptions struct {
	Size        board.Size
	Method      Method
	Limits             // of one move, as to the time
	Strips      string // database for single rows, as in a Request
	Certificate string // a stored solution to play from; "" for none
}

// Opponent is a perfect player with a table that it keeps from move to move.
type Opponent struct {
	player *player.Player
	solver solver.Solver
}

// NewOpponent prepares a player. It takes the memory now.
func NewOpponent(o OpponentOptions) (*Opponent, error) {
	var book player.Book
	if o.Certificate != "" {
		var err error
		if book, err = openBook(o.Certificate, o.Size); err != nil {
			return nil, err
		}
	}
	request := Request{Position: nogo.NewPosition(o.Size), Method: o.Method, Limits: o.Limits, Strips: o.Strips}
	plan, err := request.plan()
	if err != nil {
		return nil, err
	}
	s, err := request.open(context.Background(), plan)
	if err != nil {
		return nil, err
	}
	p := player.New(s, book)
	p.Think = o.Time
	return &Opponent{p, s}, nil
}

// Move chooses a move for c; player.ErrNoMove says that there is none.
func (o *Opponent) Move(ctx context.Context, p nogo.Position, c board.Colour) (Choice, error) {
	return o.player.Move(ctx, p, c)
}

// Close gives the memory back.
func (o *Opponent) Close() error { return o.solver.Close() }
