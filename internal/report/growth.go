package report

import (
	"context"
	"fmt"
	"math"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/internal/text"
)

func growthExperiment() Experiment {
	return Experiment{
		Name:   "linear-growth",
		Shows:  "NoGo: the cost of a row after its second point",
		Source: linearPaper + ", figure 2",
		Points: Range{Least: firstGrowth, Most: 62, Usual: 28, Paper: 39, Beyond: 45},
		strips: true,
		run:    growth,
	}
}

// firstGrowth is the shortest row in this report: on it and all longer rows the
// second point is known to win.
const firstGrowth = 8

// growthRow is a board of one row, searched twice.
type growthRow struct {
	points int
	ours   search
	plain  *search // by the method sbh; nil if it was not run
}

func growth(ctx context.Context, s *session) (Report, error) {
	rows, err := s.measureGrowth(ctx)
	return composed(rows, err, composeGrowth)
}

// measureGrowth runs the plain search only up to its limit, since longer rows take longer.
func (s *session) measureGrowth(ctx context.Context) ([]growthRow, error) {
	s.all = 2 * (s.Max - firstGrowth + 1)
	var rows []growthRow
	over := false
	for points := firstGrowth; points <= s.Max; points++ {
		ours, err := s.solve(ctx, row(points), afterSecond(points), unlimited)
		if err != nil {
			return rows, err
		}
		r := growthRow{points: points, ours: ours}
		if !over {
			request := afterSecond(points)
			request.Method = solve.SBH
			plain, err := s.solve(ctx, row(points)+" by sbh", request, s.Limit)
			if err != nil {
				return rows, err
			}
			r.plain, over = &plain, plain.over
		} else {
			s.done++
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func composeGrowth(rows []growthRow) (Report, error) {
	r := Report{
		Title: "1×n after the second point: the cost of the proof",
		Data:  Data{Columns: []string{"program", "points", "positions", "more_than", "seconds"}},
	}
	table := Table{Columns: []Column{
		words("board"), numbers("positions"), numbers("time"), numbers("sbh: positions"), numbers("time"),
		numbers("CGTSolver: positions"), numbers("time"),
	}}
	for _, x := range rows {
		r.fact("the winner of "+row(x.points)+" after B1", x.ours.winner, board.Black)
		cells := []string{row(x.points), x.ours.cost(), x.ours.time(), nothing, nothing, nothing, nothing}
		r.Data.add("tengen", x.points, x.ours.positions, false, milliseconds(x.ours.elapsed))
		if x.plain != nil {
			cells[3], cells[4] = x.plain.cost(), x.plain.time()
			r.Data.add("sbh", x.points, x.plain.positions, x.plain.over, milliseconds(x.plain.elapsed))
		}
		if m, ok := cgtSolverOn(x.points); ok {
			cells[5], cells[6] = m.cost(), fmt.Sprintf("%.1f s", m.seconds)
			r.Data.add("CGTSolver", x.points, m.positions, false, m.seconds)
			r.cost("positions on "+row(x.points), float64(x.ours.positions), float64(m.positions), "", "a cost")
		}
		table.add(cells...)
	}
	r.Tables = []Table{table}
	r.Notes = append(growthRates(rows),
		"`sbh` is the search of SBHSolver, the program of the earlier paper. CGTSolver is the program of this one; the paper shows its costs as curves, so these are from runs of it, with its database of strips with up to 15 points, on one core, rounded from 1×26 on.")
	var err error
	r.Figure, r.Picture, err = growthFigure(rows)
	return r, err
}

func (m measured) cost() string {
	if m.rounded {
		return "about " + text.Thousands(m.positions)
	}
	return text.Thousands(m.positions)
}

// growthRates compares the growth of the costs from row to row.
func growthRates(rows []growthRow) []string {
	const stretch = 8 // number of last rows, where constant costs no longer matter
	var ours, theirs series
	for _, x := range rows[max(0, len(rows)-stretch):] {
		ours.at(x.points, float64(x.ours.positions))
	}
	for _, m := range cgtSolver {
		theirs.at(m.points, float64(m.positions))
	}
	if len(ours.points) < stretch {
		return nil
	}
	return []string{fmt.Sprintf("Each point more multiplies the positions by %.2f (1×%.0f to 1×%.0f), those of CGTSolver by %.2f (1×%.0f to 1×%.0f).",
		ours.rate(), ours.points[0].X, ours.points[len(ours.points)-1].X,
		theirs.rate(), theirs.points[0].X, theirs.points[len(theirs.points)-1].X)}
}

// rate is the factor of growth for each step of x, fitted by least squares of
// logarithms.
func (s series) rate() float64 {
	n := float64(len(s.points))
	var x, y, xx, xy float64
	for _, p := range s.points {
		l := math.Log(p.Y)
		x, y, xx, xy = x+p.X, y+l, xx+p.X*p.X, xy+p.X*l
	}
	return math.Exp((n*xy - x*y) / (n*xx - x*x))
}

func growthFigure(rows []growthRow) (svg, png []byte, err error) {
	names := [3]string{"tengen", "sbh, as SBHSolver", "CGTSolver"}
	var positions, times [3]series
	for i, name := range names {
		positions[i].name, times[i].name = name, name
	}
	for _, x := range rows {
		positions[0].at(x.points, float64(x.ours.positions))
		times[0].at(x.points, x.ours.elapsed.Seconds())
		if x.plain != nil && !x.plain.over {
			positions[1].at(x.points, float64(x.plain.positions))
			times[1].at(x.points, x.plain.elapsed.Seconds())
		}
		if m, ok := cgtSolverOn(x.points); ok {
			positions[2].at(x.points, float64(m.positions))
			times[2].at(x.points, m.seconds)
		}
	}
	upper, err := growthPanel("Positions searched on 1×n after the second point", "positions", positions[:]...)
	if err != nil {
		return nil, nil, err
	}
	lower, err := growthPanel("Time of the search", "seconds", times[:]...)
	if err != nil {
		return nil, nil, err
	}
	svg, png = render(280, upper, lower)
	return svg, png, nil
}
