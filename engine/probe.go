package engine

import (
	"cmp"
	"fmt"
	"slices"

	"tengen/board"
	"tengen/tablebase"
	"tengen/weiqi"
)

// Probe looks a position and all its moves up, and follows best play. The board may
// be that of the table on its side.
func (t *Table) Probe(p weiqi.Position, endless Endless) (GoAnswer, error) {
	return t.probe(p, endless, lineMove)
}

// ProbeStubborn is Probe with a line in which the loser puts the end off as long as it
// can, by hopeless stones too: where the table knows the length of the game it is as long.
func (t *Table) ProbeStubborn(p weiqi.Position, endless Endless) (GoAnswer, error) {
	return t.probe(p, endless, func(_ weiqi.Position, a GoAnswer) GoMove { return a.Moves[0] })
}

func (t *Table) probe(p weiqi.Position, endless Endless, choose func(weiqi.Position, GoAnswer) GoMove) (GoAnswer, error) {
	if size := t.Header().Size; p.Size != size && turned(p.Size) == size {
		a, err := t.probe(turnedPosition(p), endless, choose)
		return a.turned(size), err
	}
	if endless != EndlessDrawn && t.Header().Loops != LoopsRange {
		return GoAnswer{}, fmt.Errorf("%s knows endless games as draws only: build one that keeps the range over all rules for loops", t.table.Path())
	}
	answer, err := t.look(p, endless)
	if err != nil {
		return GoAnswer{}, err
	}
	seen := map[weiqi.Position]int{p: 0} // after how many moves
	for at := answer; len(at.Moves) > 0 && !answer.Round; {
		move := choose(p, at).Move
		answer.Line = append(answer.Line, move)
		if p, err = (weiqi.Rules{}).Play(p, move); err != nil {
			return GoAnswer{}, err
		}
		if answer.Before, answer.Round = seen[p]; !answer.Round {
			seen[p] = len(answer.Line)
		}
		if at, err = t.look(p, endless); err != nil {
			return GoAnswer{}, err
		}
	}
	if answer.Round && answer.Score != endless.worth(p.Size.Points()) {
		// Every move of the line keeps the score, but somebody must bring the game to
		// its end, and without a distance the table does not know how.
		answer.Line, answer.Round, answer.Before = nil, false, 0
	}
	return answer, nil
}

// look is the answer without its line.
func (t *Table) look(p weiqi.Position, endless Endless) (GoAnswer, error) {
	found, err := t.table.Probe(p)
	if err != nil {
		return GoAnswer{}, err
	}
	a := GoAnswer{GoValue: t.value(found.Value, p.ToPlay, endless)}
	for _, m := range found.Moves {
		a.Moves = append(a.Moves, GoMove{m.Point, t.value(m.Value, p.ToPlay, endless), p.Size})
	}
	byScore(a.Moves, p.ToPlay) // the table orders them by their scores with loops drawn
	return a, nil
}

// byScore orders moves, the best for c first; those of one score stay in order.
func byScore(moves []GoMove, c board.Colour) {
	slices.SortStableFunc(moves, func(x, y GoMove) int {
		if c == board.White {
			x, y = y, x
		}
		return cmp.Compare(y.Score, x.Score)
	})
}

// value turns a value for the side to play into one for Black.
func (t *Table) value(v tablebase.Value, toPlay board.Colour, endless Endless) GoValue {
	if toPlay == board.White {
		v.Score, v.Lo, v.Hi = -v.Score, -v.Hi, -v.Lo
	}
	g := GoValue{Score: v.Score, Distance: v.Distance}
	if t.Header().Loops == LoopsRange {
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
