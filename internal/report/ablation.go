package report

import (
	"context"
	"fmt"
	"strings"

	"tengen/board"
)

func ablationExperiment() Experiment {
	return Experiment{
		Name:   "linear-ablation",
		Shows:  "NoGo: the effect of each part of the search on rows",
		Source: linearPaper + ", figure 4",
		Points: Range{Least: firstAblation, Most: 62, Usual: 26, Paper: 30},
		strips: true,
		run:    ablation,
	}
}

const firstAblation = 20

// variant is the search without some of its parts.
type variant struct {
	without []string
	missing string // the missing parts, for people
}

// variants begin with the whole search.
func variants() []variant {
	return []variant{
		{nil, "nothing"},
		{[]string{"mobility"}, "our order of moves; the paper's stays"},
		{[]string{"mobility", "pitm"}, "any order of moves"},
		{[]string{"seg"}, "replacing short strips by their values"},
		{[]string{"static"}, "bounds"},
		{[]string{"tt"}, "the table"},
		{[]string{"etc"}, "enhanced transposition cutoff"},
		{[]string{"cancel"}, "dropping a strip with its inverse"},
	}
}

func (v variant) parts() string { return strings.Join(v.without, ",") }

// name is short enough for a legend.
func (v variant) name() string {
	if len(v.without) == 0 {
		return "all parts"
	}
	return "without " + v.parts()
}

// ablationRow is a board of one row, searched in every variant. A search is
// nil if a shorter row was already over the limit.
type ablationRow struct {
	points   int
	searches []*search
}

func ablation(ctx context.Context, s *session) (Report, error) {
	rows, err := s.measureAblation(ctx)
	return composed(rows, err, composeAblation)
}

func (s *session) measureAblation(ctx context.Context) ([]ablationRow, error) {
	s.all = len(variants()) * (s.Max - firstAblation + 1)
	over := make([]bool, len(variants()))
	var rows []ablationRow
	for points := firstAblation; points <= s.Max; points++ {
		r := ablationRow{points, make([]*search, len(variants()))}
		for i, v := range variants() {
			if over[i] {
				s.done++
				continue
			}
			limit := s.Limit
			if v.without == nil {
				limit = unlimited
			}
			request := afterSecond(points)
			request.Without = v.without
			found, err := s.solve(ctx, fmt.Sprintf("%s, %s", row(points), v.name()), request, limit)
			if err != nil {
				return rows, err
			}
			r.searches[i], over[i] = &found, found.over
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func composeAblation(rows []ablationRow) (Report, error) {
	r := Report{
		Title: "1×n after the second point: positions searched without a part of the search",
		Data:  Data{Columns: []string{"points", "without", "positions", "more_than", "seconds"}},
	}
	table := Table{Columns: []Column{words("search"), words("missing")}}
	cells := make([][]string, len(variants()))
	lines := make([]series, len(variants()))
	for i, v := range variants() {
		cells[i], lines[i].name = []string{v.name(), v.missing}, v.name()
	}
	for _, x := range rows {
		table.Columns = append(table.Columns, numbers(row(x.points)))
		for i, v := range variants() {
			found := x.searches[i]
			if found == nil {
				cells[i] = append(cells[i], nothing)
				continue
			}
			cells[i] = append(cells[i], found.cost())
			r.Data.add(x.points, v.parts(), found.positions, found.over, milliseconds(found.elapsed))
			if !found.over {
				r.fact(fmt.Sprintf("the winner of %s after B1, %s", row(x.points), v.name()), found.winner, board.Black)
				lines[i].at(x.points, float64(found.positions))
			}
		}
	}
	table.Rows = cells
	r.Tables = []Table{table, factors(rows)}
	r.Notes = []string{"The second table divides by the whole search. A search over the limit was stopped, and longer rows were not tried: its line in the figure ends there."}
	p, err := growthPanel("Positions searched on 1×n after the second point", "positions", lines...)
	if err != nil {
		return Report{}, err
	}
	r.Figure, r.Picture = render(360, p)
	return r, nil
}

// factors compares each variant with the whole search.
func factors(rows []ablationRow) Table {
	table := Table{Columns: []Column{words("factor of positions")}}
	for i, v := range variants()[1:] {
		cells := []string{v.name()}
		for _, x := range rows {
			cells = append(cells, factor(x.searches[i+1], x.searches[0]))
		}
		table.add(cells...)
	}
	for _, x := range rows {
		table.Columns = append(table.Columns, numbers(row(x.points)))
	}
	return table
}

func factor(part, all *search) string {
	if part == nil || all.positions == 0 {
		return nothing
	}
	text := short(float64(part.positions) / float64(all.positions))
	if part.over {
		return "more than " + text
	}
	return text
}
