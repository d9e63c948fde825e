package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tengen/board"
)

var rewrite = flag.Bool("rewrite", false, "make results.json from docs/results.md, and the answers of docs/api.md")

// The results in the program are those of the page.
func TestResultsAreThoseOfThePage(t *testing.T) {
	text, err := os.ReadFile("../../docs/results.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(strings.ReplaceAll(string(text), "×", "x"), "−", "-")
	tables := []ResultTable{rectangles(t, page), singleRows(t, page), superkoRows(t, page), goBoards(t, page)}
	want, err := json.MarshalIndent(tables, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *rewrite {
		if err := os.WriteFile("results.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, resultsFile) {
		t.Error("results.json is not what docs/results.md says: run go test ./internal/web -run Results -rewrite")
	}
}

// Every cell leads to a position that there is.
func TestResultsLeadToPositions(t *testing.T) {
	server := start(t, nil)
	response, err := readResults()
	if err != nil || len(response) != 4 {
		t.Fatalf("%d tables: %v", len(response), err)
	}
	for _, table := range response {
		for _, cell := range table.Cells {
			body, _ := json.Marshal(cell.Question)
			ask[Standing](t, server, "/api/v1/position", string(body))
			if !slices.Contains(table.Rows, cell.Row) || !slices.Contains(table.Cols, cell.Col) {
				t.Errorf("%s: %+v has no place", table.Title, cell)
			}
		}
	}
}

const largestPublished = 27 // points of a rectangle

func rectangles(t *testing.T, page string) ResultTable {
	table := ResultTable{Title: "NoGo on rectangles", Note: "Who wins from the empty board, Black to move. Published to 27 points by Du, Wei and Müller; the rest is new."}
	for _, c := range certified(t, page) {
		if c.size.Rows > 1 {
			table.add(c)
		}
	}
	return table.sorted()
}

// certified are the boards of NoGo with certificates.
func certified(t *testing.T, page string) (cells []sized) {
	row := regexp.MustCompile("(?m)^\\| (\\d+x\\d+)( after (\\w+), White to play)? \\| (black|white) \\| ([\\d,]+) \\|.*`([0-9a-f]{64})` \\|$")
	for _, m := range row.FindAllStringSubmatch(page, -1) {
		size, err := board.ParseSize(m[1])
		if err != nil {
			t.Fatal(err)
		}
		c := sized{size: size, ResultCell: ResultCell{
			Winner: m[4], Published: size.Points() <= largestPublished, Positions: number(t, m[5]), Certificate: m[6],
			Question: Question{Game: "nogo", Size: m[1]}, Command: "tengen solve nogo " + m[1],
		}}
		if m[3] != "" {
			c.Question.Moves, c.Command = []string{m[3]}, c.Command+" --moves "+m[3]
		}
		cells = append(cells, c)
	}
	if len(cells) < 40 {
		t.Fatalf("only %d boards of NoGo were found", len(cells))
	}
	return cells
}

func singleRows(t *testing.T, page string) ResultTable {
	table := ResultTable{Title: "NoGo on single rows", Note: "Who wins from the empty row, Black to move; from 1x8 on Black wins with B1. Published to 1x39; the rest is new."}
	longest := 0
	for _, c := range certified(t, page) {
		if c.size.Rows == 1 {
			longest = max(longest, c.size.Cols)
			c.Published = true
			table.add(c)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (1x(\d+)) \| ([\d,]+) \| [\d.]+ s \|`).FindAllStringSubmatch(page, -1) {
		size, err := board.ParseSize(m[1])
		if err != nil {
			t.Fatal(err)
		}
		if size.Cols > longest {
			table.add(sized{size: size, ResultCell: ResultCell{
				Winner: "black", Published: size.Cols <= 39, Positions: number(t, m[3]),
				Question: Question{Game: "nogo", Size: m[1], Moves: []string{"B1"}}, Command: "tengen solve nogo " + m[1] + " --moves B1",
			}})
		}
	}
	return table.sorted()
}

func superkoRows(t *testing.T, page string) ResultTable {
	table := ResultTable{Title: "Go under positional superko on single rows", Note: "Black's area less White's with best play. Published to 1x9; the rest is new."}
	_, section, _ := strings.Cut(page, "## Go under superko")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^\| (1x\d+) \| (-?\d+) \| .* \| ([\d,]+) \| [\d.]+ s \|$`).FindAllStringSubmatch(section, -1) {
		table.add(scored(t, m[1], m[2], m[3], "psk"))
	}
	return table.sorted()
}

func goBoards(t *testing.T, page string) ResultTable {
	table := ResultTable{Title: "Go under basic ko", Note: "Black's area less White's with best play, endless games drawn. Every score was published before."}
	_, section, _ := strings.Cut(page, "## Go under basic ko")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, m := range regexp.MustCompile(`(?m)^\| (\dx\d+) \| (-?\d+) \| [\d,]+ \| [\d,]+ \| ([\d,]*) \|`).FindAllStringSubmatch(section, -1) {
		table.add(scored(t, m[1], m[2], cmp.Or(m[3], "0"), "")) // values from a file are not evaluated
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (\dx\d+) \| (-?\d+) \| ([A-Z]\d) \| [\d,]+ \| (.*, \d{4}) \|$`).FindAllStringSubmatch(section, -1) {
		c := scored(t, m[1], m[2], "0", "")
		c.Command, c.Move, c.Source = "", m[3], m[4]
		table.add(c)
	}
	return table.sorted()
}

func scored(t *testing.T, name, score, positions, rules string) sized {
	size, err := board.ParseSize(name)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(score)
	if err != nil {
		t.Fatal(err)
	}
	c := sized{size: size, ResultCell: ResultCell{
		Score: &n, Published: rules == "" || size.Cols <= 9, Positions: number(t, positions),
		Question: Question{Game: "go", Size: name, Rules: rules}, Command: "tengen solve go " + name,
	}}
	if rules != "" {
		c.Command += " --rules " + rules
	}
	return c
}

// sized is a cell that knows its board.
type sized struct {
	size board.Size
	ResultCell
}

func (table *ResultTable) add(c sized) {
	c.Row, c.Col = fmt.Sprint(c.size.Rows), fmt.Sprint(c.size.Cols)
	table.Cells = append(table.Cells, c.ResultCell)
	if !slices.Contains(table.Rows, c.Row) {
		table.Rows = append(table.Rows, c.Row)
	}
	if !slices.Contains(table.Cols, c.Col) {
		table.Cols = append(table.Cols, c.Col)
	}
}

func (table ResultTable) sorted() ResultTable {
	byNumber := func(x, y string) int {
		m, _ := strconv.Atoi(x)
		n, _ := strconv.Atoi(y)
		return m - n
	}
	slices.SortFunc(table.Rows, byNumber)
	slices.SortFunc(table.Cols, byNumber)
	return table
}

func number(t *testing.T, text string) uint64 {
	n, err := strconv.ParseUint(strings.ReplaceAll(text, ",", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
