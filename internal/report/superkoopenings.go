package report

import (
	"context"

	"tengen/board"
	"tengen/internal/text"
	"tengen/weiqi"
)

func superkoOpeningsExperiment() Experiment {
	return Experiment{
		Name:   "superko-openings",
		Shows:  "Go under superko: the score of every first move on a row",
		Source: superkoPaper + ", figures 1 and 10",
		Points: Range{Least: 1, Most: 14, Usual: 9, Paper: len(publishedFirst) - 1, Beyond: 12},
		run:    superkoOpenings,
	}
}

// firstMoves has the scores of a row: empty, and after each first move from the end
// to the middle.
type firstMoves struct {
	points int
	first  []int
	superkoSearch
}

func superkoOpenings(ctx context.Context, s *session) (Report, error) {
	s.all = s.Max
	var rows []firstMoves
	for points := 1; points <= s.Max; points++ {
		request := superkoRow(points)
		request.EachMove = true
		found, err := s.solveSuperko(ctx, row(points), request)
		if err != nil {
			return composed(rows, err, composeFirstMoves)
		}
		r := firstMoves{points: points, superkoSearch: found}
		scores := map[board.Point]int{}
		for _, m := range found.moves {
			scores[m.Move] = m.Score
		}
		delete(scores, weiqi.Pass)
		for p := board.Point(0); len(scores) > 0 && int(p) < (points+1)/2; p++ {
			r.first = append(r.first, scores[p])
		}
		rows = append(rows, r)
	}
	return composed(rows, nil, composeFirstMoves)
}

func composeFirstMoves(rows []firstMoves) (Report, error) {
	r := Report{
		Title: "Go on 1×n under positional superko: the empty board and every first move",
		Data:  Data{Columns: []string{"points", "cell", "move", "score", "published"}},
		Notes: []string{superkoNote, "First moves go from the end to the middle; the rest follows by symmetry. In the data, cell 0 is the empty board. Scores of empty boards in figure 1 are those of MIGOS, whose rules differ; the paper finds the same scores to 1×9."},
	}
	table := Table{Columns: []Column{
		words("board"), numbers("score"), numbers("published"), words("first moves"), words("published"), numbers("positions"), numbers("time"),
	}}
	for _, x := range rows {
		size := board.Size{Rows: 1, Cols: x.points}
		ours, empty, first := nothing, nothing, nothing
		if x.first != nil {
			ours = signedList(x.first)
		}
		if x.points < len(publishedEmpty) {
			empty = signed(publishedEmpty[x.points])
			r.compare(row(x.points), x.score, publishedEmpty[x.points])
			r.Data.add(x.points, 0, "", x.score, publishedEmpty[x.points])
		} else {
			r.Data.add(x.points, 0, "", x.score, nil)
		}
		published := publishedFirstOn(x.points)
		if published != nil {
			first = signedList(published)
		}
		for i, score := range x.first {
			name := size.Name(size.At(0, i))
			if i >= len(published) {
				r.Data.add(x.points, i+1, name, score, nil)
				continue
			}
			r.compare(row(x.points)+" after "+name, score, published[i])
			r.Data.add(x.points, i+1, name, score, published[i])
		}
		table.add(row(x.points), signed(x.score), empty, ours, first, text.Thousands(x.positions), quick(x.elapsed))
	}
	r.Tables = []Table{table}
	return r, nil
}

// compare puts a score beside the published one.
func (r *Report) compare(what string, score, published int) { r.fact(what, score, published) }
