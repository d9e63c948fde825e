package report

import (
	"fmt"

	"tengen/board"
)

// The papers, as they are cited.
const (
	rectanglePaper = "Du, Wei and Müller, *Solving NoGo on Small Rectangular Boards*"
	linearPaper    = "Du and Müller, *Solving Linear NoGo with Combinatorial Game Theory*"
)

// publishedValue is a row of table 1 of the paper on linear NoGo.
type publishedValue struct {
	simplest, canonical string
	count               int
}

func (p publishedValue) String() string {
	return fmt.Sprintf("%s = %s, %d times", code(p.simplest), p.canonical, p.count)
}

// publishedValues counts strips with up to publishedPoints points.
var publishedValues = []publishedValue{
	{".x.x.o.", "1*", 481},
	{"..", "*", 457},
	{"...", "±1", 424},
	{"...x.o.", "±(1*)", 341},
	{"..x.x.", "{2|1}", 326},
	{".x.", "1", 310},
	{".x.x.x.", "3", 287},
	{".x.x.x.o.", "2*", 284},
	{".", "0", 282},
	{"..x.", "{1|0}", 268},
	{".x.x.", "2", 256},
}

const publishedPoints = 8

// measured is a run of CGTSolver, the program of the paper on linear NoGo, with
// its database of strips with up to 15 points, on a row after the second point.
// The paper shows its costs only as curves.
type measured struct {
	points    int
	positions uint64
	rounded   bool
	seconds   float64
}

var cgtSolver = []measured{
	{24, 475_481, false, 2.9},
	{26, 2_200_000, true, 10.5},
	{28, 7_700_000, true, 33.9},
	{29, 16_300_000, true, 68.9},
}

func cgtSolverOn(points int) (measured, bool) {
	for _, m := range cgtSolver {
		if m.points == points {
			return m, true
		}
	}
	return measured{}, false
}

// publishedRectangles is figure 7 of the paper on rectangles: by rows, for
// columns from the number of rows on, 1 where Black wins.
var publishedRectangles = []string{
	1: "0110111111111",
	2: "100111100111",
	3: "1011111",
	4: "011",
	5: "1",
}

// publishedRow is the longest single row that was solved. Black wins all rows
// that figure 7 leaves out.
const publishedRow = 39

// publishedWinner is the winner on an empty board, if it was published.
func publishedWinner(size board.Size) (board.Colour, bool) {
	rows, cols := min(size.Rows, size.Cols), max(size.Rows, size.Cols)
	if rows < len(publishedRectangles) {
		if known := publishedRectangles[rows]; cols-rows < len(known) {
			if known[cols-rows] == '1' {
				return board.Black, true
			}
			return board.White, true
		}
	}
	return board.Black, rows == 1 && cols <= publishedRow
}

// Figures from the text of the paper on linear NoGo about its search on 1×30.
const (
	publishedSearch      = 30
	publishedShallowest  = 4 // depth of the first leaf
	publishedMostParts   = 6
	publishedCommonParts = 2
)
