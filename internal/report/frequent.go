package report

import (
	"context"
	"fmt"
	"strconv"

	"tengen/engine/value"
)

func frequentExperiment() Experiment {
	return Experiment{
		Name:   "linear-values",
		Shows:  "NoGo: the most frequent values of strips",
		Source: linearPaper + ", table 1 and figure 1",
		Points: Range{Least: 1, Most: 12, Usual: publishedPoints, Paper: publishedPoints},
		run:    frequent,
	}
}

func frequent(ctx context.Context, s *session) (Report, error) {
	s.step = "the database"
	strips, err := s.openStrips(ctx)
	if err != nil {
		return Report{}, err
	}
	defer strips.Close()
	list, err := strips.Frequent(ctx, s.Max, len(publishedValues))
	if err != nil {
		return Report{}, err
	}
	return composeFrequent(s.Max, list)
}

func composeFrequent(points int, list []value.FrequentValue) (Report, error) {
	r := Report{
		Title: fmt.Sprintf("The most frequent values of strips with up to %d points", points),
		Data:  Data{Columns: []string{"rank", "simplest", "canonical", "occurrences", "published"}},
	}
	table := Table{Columns: []Column{numbers("rank"), words("simplest strip"), words("value"), numbers("occurrences"), numbers("published")}}
	var labels []string
	ours, theirs := bars{name: "tengen"}, bars{name: "published"}
	for i, f := range list {
		published, cell := any(nil), nothing
		if points == publishedPoints && i < len(publishedValues) {
			p := publishedValues[i]
			published, cell = p.count, strconv.Itoa(p.count)
			theirs.values = append(theirs.values, float64(p.count))
			r.fact(fmt.Sprintf("rank %d", i), publishedValue{f.Simplest.String(), f.Canonical, f.Count}, p)
		}
		table.add(strconv.Itoa(i), code(f.Simplest.String()), code(f.Canonical), strconv.Itoa(f.Count), cell)
		r.Data.add(i, f.Simplest.String(), f.Canonical, f.Count, published)
		labels, ours.values = append(labels, f.Canonical), append(ours.values, float64(f.Count))
	}
	r.Tables = []Table{table}
	r.Notes = []string{"A value and its negative are equally frequent, and only one of them is listed."}
	groups := []bars{ours}
	if len(theirs.values) == len(ours.values) {
		groups = append(groups, theirs)
	}
	p, err := barPanel("How many strips have a value", "value", "strips", labels, groups...)
	if err != nil {
		return Report{}, err
	}
	r.Figure, r.Picture = render(260, p)
	return r, nil
}

// differ adds a fact that contradicts the paper.
func (r *Report) differ(format string, args ...any) {
	r.Differences = append(r.Differences, fmt.Sprintf(format, args...))
}
