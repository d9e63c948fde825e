package retro

import (
	"tengen/board"
	"tengen/weiqi"
)

// RowMove plays on a row without a table: by the strategy, or so that the opponent has as
// few replies as possible that the strategy has no answer to. The second result says that
// the move draws at least.
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

// moves lists the stones that may be put, and the pass last.
func moves(p weiqi.Position) []board.Point {
	var moves []board.Point
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		moves = append(moves, q)
	}
	return append(moves, weiqi.Pass)
}

// Unanswered counts the moves in p after which the strategy, for the other side, does
// not know how to draw. A game that is over counts by its score.
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
