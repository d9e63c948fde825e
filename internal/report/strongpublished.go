package report

import (
	"cmp"
	"fmt"
	"slices"

	"tengen/board"
)

const strongPaper = "Lin, *Memory Efficient Algorithms and Implementations for Solving Small-board-sized Go*"

// strongBoard is a row of the result tables of the paper on strong solutions of Go.
type strongBoard struct {
	board.Size
	depth   int
	states  int // compressed
	seconds float64
	score   int    // of the empty board
	move    string // a best first move
}

func (b strongBoard) name() string { return fmt.Sprintf("%d×%d", b.Rows, b.Cols) }

const (
	minute = 60.0
	hour   = 3600.0
	day    = 86400.0
)

var publishedStrong = []strongBoard{
	{board.Size{Rows: 2, Cols: 2}, 2, 26, 0.164, 0, "A1"},
	{board.Size{Rows: 2, Cols: 3}, 11, 293, 0.167, 0, "B1"},
	{board.Size{Rows: 2, Cols: 4}, 18, 2_169, 0.234, 8, "B1"},
	{board.Size{Rows: 2, Cols: 5}, 30, 18_205, 0.791, 10, "C1"},
	{board.Size{Rows: 2, Cols: 6}, 32, 152_887, 3.944, 12, "C1"},
	{board.Size{Rows: 2, Cols: 7}, 35, 1_304_472, 1.1 * minute, 14, "D1"},
	{board.Size{Rows: 2, Cols: 8}, 41, 11_122_653, 10.61 * minute, 16, "D1"},
	{board.Size{Rows: 2, Cols: 9}, 49, 141_646_333, 107.43 * minute, 18, "E1"},
	{board.Size{Rows: 2, Cols: 10}, 54, 1_206_719_025, 18 * hour, 4, "E1"},
	{board.Size{Rows: 2, Cols: 11}, 63, 6_941_794_698, 32.6 * day, 6, "F1"},
	{board.Size{Rows: 3, Cols: 3}, 26, 3_696, 0.462, 9, "B2"},
	{board.Size{Rows: 3, Cols: 4}, 46, 166_358, 4.121, 4, "B2"},
	{board.Size{Rows: 3, Cols: 5}, 46, 4_200_206, 3.8 * minute, 15, "B2"},
	{board.Size{Rows: 3, Cols: 6}, 54, 106_590_386, 152.2 * minute, 18, "B3"},
	{board.Size{Rows: 3, Cols: 7}, 59, 2_715_285_034, 2781 * minute, 21, "B3"},
	{board.Size{Rows: 4, Cols: 4}, 56, 9_276_006, 5.9 * minute, 1, "B2"},
	{board.Size{Rows: 4, Cols: 5}, 70, 1_402_761_648, 951.4 * minute, 20, "C2"},
}

// strongRow is the published score of an empty row, to 1×20.
func strongRow(points int) int {
	if points == 3 || points == 4 {
		return points
	}
	return 0
}

// strongTo lists the published boards with at most this number of points, small ones first.
func strongTo(points int) []strongBoard {
	list := slices.DeleteFunc(slices.Clone(publishedStrong), func(b strongBoard) bool { return b.Points() > points })
	slices.SortStableFunc(list, func(a, b strongBoard) int { return cmp.Compare(a.Points(), b.Points()) })
	return list
}

// Figures of the paper on the encoding of states and on 4×5.
const (
	publishedPossible   = 219_667_417_263
	publishedLegal      = 1_840_058_693
	publishedCompressed = 460_114_319
)
