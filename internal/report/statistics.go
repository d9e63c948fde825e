package report

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"tengen/engine/solve"
	"tengen/internal/text"
)

func statisticsExperiment() Experiment {
	return Experiment{
		Name:   "linear-search",
		Shows:  "NoGo: the positions of a search on a row by depth, number of parts, sizes",
		Source: linearPaper + ", figure 5",
		Points: Range{Least: firstGrowth, Most: 62, Usual: 30, Paper: 30},
		strips: true,
		run:    statistics,
	}
}

func statistics(ctx context.Context, s *session) (Report, error) {
	s.all = 1
	request := afterSecond(s.Max)
	request.Profile = true
	found, err := s.solve(ctx, row(s.Max), request, unlimited)
	if err != nil {
		return Report{}, err
	}
	if found.profile == nil {
		return Report{}, errors.New("the search kept no counts")
	}
	return composeStatistics(s.Max, found.positions, *found.profile)
}

// histogram is one chart: the number of positions by some property.
type histogram struct {
	by               string // column of the data
	title, axis      string
	searched, leaves []uint64
	zero             string // label of 0, if it differs from the number
	what             string // the unit of the counts
}

func histograms(p solve.Profile) []histogram {
	return []histogram{
		{"depth", "By depth", "moves from the root", p.NodesByDepth, p.LeavesByDepth, "", "positions"},
		{"parts", "By number of parts", "strips and values in the sum", p.NodesByParts, p.LeavesByParts, "", "positions"},
		{"size", "Sizes of the parts", "points of a strip; v is a value", p.NodeSizes, p.LeafSizes, "v", "parts"},
	}
}

func composeStatistics(points int, positions uint64, profile solve.Profile) (Report, error) {
	r := Report{
		Title: fmt.Sprintf("1×%d after the second point: the positions of the search", points),
		Data:  Data{Columns: []string{"by", "index", "searched", "decided_at_once"}},
		Notes: []string{fmt.Sprintf("%s positions were searched. Those decided at once, the leaves, need no search: bounds decide them. "+
			"A part of a sum is a strip, or a value, which is a game in canonical form that stands for one or more short strips.", text.Thousands(positions))},
	}
	var panels []*panel
	for _, h := range histograms(profile) {
		if len(h.searched)+len(h.leaves) == 0 {
			continue
		}
		table, chart, err := h.compose(&r.Data)
		if err != nil {
			return Report{}, err
		}
		r.Tables, panels = append(r.Tables, table), append(panels, chart)
	}
	r.besidePaper(points, profile)
	if len(panels) > 0 {
		r.Figure, r.Picture = render(230, panels...)
	}
	return r, nil
}

// compose leaves out values that never occurred.
func (h histogram) compose(data *Data) (Table, *panel, error) {
	table := Table{Columns: []Column{numbers(h.by), numbers("searched"), numbers("decided at once")}}
	var labels []string
	searched, leaves := bars{"searched", plotter.Values{}}, bars{"decided at once", plotter.Values{}}
	for i := range max(len(h.searched), len(h.leaves)) {
		n, l := at(h.searched, i), at(h.leaves, i)
		if n+l == 0 {
			continue
		}
		label := strconv.Itoa(i)
		if i == 0 && h.zero != "" {
			label = h.zero
		}
		table.add(label, text.Thousands(n), text.Thousands(l))
		data.add(h.by, i, n, l)
		labels = append(labels, label)
		searched.values = append(searched.values, float64(n))
		leaves.values = append(leaves.values, float64(l))
	}
	chart, err := barPanel(h.title, h.axis, h.what, labels, searched, leaves)
	return table, chart, err
}

// besidePaper compares the figures with those in the text of the paper.
func (r *Report) besidePaper(points int, p solve.Profile) {
	for _, x := range []struct {
		what            string
		ours, published int
	}{
		{"depth of the shallowest leaf", first(p.LeavesByDepth), publishedShallowest},
		{"depth of the deepest position", last(p.NodesByDepth, p.LeavesByDepth), -1},
		{"most parts in a sum", last(p.NodesByParts, p.LeavesByParts), publishedMostParts},
		{"most common number of parts", commonest(p.NodesByParts, p.LeavesByParts), publishedCommonParts},
	} {
		if points != publishedSearch || x.published < 0 {
			r.news(x.what, index(x.ours))
			continue
		}
		r.explained(x.what, index(x.ours), index(x.published), "of another search, with values in the place of short strips")
	}
}

// index writes an index in a list of counts; -1 means none.
func index(i int) string {
	if i < 0 {
		return nothing
	}
	return strconv.Itoa(i)
}

func first(counts []uint64) int {
	return slices.IndexFunc(counts, func(n uint64) bool { return n > 0 })
}

func last(nodes, leaves []uint64) int { return max(len(nodes), len(leaves)) - 1 }

func commonest(nodes, leaves []uint64) int {
	best, most := -1, uint64(0)
	for i := range max(len(nodes), len(leaves)) {
		if n := at(nodes, i) + at(leaves, i); n > most {
			best, most = i, n
		}
	}
	return best
}

func at(list []uint64, i int) uint64 {
	if i < len(list) {
		return list[i]
	}
	return 0
}
