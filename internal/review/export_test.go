package review

import (
	"tengen/board"
	"tengen/engine/analyse"
)

// Judge judges a move by an analysis of the position before it.
func Judge(before analyse.Analysis, scored bool, move board.Point) Judgement {
	p := before.Position
	j := Judgement{Size: p.Size, Colour: p.ToPlay, Move: move, Before: WorthOf(before.Best, p.ToPlay, scored), After: Worth{Scored: scored, Winner: board.Empty}}
	for _, f := range before.Moves {
		if f.Move == move {
			j.After = WorthOf(f, p.ToPlay, scored)
		}
	}
	j.weigh()
	j.choose(before)
	return j
}
