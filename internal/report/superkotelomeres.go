package report

import (
	"context"
	"strings"

	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

// figure9 has the complements of theorem 7, from the end of the row to the telomere: the
// moves of o that are pruned, and what x gets, in points less than all. The last two are
// read with five cells. (-oo-] has neither.
var figure9 = map[string]struct {
	prune string
	less  int
}{
	"..": {"**", 0}, "o.": {"o*", 0},
	"...": {"*.*", 5}, "o..": {"o**", 0}, ".o.": {"*o*", 5},
	"....": {"*..*", 7}, "o...": {"o***", 0}, ".o..": {"*o.*", 7}, "..o.": {"*.o*", 7},
	"o.o.": {"o.o*", 5}, "ooo.": {"ooo*", 5},
	".....": {"*....", noLess}, "o....": {"o****", 0},
}

// noLess stands for no bound.
const noLess = -1

// telomere tries theorems 6 to 8 on a row whose right end is a telomere of the opponent.
func (all *theorems) telomere(ctx context.Context, x rows, q superko.Question, where string) error {
	p := q.Start
	o := p.ToPlay
	cells := fromSide(p)
	front := strings.IndexByte(cells, 'x')
	if front < 2 || !isTelomere(p, cells, front) {
		return nil
	}
	value, err := x.value(ctx, q, o.Opponent())
	if err != nil {
		return err
	}
	complement := cells[:front]
	kept := &all.printed
	if !strings.Contains(cells[front:], "o") {
		kept = &all.clean
	}
	if complement == ".o." {
		kept.six.try(value >= ahead(p, o.Opponent()), where)
	}
	known, listed := figure9[complement]
	if listed && known.less != noLess {
		kept.seven.try(value >= x.points-known.less, where)
	}
	if !listed && complement != ".o.o." {
		return nil
	}
	// The best of o with and without the pruned moves, for x.
	best, left := x.points+1, x.points+1
	h := weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, p)
	for q2 := range h.Legal().Points() {
		v, err := x.value(ctx, q.After(q2), o.Opponent())
		if err != nil {
			return err
		}
		best = min(best, v)
		if !listed && int(q2) != 2 {
			kept.eight.try(v >= ahead(p, o.Opponent()), where+", "+p.Size.Name(q2))
		}
		if listed && (int(q2) >= len(known.prune) || known.prune[q2] != '*') {
			left = min(left, v)
		}
	}
	if listed {
		passed, err := x.value(ctx, q.After(weiqi.Pass), o.Opponent())
		if err != nil {
			return err
		}
		kept.pruned.try(min(left, passed) == min(best, passed), where)
	}
	return nil
}

// fromSide writes a row with o for the side to play.
func fromSide(p weiqi.Position) string {
	if p.ToPlay == 0 {
		p = p.Inverse()
	}
	return p.String()
}

// isTelomere is the definition of the paper: the front chain has a liberty on both sides,
// and o has no move into the telomere if nothing but this position is behind.
func isTelomere(p weiqi.Position, cells string, front int) bool {
	behind := front
	for behind < len(cells) && cells[behind] == 'x' {
		behind++
	}
	if behind == len(cells) || cells[behind] != '.' || cells[front-1] != '.' {
		return false
	}
	for q := range (weiqi.Rules{}).Legal(p).Points() {
		if int(q) >= front {
			return false
		}
	}
	return true
}
