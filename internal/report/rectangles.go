package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/nogo"
)

func rectanglesExperiment() Experiment {
	return Experiment{
		Name:   "rectangles",
		Shows:  "NoGo: who wins on every rectangle",
		Source: rectanglePaper + ", figure 7",
		Points: Range{Least: 1, Most: 36, Usual: 18, Paper: 27, Beyond: 28},
		strips: true,
		run:    rectangles,
	}
}

// rectangle is an empty board and its search.
type rectangle struct {
	board.Size
	search
}

// name writes the size as papers do.
func (r rectangle) name() string { return fmt.Sprintf("%d×%d", r.Rows, r.Cols) }

func rectangles(ctx context.Context, s *session) (Report, error) {
	boards, err := s.measureRectangles(ctx)
	return composed(boards, err, composeRectangles)
}

func (s *session) measureRectangles(ctx context.Context) ([]rectangle, error) {
	boards := sizes(s.Max)
	s.all = len(boards)
	for i := range boards {
		b := &boards[i]
		var err error
		if b.search, err = s.solve(ctx, b.name(), solve.Request{Position: nogo.NewPosition(b.Size)}, unlimited); err != nil {
			return boards[:i], err
		}
	}
	return boards, nil
}

// sizes lists the boards in the order of their points, flat ones first.
func sizes(points int) []rectangle {
	var list []rectangle
	for rows := 1; rows*rows <= points; rows++ {
		for cols := rows; rows*cols <= points; cols++ {
			list = append(list, rectangle{Size: board.Size{Rows: rows, Cols: cols}})
		}
	}
	slices.SortStableFunc(list, func(a, b rectangle) int { return cmp.Compare(a.Size.Points(), b.Size.Points()) })
	return list
}

func composeRectangles(boards []rectangle) (Report, error) {
	r := Report{
		Title: "Who wins NoGo from the empty board",
		Data:  Data{Columns: []string{"rows", "columns", "winner", "published", "positions", "seconds"}},
	}
	list := Table{Columns: []Column{words("board"), words("winner"), words("published"), numbers("positions"), numbers("time")}}
	var stones []stone
	open := 0
	for _, b := range boards {
		published, cell := any(nil), nothing
		if winner, ok := publishedWinner(b.Size); ok {
			published, cell = winner.String(), winner.String()
			r.fact("the winner on "+b.name(), b.winner, winner)
		} else {
			open++
			r.news("the winner on "+b.name(), b.winner)
		}
		list.add(b.name(), b.winner.String(), cell, b.cost(), b.time())
		r.Data.add(b.Rows, b.Cols, b.winner.String(), published, b.positions, milliseconds(b.elapsed))
		stones = append(stones, stone{b.Cols, b.Rows, b.winner})
	}
	r.Tables = []Table{matrix(boards), list}
	r.Notes = []string{"In the first table, laid out as in the paper, 1 is a win for Black, who moves first, and 0 a loss."}
	if open > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("Boards that were never published: %d.", open))
	}
	p, err := stonesPanel("The winner on each board", "columns", "rows", stones)
	if err != nil {
		return Report{}, err
	}
	deepest := slices.MaxFunc(boards, func(a, b rectangle) int { return cmp.Compare(a.Rows, b.Rows) })
	r.Figure, r.Picture = render(vg.Length(deepest.Rows)*2*stoneRow+70, p)
	return r, nil
}

// matrix is the table of the paper, by rows and columns.
func matrix(boards []rectangle) Table {
	winners := map[board.Size]string{}
	var most board.Size
	for _, b := range boards {
		most = board.Size{Rows: max(most.Rows, b.Rows), Cols: max(most.Cols, b.Cols)}
		winners[b.Size] = "0"
		if b.winner == board.Black {
			winners[b.Size] = "1"
		}
	}
	table := Table{Columns: []Column{numbers(`rows \ columns`)}}
	for cols := 1; cols <= most.Cols; cols++ {
		table.Columns = append(table.Columns, numbers(strconv.Itoa(cols)))
	}
	for rows := 1; rows <= most.Rows; rows++ {
		cells := []string{strconv.Itoa(rows)}
		for cols := 1; cols <= most.Cols; cols++ {
			cells = append(cells, winners[board.Size{Rows: rows, Cols: cols}])
		}
		table.add(cells...)
	}
	return table
}
