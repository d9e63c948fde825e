package book

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/game"
	"tengen/internal/player"
	"tengen/nogo"
	"tengen/proof"
)

// NoGo is the book of a board of NoGo: positions that the side to play wins, each with a
// winning move, and some that it loses, without a move. Safe for concurrent use.
type NoGo struct {
	Header
	entries
}

var nogoShelf shelf[NoGo]

// OfNoGo is the book of a board, nil if there is none.
func OfNoGo(size board.Size) *NoGo {
	return nogoShelf.find(Header{Game: game.NoGo{}.Name(), Size: size.Lying()}, parseNoGo)
}

// Lookup reports who wins with c to play, and a winning move if that is c. Besides its
// entries the book knows the positions that a listed move leads to: the opponent loses
// them.
func (b *NoGo) Lookup(p nogo.Position, c board.Colour) (winner board.Colour, move board.Point, ok bool) {
	opponent := c.Opponent()
	now := game.Start(p.Size, p.Stones, c)
	if p.Size.Lying() != b.Size || stonesOf(now) > b.Stones+1 {
		return board.Empty, board.NoPoint, false
	}
	if move, found := b.find(now); found {
		if move != board.NoPoint {
			return c, move, true
		}
		return opponent, board.NoPoint, true
	}
	here, _ := code(now)
	for stone := range p.Stones[opponent].Points() {
		before := game.Start(p.Size, p.Stones, opponent)
		before.Stones[opponent].Remove(stone)
		move, found := b.find(before)
		if !found || move == board.NoPoint {
			continue
		}
		after := game.Start(p.Size, before.Stones, c)
		after.Stones[opponent].Add(move)
		if there, _ := code(after); there == here {
			return opponent, board.NoPoint, true
		}
	}
	return board.Empty, board.NoPoint, false
}

// Line is play from a position as far as the book goes: its moves for the winner, and for
// the loser those that leave it the most moves compared with the winner.
func (b *NoGo) Line(p nogo.Position, c board.Colour) (line []board.Point) {
	both := player.New(nil, b)
	for {
		choice, err := both.Move(context.Background(), p, c)
		if err != nil || choice.Source == game.FromGuess {
			return line
		}
		if p, err = p.Play(c, choice.Move); err != nil {
			return line
		}
		line, c = append(line, choice.Move), c.Opponent()
	}
}

// Guide has the replies of the book for a winner, to walk through its play.
func (b *NoGo) Guide(winner board.Colour) proof.Guide { return guide{b, winner} }

// Basis is what replies of the book rest on.
const Basis proof.Basis = "book"

type guide struct {
	book   *NoGo
	winner board.Colour
}

func (g guide) Reply(_ context.Context, p nogo.Position) (board.Point, proof.Basis, error) {
	if won, move, ok := g.book.Lookup(p, g.winner); ok && won == g.winner {
		return move, Basis, nil
	}
	return board.NoPoint, "", proof.ErrElsewhere
}

// The content of a file of NoGo is its entries.
func parseNoGo(h Header, content []byte) (*NoGo, error) {
	if h.Size.Points() > mostPoints {
		return nil, errDamaged
	}
	listed, rest, err := parseEntries(h.Size, content)
	if err != nil || len(rest) > 0 {
		return nil, errDamaged
	}
	return &NoGo{h, listed}, nil
}

// NoGoWriter gathers the entries of a book.
type NoGoWriter struct {
	Header
	gathered
}

// NewNoGoWriter begins a book.
func NewNoGoWriter(h Header) (*NoGoWriter, error) {
	if h.Size.Points() > mostPoints {
		return nil, fmt.Errorf("a book is of at most %d points, %s has more", mostPoints, h.Size)
	}
	h.Game, h.Size = game.NoGo{}.Name(), h.Size.Lying()
	return &NoGoWriter{h, gathered{}}, nil
}

// Add lists a position with c to play, and a winning move; board.NoPoint says that c loses.
// A position that is listed keeps its move.
func (w *NoGoWriter) Add(p nogo.Position, c board.Colour, move board.Point) error {
	kept := w.add(game.Start(p.Size, p.Stones, c), move)
	if (kept == none) != (move == board.NoPoint) {
		return fmt.Errorf("%s, %s to play, is won by one proof and lost by another: please report this", p, c)
	}
	return nil
}

// File is the book.
func (w *NoGoWriter) File() ([]byte, error) { return pack(w.Header, w.appendTo(nil)) }
