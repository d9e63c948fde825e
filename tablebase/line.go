package tablebase

import (
	"tengen/board"
	"tengen/weiqi"
)

// Line follows the best moves from a position to the end of the game, or until a
// position repeats. Positions may repeat where neither side can force the end. A
// table without distances knows who wins but not which winning move makes progress,
// so there the line of a won game may repeat too.
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
