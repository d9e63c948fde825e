package report

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tengen/board"
	"tengen/engine/solve"
	"tengen/engine/table"
	"tengen/weiqi"
)

// superkoSearch is one question about a row under positional superko.
type superkoSearch struct {
	score     int
	moves     []table.Move
	line      []board.Point
	positions uint64
	elapsed   time.Duration
	depth     int
}

// superkoRow is the request for a row after moves, given by the numbers of
// their cells.
func superkoRow(points int, cells ...int) solve.GoRequest {
	size := board.Size{Rows: 1, Cols: points}
	return solve.GoRequest{
		Position: weiqi.NewPosition(size), Moves: cellPoints(cells), Rules: weiqi.Rules{Ko: weiqi.Positional}, Line: solve.LineNone,
	}
}

// solveSuperko answers one question, however long it takes.
func (s *session) solveSuperko(ctx context.Context, step string, request solve.GoRequest) (superkoSearch, error) {
	s.step = step
	request.Threads, request.Memory = s.Threads, s.Memory
	request.Progress = s.report
	result, err := solve.Go(ctx, request)
	s.done++
	s.warn(result.Warnings)
	if err == nil && !result.Known {
		err = errors.New("the search of a row ended without an answer")
	}
	return superkoSearch{result.Score, result.Moves, result.Line, result.Nodes, result.Elapsed, result.Depth}, err
}

// cellPoints turns cells of a row, counted from 1 as in the paper, into points.
func cellPoints(cells []int) []board.Point {
	list := []board.Point{}
	for _, cell := range cells {
		list = append(list, board.Point(cell-1))
	}
	return list
}

// cells writes a line as the paper does: the numbers of cells, passes left out.
func cells(line []board.Point) string {
	var list []string
	for _, p := range line {
		if p != weiqi.Pass {
			list = append(list, strconv.Itoa(int(p)+1))
		}
	}
	return strings.Join(list, " ")
}

// signed writes a score with a typographic minus sign.
func signed(score int) string {
	return strings.Replace(strconv.Itoa(score), "-", "−", 1)
}

func signedList(scores []int) string {
	var list []string
	for _, score := range scores {
		list = append(list, signed(score))
	}
	return strings.Join(list, ", ")
}

// quick writes a time to milliseconds.
func quick(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// superkoNote explains how to read the reports.
const superkoNote = "Scores are Black's area less White's under positional superko, without suicide and komi. Cells are numbered from the end as in the paper: 1 is A1, 2 is B1, and so on; passes are left out of lines."
