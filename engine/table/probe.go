package table

import (
	"cmp"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Probe looks up a position and all its moves, and follows best play. The board may have the
// rows of the table as columns.
func Probe(t *tablebase.Table, p weiqi.Position, endless Endless) (Answer, error) {
	return probe(t, p, endless, LineMove)
}

// ProbeStubborn is Probe with a line in which the loser delays the end as long as it can, also
// by hopeless stones. If the table has distances, the line has that length.
func ProbeStubborn(t *tablebase.Table, p weiqi.Position, endless Endless) (Answer, error) {
	return probe(t, p, endless, func(_ weiqi.Position, a Answer) Move { return a.Moves[0] })
}

// ProbeWhy shows why nobody does better: the loser delays the end as long as it can. Nobody
// resists a draw.
func ProbeWhy(t *tablebase.Table, p weiqi.Position, endless Endless) (Answer, error) {
	answer, err := Look(t, p, endless)
	if err != nil || answer.Score == 0 {
		return Probe(t, p, endless)
	}
	return ProbeStubborn(t, p, endless)
}

func probe(t *tablebase.Table, p weiqi.Position, endless Endless, choose func(weiqi.Position, Answer) Move) (Answer, error) {
	if size := t.Header().Size; p.Size != size && p.Size.Turned() == size {
		a, err := probe(t, turnedPosition(p), endless, choose)
		return a.turned(size), err
	}
	if endless != EndlessDrawn && t.Header().Loops != tablebase.Range {
		return Answer{}, fmt.Errorf("%s knows endless games as draws only: build one that keeps the range over all rules for loops", t.Path())
	}
	answer, err := Look(t, p, endless)
	if err != nil {
		return Answer{}, err
	}
	seen := map[weiqi.Position]int{p: 0} // after how many moves
	for at := answer; len(at.Moves) > 0 && !answer.Round; {
		move := choose(p, at).Move
		answer.Line = append(answer.Line, move)
		if p, err = (weiqi.Rules{}).Play(p, move); err != nil {
			return Answer{}, err
		}
		if answer.Before, answer.Round = seen[p]; !answer.Round {
			seen[p] = len(answer.Line)
		}
		if at, err = Look(t, p, endless); err != nil {
			return Answer{}, err
		}
	}
	if answer.Round && answer.Score != endless.worth(p.Size.Points()) {
		// Every move of the line keeps the score. Without distances the table does not know
		// which of them end the game.
		answer.Line, answer.Round, answer.Before = nil, false, 0
	}
	return answer, nil
}

// Look is the answer of Probe without its line.
func Look(t *tablebase.Table, p weiqi.Position, endless Endless) (Answer, error) {
	if size := t.Header().Size; p.Size != size && p.Size.Turned() == size {
		a, err := Look(t, turnedPosition(p), endless)
		return a.turned(size), err
	}
	found, err := t.Probe(p)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Value: value(t, found.Value, p.ToPlay, endless)}
	for _, m := range found.Moves {
		a.Moves = append(a.Moves, Move{m.Point, value(t, m.Value, p.ToPlay, endless)})
	}
	byScore(a.Moves, p.ToPlay) // the table orders them by their scores with loops drawn
	return a, nil
}

// byScore orders moves, the best for c first; those of one score stay in order.
func byScore(moves []Move, c board.Colour) {
	slices.SortStableFunc(moves, func(x, y Move) int {
		if c == board.White {
			x, y = y, x
		}
		return cmp.Compare(y.Score, x.Score)
	})
}

// value turns a value for the side to play into one for Black.
func value(t *tablebase.Table, v tablebase.Value, toPlay board.Colour, endless Endless) Value {
	if toPlay == board.White {
		v.Score, v.Lo, v.Hi = -v.Score, -v.Hi, -v.Lo
	}
	g := Value{Score: v.Score, Distance: v.Distance}
	if t.Header().Loops == tablebase.Range {
		g.Ranged, g.Lo, g.Hi = true, v.Lo, v.Hi
	}
	switch endless {
	case EndlessLost:
		g.Score, g.Distance = v.Lo, 0
	case EndlessWon:
		g.Score, g.Distance = v.Hi, 0
	}
	return g
}
