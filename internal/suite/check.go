package suite

import (
	"context"
	"fmt"

	"tengen/board"
	"tengen/game"
	"tengen/nogo"
)

// Check finds the winning moves again by trying every move under the rules. Its error
// names a move about which the answers differ. It shares no code with the searches
// that made the answers.
func (p Problem) Check(ctx context.Context) error {
	b := brute{ctx: ctx, known: map[situation]bool{}}
	at := game.NoGoPosition(p.position)
	for move := range p.Legal().Points() {
		next, err := at.Play(p.position.ToPlay, move)
		if err != nil {
			return err
		}
		wins := !b.wins(next, p.position.ToPlay.Opponent())
		if err := ctx.Err(); err != nil {
			return err
		}
		if wins != p.Right(move) {
			return fmt.Errorf("two searches differ about %s in\n%s", p.Size.Name(move), p.Size.Diagram(p.position.Stones))
		}
	}
	return nil
}

// situation is a board with the side to play.
type situation struct {
	stones board.Stones
	toPlay board.Colour
}

// brute is a search of all moves that remembers who wins.
type brute struct {
	ctx   context.Context
	known map[situation]bool
}

// wins reports whether c, to play, wins.
func (b *brute) wins(p nogo.Position, c board.Colour) bool {
	at := situation{p.Stones, c}
	if wins, ok := b.known[at]; ok {
		return wins
	}
	if b.ctx.Err() != nil {
		return false
	}
	wins := false
	for move := range p.Legal(c).Points() {
		next, err := p.Play(c, move)
		if err == nil && !b.wins(next, c.Opponent()) {
			wins = true
			break
		}
	}
	b.known[at] = wins
	return wins
}
