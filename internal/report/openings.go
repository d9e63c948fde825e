package report

import (
	"context"
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

func openingsExperiment() Experiment {
	return Experiment{
		Name:   "linear-openings",
		Shows:  "NoGo: who wins after every first move on a row",
		Source: rectanglePaper + ", figure 8 (to 1×27); " + linearPaper + ", figure 3 (1×28 to 1×33)",
		Points: Range{Least: firstOpenings, Most: 62, Usual: 28, Paper: publishedOpenings, Beyond: 38},
		strips: true,
		run:    openings,
	}
}

const (
	firstOpenings     = 2 // the shortest row with a legal move
	publishedOpenings = 33
)

// openingsRow has the winner after each point of a row, from left to right.
type openingsRow struct {
	winners []board.Colour
	search
}

func (r openingsRow) points() int { return len(r.winners) }

func (r openingsRow) wins(point int) bool { return r.winners[point-1] == board.Black }

func openings(ctx context.Context, s *session) (Report, error) {
	rows, err := s.measureOpenings(ctx)
	return composed(rows, err, composeOpenings)
}

func (s *session) measureOpenings(ctx context.Context) ([]openingsRow, error) {
	s.all = s.Max - firstOpenings + 1
	var rows []openingsRow
	for points := firstOpenings; points <= s.Max; points++ {
		size := board.Size{Rows: 1, Cols: points}
		found, err := s.solve(ctx, row(points), solve.Request{Position: nogo.NewPosition(size), EachMove: true}, unlimited)
		if err != nil {
			return rows, err
		}
		r := openingsRow{winners: make([]board.Colour, points), search: found}
		for _, m := range found.moves {
			r.winners[size.Col(m.Move)] = m.Winner.Colour()
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func composeOpenings(rows []openingsRow) (Report, error) {
	r := Report{
		Title: "Who wins after every first move on 1×n",
		Data:  Data{Columns: []string{"points", "opening", "move", "winner"}},
	}
	table := Table{Columns: []Column{words("board"), words("openings"), numbers("won by Black"), numbers("positions"), numbers("time")}}
	for _, x := range rows {
		size := board.Size{Rows: 1, Cols: x.points()}
		won := 0
		for i, winner := range x.winners {
			r.Data.add(x.points(), i+1, size.Name(size.At(0, i)), winner.String())
			if winner == board.Black {
				won++
			}
		}
		table.add(row(x.points()), picture(x.winners), fmt.Sprintf("%d of %d", won, x.points()), x.cost(), x.time())
	}
	r.Tables = []Table{table}
	r.checkOpenings(rows)
	r.Notes = []string{"● is an opening that wins for Black, who makes it, and ○ one that loses. The papers print the openings as pictures. Their statements about them are checked."}
	var stones []stone
	for _, x := range rows {
		for i, winner := range x.winners {
			stones = append(stones, stone{i + 1, x.points(), winner})
		}
	}
	p, err := stonesPanel("The winner after each opening", "opening, as the number of the point from the left", "points of the row", stones)
	if err != nil {
		return Report{}, err
	}
	r.Figure, r.Picture = render(vg.Length(len(rows))*stoneRow+70, p)
	return r, nil
}

// picture draws winners as stones.
func picture(winners []board.Colour) string {
	var b strings.Builder
	for _, w := range winners {
		if w == board.Black {
			b.WriteRune('●')
		} else {
			b.WriteRune('○')
		}
	}
	return b.String()
}

// statement is a sentence of the papers about the openings that they show as
// pictures.
type statement struct {
	text    string
	applies func(points int) bool
	holds   func(openingsRow) bool
	known   int // points up to which it was proved; a failure on longer rows is no difference from the paper
}

func openingStatements() []statement {
	return []statement{
		{
			"Black wins, except on 1×4",
			func(int) bool { return true },
			func(r openingsRow) bool { return strings.ContainsRune(picture(r.winners), '●') == (r.points() != 4) },
			publishedRow,
		},
		{
			"the middle of an odd row wins (theorem)",
			func(n int) bool { return n%2 == 1 },
			func(r openingsRow) bool { return r.wins((r.points() + 1) / 2) },
			board.MaxLine,
		},
		{
			"both middle points of an even row lose, n > 2 (theorem)",
			func(n int) bool { return n%2 == 0 && n > 2 },
			func(r openingsRow) bool { return !r.wins(r.points()/2) && !r.wins(r.points()/2+1) },
			board.MaxLine,
		},
		{
			"the end point loses, n > 5 (conjecture)",
			func(n int) bool { return n > 5 },
			func(r openingsRow) bool { return !r.wins(1) && !r.wins(r.points()) },
			publishedOpenings,
		},
		{
			"the second point wins, n > 7 (conjecture)",
			func(n int) bool { return n > 7 },
			func(r openingsRow) bool { return r.wins(2) && r.wins(r.points()-1) },
			publishedRow,
		},
		{
			"only the middle of 1×7 wins",
			func(n int) bool { return n == 7 },
			func(r openingsRow) bool { return picture(r.winners) == "○○○●○○○" },
			publishedOpenings,
		},
	}
}

// checkOpenings compares the winners with the statements of the papers.
func (r *Report) checkOpenings(rows []openingsRow) {
	for _, s := range openingStatements() {
		checked := 0
		var failed, beyond []string
		for _, x := range rows {
			if !s.applies(x.points()) {
				continue
			}
			checked++
			switch {
			case s.holds(x):
			case x.points() <= s.known:
				failed = append(failed, row(x.points())+", "+picture(x.winners))
			default:
				beyond = append(beyond, row(x.points()))
			}
		}
		r.claim(s.text, checked, failed, "")
		if len(beyond) > 0 {
			r.news(s.text+", on longer rows", "not on "+strings.Join(beyond, ", "))
		}
	}
}
