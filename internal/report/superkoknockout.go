package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/internal/text"
)

func superkoKnockoutExperiment() Experiment {
	return Experiment{
		Name:   "superko-knockout",
		Shows:  "Go under superko: the effect of each part of the search",
		Source: superkoPaper + ", figure 13",
		Points: Range{Least: 7, Most: 8, Usual: 8, Paper: 8},
		run:    superkoKnockout,
	}
}

// knockout is the search without some of its parts, on the two instances of the
// paper: 1×7 after the third cell and 1×8 after the fourth.
type knockout struct {
	feature string     // the name in the paper; "" if it has no such feature
	without []string   // parts
	seconds [2]float64 // times in the paper; 0 if it has none
}

// instance is a row after a first move.
type instance struct{ points, cell int }

func (i instance) name() string { return fmt.Sprintf("%s after cell %d", row(i.points), i.cell) }

var knockoutInstances = [2]instance{{7, 3}, {8, 4}}

// matters reports whether a removed part is used on an instance.
func (k knockout) matters(i instance) bool {
	size := board.Size{Rows: 1, Cols: i.points}
	return len(k.without) == 0 || slices.ContainsFunc(solve.SuperkoParts(), func(p solve.SuperkoPart) bool {
		return slices.Contains(k.without, p.Name) && p.AppliesTo(size)
	})
}

func (k knockout) parts() string { return strings.Join(k.without, ",") }

// words names the removed parts.
func (k knockout) words() string {
	if len(k.without) == 0 {
		return "with everything"
	}
	return "without " + k.parts()
}

// knocked is one search of a knock-out test.
type knocked struct {
	knockout
	instance
	published float64
	superkoSearch
}

func superkoKnockout(ctx context.Context, s *session) (Report, error) {
	var list []knocked
	s.all = len(knockoutInstances) * len(knockouts)
	for n, i := range knockoutInstances {
		if i.points > s.Max {
			continue
		}
		for _, k := range knockouts {
			if !k.matters(i) {
				s.done++
				continue
			}
			request := superkoRow(i.points, i.cell)
			request.With, request.Without = []string{solve.SuperkoAll}, k.without
			found, err := s.solveSuperko(ctx, i.name()+" "+k.words(), request)
			if err != nil {
				return composed(list, err, composeKnockout)
			}
			list = append(list, knocked{k, i, k.seconds[n], found})
		}
	}
	return composed(list, nil, composeKnockout)
}

func composeKnockout(list []knocked) (Report, error) {
	r := Report{
		Title: "Go on 1×n under positional superko: everything but one part",
		Data:  Data{Columns: []string{"points", "cell", "without", "score", "positions", "seconds", "published_feature", "published_seconds"}},
		Notes: []string{
			superkoNote,
			"The first search of each instance has all parts, also the theorems and the conjecture, which are off by default: `tengen solve go 1x7 --rules psk --moves C1 --with all --without PARTS --threads 1`. The last row of each has none of these: it is the search by default. The times of the paper were measured on another machine.",
		},
	}
	table := Table{Columns: []Column{
		words("instance"), words("feature removed"), words("`--without`"), numbers("positions"), numbers("factor"),
		numbers("time"), numbers("published"), numbers("factor of time"),
	}}
	var all knocked
	for _, x := range list {
		if len(x.without) == 0 {
			all = x
		}
		r.compare(x.name()+" "+x.words(), x.score, publishedFirstOn(x.points)[x.cell-1])
		feature, published, ratio := x.feature, nothing, nothing
		if feature == "" {
			feature = nothing
		}
		cell := any(nil)
		if x.published > 0 {
			published = seconds(time.Duration(x.published * float64(time.Second)))
			ratio = short(x.published / all.published)
			cell = x.published
		}
		table.add(x.name(), feature, x.parts(), text.Thousands(x.positions), short(float64(x.positions)/float64(all.positions)),
			quick(x.elapsed), published, ratio)
		r.Data.add(x.points, x.cell, x.parts(), x.score, x.positions, milliseconds(x.elapsed), x.feature, cell)
	}
	r.Tables = []Table{table}
	return r, nil
}
