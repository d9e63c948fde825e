package report

import (
	"context"
	"fmt"
	"strings"

	"tengen/board"
	"tengen/internal/solver/superko"
	"tengen/weiqi"
)

func superkoTheoremsExperiment() Experiment {
	return Experiment{
		Name:   "superko-theorems",
		Shows:  "Go under superko: every theorem as printed, on all positions as the start of a game",
		Source: superkoPaper + ", theorems 1 to 8, conjecture 1 and figure 9",
		Points: Range{Least: 3, Most: 8, Usual: 7, Paper: 7, Beyond: 8},
		run:    filled("The theorems on rows, checked by search", superkoTheorems),
	}
}

// trials counts the cases of a theorem and lists those where it is false.
type trials struct {
	checked int
	failed  []string
}

func (t *trials) try(holds bool, where string) {
	if t.checked++; !holds {
		t.failed = append(t.failed, where)
	}
}

// theorems has the trials of all theorems.
type theorems struct {
	two, four, five, conjecture trials
	// Theorems 6 to 8: where o has no stone in the telomere, and where it has.
	clean, printed telomereTrials
}

type telomereTrials struct{ six, seven, pruned, eight trials }

func superkoTheorems(ctx context.Context, s *session, r *Report) error {
	s.all = s.Max - 2
	var all theorems
	for points := 3; points <= s.Max; points++ {
		if err := s.begin(ctx, row(points)); err != nil {
			return err
		}
		x, err := s.newRows(ctx, points)
		if err != nil {
			return err
		}
		if err := everyRow(points, func(p weiqi.Position) error { return all.check(ctx, x, p) }); err != nil {
			return err
		}
		s.done++
	}
	r.claim("theorem 2: the end cell, answered beside it, is no better than a pass", all.two.checked, all.two.failed, "")
	r.claim("theorem 4: a total row is worth all points", all.four.checked, all.four.failed, "")
	r.claim("theorem 5: loosely packed rows to 1×7 are stable", all.five.checked, all.five.failed, "")
	r.claimTelomeres("", all.clean, "")
	r.claimTelomeres(", with stones of o in the telomere", all.printed, "the definition admits them, and superko-printed explains a case")
	r.claim("conjecture 1: the end cell is no better than its neighbour", all.conjecture.checked, all.conjecture.failed, "")
	r.Notes = []string{
		fmt.Sprintf("Every legal row of 3 to %d points is the start of a game, with either side to play. Theorems 1 and 3 and corollary 1 are about empty boards: `superko-identities`. What a history changes is in `superko-printed`.", s.Max),
		"Two rows of figure 9, (--o] and (---o], have a stone of o beside the telomere, whose front then has no liberty; they never apply.",
	}
	return nil
}

func (r *Report) claimTelomeres(where string, t telomereTrials, why string) {
	r.claim("theorem 6: a telomere beside (-o-] keeps its score"+where, t.six.checked, t.six.failed, why)
	r.claim("theorem 7: the bounds of figure 9"+where, t.seven.checked, t.seven.failed, why)
	r.claim("theorem 7: the moves that figure 9 prunes"+where, t.pruned.checked, t.pruned.failed, why)
	r.claim("theorem 8: beside (-o-o-] only cell 3 can gain"+where, t.eight.checked, t.eight.failed, why)
}

// rows answers questions about the rows of one length.
type rows struct {
	*superko.Solver
	points int
}

func (s *session) newRows(ctx context.Context, points int) (rows, error) {
	solver, err := superko.New(ctx, board.Size{Rows: 1, Cols: points}, superko.Options{
		Rules: weiqi.Rules{Ko: weiqi.Positional}, Threads: s.Threads, Memory: s.Memory,
	})
	if err != nil && ctx.Err() != nil {
		err = stoppedAt(ctx, row(points))
	}
	return rows{solver, points}, err
}

// value is the score of a side.
func (x rows) value(ctx context.Context, q superko.Question, side board.Colour) (int, error) {
	a, err := x.Solve(ctx, q)
	if err != nil && ctx.Err() != nil {
		err = stoppedAt(ctx, row(x.points))
	}
	if side == board.White {
		return -a.Low, err
	}
	return a.Low, err
}

// everyRow visits every legal row with each side to play.
func everyRow(points int, visit func(weiqi.Position) error) error {
	codes := 1
	for range points {
		codes *= 3
	}
	for code := range codes {
		p := weiqi.NewPosition(board.Size{Rows: 1, Cols: points})
		for i, rest := 0, code; i < points; i, rest = i+1, rest/3 {
			if rest%3 > 0 {
				p.Stones[rest%3-1].Add(board.Point(i))
			}
		}
		if p.Validate() != nil {
			continue
		}
		for _, p.ToPlay = range [2]board.Colour{board.Black, board.White} {
			if err := visit(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// check tries all theorems on a row as the start of a game. Theorems about an end speak of
// both, which the mirror image of the row, visited as well, takes care of.
func (all *theorems) check(ctx context.Context, x rows, p weiqi.Position) error {
	q := superko.Question{Start: p}
	cells, where := p.String(), p.String()+", "+p.ToPlay.String()+" to play"
	own := p.ToPlay
	value, err := x.value(ctx, q, own)
	if err != nil {
		return err
	}
	if strings.HasPrefix(cells, "..") {
		if err := all.ends(ctx, x, q, where); err != nil {
			return err
		}
	}
	for side, z := range [2]string{"x", "o"} {
		if total(cells, z) {
			mine := value
			if board.Colour(side) != own {
				mine = -value
			}
			all.four.try(mine == x.points, where)
		}
	}
	if x.points <= 7 && packed(cells) {
		all.five.try(value == ahead(p, own), where)
	}
	return all.telomere(ctx, x, q, where)
}

// ends is theorem 2 and the conjecture, where the first two cells are empty.
func (all *theorems) ends(ctx context.Context, x rows, q superko.Question, where string) error {
	own := q.Start.ToPlay
	values := [4]int{}
	for i, moves := range [4][]board.Point{{0}, {1}, {0, 1}, {weiqi.Pass, 1}} {
		h := weiqi.NewHistory(weiqi.Rules{Ko: weiqi.Positional}, q.Start)
		for _, m := range moves {
			if h.Push(m) != nil {
				return nil
			}
		}
		v, err := x.value(ctx, superko.Question{Start: q.Start, Moves: moves}, own)
		if err != nil {
			return err
		}
		values[i] = v
	}
	all.conjecture.try(values[0] <= values[1], where)
	all.two.try(values[2] <= values[3], where)
	return nil
}

// total is the definition before theorem 4, from the left end.
func total(cells, z string) bool {
	mine := strings.Trim(cells, ".")
	left, right := strings.Index(cells, mine), len(cells)-len(strings.TrimRight(cells, "."))
	if mine == "" || strings.Trim(mine, z+".") != "" || left != 1 {
		return false
	}
	return right == 1 && !strings.Contains(mine, "...") || right == 2 && !strings.Contains(mine, "..")
}

// packed is the definition before theorem 5. Chains that touch have no gap.
func packed(cells string) bool {
	inner := cells[1 : len(cells)-1]
	for _, bad := range []string{"..", "xo", "ox"} {
		if strings.Contains(inner, bad) {
			return false
		}
	}
	return cells[0] == '.' && cells[len(cells)-1] == '.' && inner[0] != '.' && inner[len(inner)-1] != '.'
}
