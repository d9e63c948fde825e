package retro

import (
	"tengen/board"
	"tengen/weiqi"
)

// RowMove plays on a row without a table. It plays by the strategy where the strategy has
// a move, and otherwise minimises the number of Unanswered replies. The second result
// reports that the move draws at least.
func RowMove(p weiqi.Position) (move board.Point, draws bool) {
	if move, ok := StripMove(p); ok {
		return move, true
	}
	best, fewest := weiqi.Pass, p.Size.Points()+2
	for _, q := range moves(p) {
		next, err := weiqi.Rules{}.Play(p, q)
		if err != nil {
			continue
		}
		if n := Unanswered(next); n < fewest {
			best, fewest = q, n
		}
	}
	return best, fewest == 0
}

// moves lists the legal moves, the pass last.
func moves(p weiqi.Position) []board.Point {
	var moves []board.Point
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		moves = append(moves, q)
	}
	return append(moves, weiqi.Pass)
}

// Unanswered counts the moves in p after which the strategy has no drawing move for the
// other side. It is 1 for a game that is over and lost by that side.
func Unanswered(p weiqi.Position) int {
	count := 0
	lost := func(next weiqi.Position) bool {
		lead := next.Score()
		if p.ToPlay == board.White {
			lead = -lead
		}
		return lead > 0
	}
	if p.Over() {
		if lost(p) {
			count++
		}
		return count
	}
	for _, q := range moves(p) {
		next, err := weiqi.Rules{}.Play(p, q)
		if err != nil {
			continue
		}
		if _, ok := StripMove(next); !ok && (!next.Over() || lost(next)) {
			count++
		}
	}
	return count
}
