package gosearch

import (
	"context"
	"errors"
	"slices"

	"tengen/board"
	"tengen/weiqi"
)

// passNodes is the budget for proving that a pass reaches the goal.
const passNodes = 200

// Move finds a move that reaches the goal of a claim, with the prover to move. It prefers
// a pass if that is proven quickly, so that a side does not fill its own area at the end.
func (s *Solver) Move(ctx context.Context, claim Question) (board.Point, error) {
	if next, err := (weiqi.Rules{}).Play(claim.Position, weiqi.Pass); err == nil {
		passed := claim
		passed.Position = next
		if v, _ := s.Prove(ctx, passed, passNodes); v == Proven {
			return weiqi.Pass, nil
		}
	}
	switch v, err := s.Prove(ctx, claim, 0); {
	case err != nil:
		return board.NoPoint, err
	case v != Proven:
		return board.NoPoint, errNoProof
	}
	move, _, err := s.Winning(ctx, claim, s.plies)
	return move, err
}

// Avoid is a move of the other side after which a claim is held or refuted. It looks for one
// until the context ends.
func (s *Solver) Avoid(ctx context.Context, claim Question) (board.Point, error) {
	open := append(slices.Collect((weiqi.Rules{}).Legal(claim.Position).Points()), weiqi.Pass)
	for nodes := uint64(firstNodes); len(open) > 0; nodes *= 2 {
		left := open[:0]
		for _, move := range open {
			next, err := weiqi.Rules{}.Play(claim.Position, move)
			if err != nil {
				continue
			}
			switch v, err := s.Prove(ctx, Question{next, claim.Prover, claim.Goal}, nodes); {
			case v == Held || v == Refuted:
				return move, nil
			case errors.Is(err, ErrNodes):
				left = append(left, move)
			case err != nil:
				return board.NoPoint, err
			}
		}
		open = left
	}
	return board.NoPoint, errNoProof
}

// Guess chooses a move without a proof. It prefers moves that take or save stones, have
// liberties and are near the centre. It fills no eye, and passes if no other move is left.
func Guess(p weiqi.Position) board.Point {
	best, most := weiqi.Pass, 0
	for move := range (weiqi.Rules{}).Legal(p).Points() {
		next, err := (weiqi.Rules{}).Play(p, move)
		if err != nil || fillsEye(p, move) {
			continue
		}
		if worth := appraise(p, next, move); best == weiqi.Pass || worth > most {
			best, most = move, worth
		}
	}
	return best
}

// fillsEye reports whether all neighbours of a point are stones of the side to play.
func fillsEye(p weiqi.Position, at board.Point) bool {
	return !slices.ContainsFunc(p.Size.Neighbours(at), func(q board.Point) bool { return p.Stones.At(q) != p.ToPlay })
}

// appraise weighs a move. The weights were chosen, not fitted.
func appraise(p, next weiqi.Position, move board.Point) int {
	c := p.ToPlay
	taken := p.Stones[c.Opponent()].Len() - next.Stones[c.Opponent()].Len()
	worth := 40*taken - 40*inAtari(next, c) + 15*inAtari(next, c.Opponent())
	worth += 5 * min(libertiesAt(next, move), 4)
	row, col := p.Size.Row(move), p.Size.Col(move)
	off := max(2*row-p.Size.Rows+1, p.Size.Rows-1-2*row) + max(2*col-p.Size.Cols+1, p.Size.Cols-1-2*col)
	return worth - 2*off
}

// inAtari counts the stones of a side whose blocks have one liberty.
func inAtari(p weiqi.Position, c board.Colour) (n int) {
	for q := range p.Stones[c].Points() {
		if libertiesAt(p, q) == 1 {
			n++
		}
	}
	return n
}

// libertiesAt counts the liberties of the block at a point.
func libertiesAt(p weiqi.Position, at board.Point) int {
	c := p.Stones.At(at)
	var block, free board.Set
	block.Add(at)
	for todo := []board.Point{at}; len(todo) > 0; {
		from := todo[0]
		todo = todo[1:]
		for _, q := range p.Size.Neighbours(from) {
			switch {
			case p.Stones.At(q) == board.Empty:
				free.Add(q)
			case p.Stones.At(q) == c && !block.Has(q):
				block.Add(q)
				todo = append(todo, q)
			}
		}
	}
	return free.Len()
}
