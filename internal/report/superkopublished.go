package report

const superkoPaper = "Weninger and Hayward, *Exploring Positional Linear Go*"

// publishedEmpty is figure 1 of the paper on Go: scores of empty rows, by points.
var publishedEmpty = []int{1: 0, 0, 3, 4, 0, 1, 2, 3, 0, 1, 2, 2}

// publishedFirst is figure 10: scores of first moves from the end to the middle, by points.
var publishedFirst = [][]int{
	2: {-2},
	3: {-3, 3},
	4: {-4, 4},
	5: {-5, 0, 0},
	6: {-6, 1, -1},
	7: {-7, 2, -2, 2},
	8: {-3, 3, -1, 1},
	9: {-4, 0, -1, 0, 0},
}

// publishedFirstOn returns the published scores of a row, or nil if there are none.
func publishedFirstOn(points int) []int {
	if points < len(publishedFirst) {
		return publishedFirst[points]
	}
	return nil
}

// publishedLines is figure 11: short lines by points and first move, as cells.
var publishedLines = [][][]int{
	2: {{1, 2}},
	3: {{1, 2}, {2}},
	4: {{1, 3, 2}, {2, 3, 4}},
	5: {{1, 4, 2, 3, 2, 1}, {2, 4}, {3, 4, 2, 1, 2}},
	6: {{1, 5, 2, 3, 2, 1}, {2, 5, 3}, {3, 2, 1, 5, 2, 4, 2}},
	7: {{1, 6, 4, 2, 5, 3, 4, 5}, {2, 6, 4}, {3, 2, 1, 6, 2, 4, 2}, {4, 6, 2}},
	8: {{1, 7, 3, 6, 2, 4, 2}, {2, 7, 5}, {3, 2, 7, 4, 6}, {4, 7, 2, 6}},
	9: {{1, 3, 8, 6, 4, 5}, {2, 8, 4, 6}, {3, 2, 6, 8, 4, 7, 9, 5, 4, 8, 5}, {4, 2, 8, 6}, {5, 2, 8, 4, 6, 7, 6}},
}

// publishedReply is a row of figure 12: a reply to the end cell of 1×8.
type publishedReply struct {
	score   int
	seconds int
	nodes   uint64
	depth   int
	line    []int // from the reply on
}

var publishedHardest = []publishedReply{
	{-3, 8186, 11_879_007_487, 31, []int{2, 7, 5, 3, 2}},
	{-3, 1879, 2_555_094_103, 31, []int{3, 7, 5, 2}},
	{-1, 149, 205_699_259, 35, []int{4, 7, 3, 6, 2}},
	{-3, 8202, 11_759_010_780, 31, []int{5, 3, 4, 7, 2}},
	{1, 180, 258_613_192, 31, []int{6, 7, 2, 5, 3, 6}},
	{-3, 33160, 50_349_939_752, 43, []int{7, 3, 6, 2, 4, 2}},
	{1, 8051, 11_489_810_583, 57, []int{8, 6, 3, 5}},
}

// knockouts is figure 13 with the corresponding parts of our search, then the parts that
// only our search has, and last the complete search.
var knockouts = []knockout{
	{seconds: [2]float64{.44, 25}},
	{"1–2 conjecture", []string{"conjecture"}, [2]float64{.52, 14.3}},
	{"total state", []string{"total"}, [2]float64{.93, 83.4}},
	{"iterative deepening move ordering (IDMO)", []string{"learned"}, [2]float64{2.1, 810.9}},
	{"IDMO and knowledge move ordering", []string{"learned", "knowledge"}, [2]float64{27.8, 0}},
	{"loosely packed stable", []string{"packed"}, [2]float64{.73, 0}},
	{"telomere", []string{"telomeres"}, [2]float64{.42, 24}},
	{"transposition table", []string{"tt"}, [2]float64{.30, 14.7}},
	{without: []string{"theorem2"}},
	{without: []string{"depths"}},
	{without: []string{"deepening"}},
	{without: []string{"theorem2", "total", "packed", "telomeres", "conjecture"}},
}

// publishedProlonged is the caption of figure 12: lines of best play on 1×8 in which White,
// or both sides, put the end off. The first two cells are the state that the figure asks about.
var publishedProlonged = [][]int{
	{1, 4, 7, 5, 2, 3, 6, 8, 2, 7, 6, 7, 8, 5, 3, 7},
	{
		1, 4, 7, 5, 2, 3, 2, 1, 6, 8, 6, 7, 2, 6, 7, 8, 5, 4, 7, 5, 3, 5, 1, 4, 6, 4, 5, 2, 4, 8, 4, 7, 5, 6, 7, 8,
		3, 1, 3, 2, 7, 3, 2, 1, 4, 5, 2, 4, 6, 4, 8, 5, 3, 5, 7, 4, 1, 4, 6, 8, 6, 5, 3, 4, 5, 2, 7, 4, 8, 6, 3, 7,
	},
}
