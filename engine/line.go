package engine

import (
	"context"

	"tengen/board"
	"tengen/internal/player"
	"tengen/internal/solver"
	"tengen/weiqi"
)

// A line of best play is one of many, since several moves may be as good. Those that are
// shown look like play: the winner ends the game as soon as it can, and the loser does
// not fill the board with stones that are taken at once. A stubborn loser does.

// playOut plays an answer about NoGo out. Where few points are playable the winner ends
// the game as soon as it can and the loser as late as it can; before, the winner plays a
// winning move, and the loser the one that leaves it the most moves compared with the
// opponent. A stubborn loser plays by the player's policy for lost positions. A stop on
// the way leaves the line short.
func playOut(ctx context.Context, s solver.Solver, q solver.Query, stubborn bool) []board.Point {
	var line []board.Point
	p := player.New(s, nil)
	if !stubborn {
		p.CountPoints = 0
	}
	for !q.Limited || q.Plies > 0 {
		move, ok := board.NoPoint, false
		if !q.Limited && !stubborn {
			move, ok = player.Soonest(q.Position, q.ToPlay)
		}
		if !ok {
			choice, err := p.Answer(ctx, q)
			if err != nil {
				break
			}
			move = choice.Move
		}
		line = append(line, move)
		q = q.After(move)
	}
	return line
}

// lineMove is the move of a line in p, of those that keep the score. The best of the
// moves in the answer are first.
//
// A winner takes the shortest way to the end. Who loses passes where that costs nothing;
// elsewhere it makes the game long, but not by stones that can be taken at once. Whoever
// the winner is, such throw-ins come last among moves of one length. A draw is over once
// both sides may pass. The line ends: what the loser does makes it no longer than the
// distance, which a winner shortens by each of its moves.
func lineMove(p weiqi.Position, a GoAnswer) GoMove {
	best := a.Moves[0]
	losing := a.Score != 0 && (a.Score < 0) == (p.ToPlay == board.Black)
	clumsy := throwIn(p, best.Move)
	for _, m := range a.Moves[1:] {
		if m.Score != a.Score {
			break
		}
		if m.Move == weiqi.Pass && (losing || p.Passes > 0 && m.Distance <= 1) {
			return m
		}
		if clumsy && (losing || m.Distance == best.Distance) && !throwIn(p, m.Move) {
			best, clumsy = m, false
		}
	}
	return best
}

// throwIn reports whether a stone can be taken at once.
func throwIn(p weiqi.Position, q board.Point) bool {
	if q == weiqi.Pass {
		return false
	}
	next, err := weiqi.Rules{}.Play(p, q)
	if err != nil {
		return false
	}
	for r := range (weiqi.Rules{}).Legal(next).Points() {
		if after, err := (weiqi.Rules{}).Play(next, r); err == nil && after.Stones.At(q) == board.Empty {
			return true
		}
	}
	return false
}
