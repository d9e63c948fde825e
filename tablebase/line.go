package tablebase

import (
	"tengen/board"
	"tengen/weiqi"
)

// Line follows the best moves from a position to the end of the game, or until a
// position comes again, as it may where nobody can force the end. Without
// distances a table knows who wins but not how to get on, so the line of a won game
// may come round too.
func (t *Table) Line(p weiqi.Position) ([]board.Point, error) {
	var line []board.Point
	seen := map[weiqi.Position]bool{}
	for !p.Over() && !seen[p] {
		seen[p] = true
		a, err := t.Probe(p)
		if err != nil {
			return line, err
		}
		line = append(line, a.Moves[0].Point)
		if p, err = (weiqi.Rules{}).Play(p, a.Moves[0].Point); err != nil {
			return line, err
		}
	}
	return line, nil
}
