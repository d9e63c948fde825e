package analyse

import (
	"cmp"
	"math"
	"slices"

	"tengen/board"
	"tengen/engine/table"
	"tengen/game"
)

// findings are the results of a position and of its moves. Moves that symmetries exchange
// share a number, and the position itself has the number whole.
type findings struct {
	toPlay  board.Colour
	scored  bool
	points  int       // of the board, if there are scores
	found   []Finding // of the moves
	root    Finding   // of the position
	changed []int     // moves since this was last emptied
}

// whole is the number of the position among its moves.
const whole = -1

func (s *findings) at(n int) *Finding {
	if n == whole {
		return &s.root
	}
	return &s.found[n]
}

// note adds a result of a move or of the position, and the results that follow from it.
// Exact results stay.
func (s *findings) note(n int, f Finding) {
	s.take(n, f)
	if s.scored {
		s.inferScore()
	} else {
		s.inferWinner()
	}
}

// decidedMoves counts the moves whose results are exact.
func (s *findings) decidedMoves() (n int) {
	for _, f := range s.found {
		if f.Grade == GradeExact {
			n++
		}
	}
	return n
}

func (s *findings) take(n int, f Finding) {
	at := s.at(n)
	if at.Grade == GradeExact || f.Grade < at.Grade {
		return
	}
	*at = f
	if n != whole && !slices.Contains(s.changed, n) {
		s.changed = append(s.changed, n)
	}
}

// inferWinner: a move that wins wins the position, and a position is lost if and only
// if every move loses.
func (s *findings) inferWinner() {
	c, lost := s.toPlay, 0
	var bound float64
	for _, f := range s.found {
		switch {
		case f.Grade != GradeExact:
		case f.Winner.Is(c):
			s.take(whole, f)
		default:
			lost++
			bound += f.ErrorBound
		}
	}
	if lost == len(s.found) && lost > 0 {
		all := s.found[0]
		all.ErrorBound = min(bound, 1) // each may be wrong
		s.take(whole, all)
	}
	if s.root.Grade == GradeExact && !s.root.Winner.Is(c) {
		for n, f := range s.found {
			f.Grade, f.By, f.Winner, f.ErrorBound = GradeExact, s.root.By, s.root.Winner, s.root.ErrorBound
			s.take(n, f)
		}
	}
}

// inferScore: no move is better than the position, and the best is as good.
func (s *findings) inferScore() {
	if len(s.found) == 0 {
		return
	}
	c := s.toPlay
	least, most := s.found[0].proven()
	for _, f := range s.found[1:] {
		low, high := f.proven()
		if c == board.Black {
			least, most = max(least, low), max(most, high)
		} else {
			least, most = min(least, low), min(most, high)
		}
	}
	top := slices.MinFunc(s.found, better(c))
	s.narrow(whole, least, most, top.By)
	low, high := s.root.proven()
	for n := range s.found {
		if c == board.Black {
			s.narrow(n, math.MinInt, high, s.root.By)
		} else {
			s.narrow(n, low, math.MaxInt, s.root.By)
		}
	}
}

// narrow adds bounds of a score.
func (s *findings) narrow(n, low, high int, by Basis) {
	f := *s.at(n)
	lo, hi := f.proven()
	if low <= lo && hi <= high {
		return
	}
	f.bound(max(low, lo), min(high, hi), s.points)
	f.By = cmp.Or(by, f.By)
	s.take(n, f)
}

// prove adds bounds of a score that hold whatever an endless game counts. The results that
// follow from them are for the caller to infer.
func (s *findings) prove(n, low, high int, by Basis) {
	s.narrow(n, low, high, by)
	if f := s.at(n); f.Grade == GradeExact && f.By == by {
		f.Ranged, f.Lo, f.Hi = true, f.Score, f.Score
	}
}

// hold makes bounds the result: they are the scores if Black loses endless games and if he
// wins them.
func (s *findings) hold(n, low, high int, endless table.Endless, by Basis) {
	f := *s.at(n)
	f.Grade, f.By, f.Value = GradeExact, by, heldValue(low, high, endless)
	s.take(n, f)
}

func heldValue(low, high int, endless table.Endless) table.Value {
	return table.Value{Score: endless.Of(low, high), Ranged: true, Lo: low, Hi: high}
}

// proven are the bounds that hold whatever an endless game counts, if that is known.
func (f Finding) proven() (low, high int) {
	if f.Ranged {
		return f.Lo, f.Hi
	}
	return f.bounds()
}

// bounds are the known bounds of a score.
func (f Finding) bounds() (low, high int) {
	if f.Open {
		return f.Lo, f.Hi
	}
	return f.Score, f.Score
}

// bound sets the value of a finding to bounds. It is exact if they meet.
func (f *Finding) bound(low, high, points int) {
	switch {
	case low == high:
		f.Grade, f.Value = GradeExact, table.Value{Score: low}
	case low > -points || high < points:
		f.Grade, f.Value = GradeBounded, table.Value{Open: true, Lo: low, Hi: high}
	default:
		f.Grade, f.Value = GradeUnknown, table.Value{Open: true, Lo: low, Hi: high}
	}
}

// conclude makes the end of a game the result.
func (f *Finding) conclude(end game.Outcome) {
	f.Grade, f.By = GradeExact, ByRules
	if end.How == game.NoMove {
		f.Winner = end.Winner
	} else {
		f.Value = table.Value{Score: int(end.Lead)}
	}
}
