package report

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"tengen/internal/text"
)

// Table is for people: cells are text with separators and units.
type Table struct {
	Columns []Column
	Rows    [][]string
}

// Column is the head of a column.
type Column struct {
	Name   string
	Number bool // aligned to the right
}

// words makes a column of text, numbers a column of numbers.
func words(name string) Column   { return Column{name, false} }
func numbers(name string) Column { return Column{name, true} }

func (t *Table) add(cells ...string) { t.Rows = append(t.Rows, cells) }

// writeMarkdown pads the cells, so that the source looks like a table too.
func (t *Table) writeMarkdown(w io.Writer) {
	widths := make([]int, len(t.Columns))
	for i, c := range t.Columns {
		widths[i] = max(3, width(c.Name))
		for _, row := range t.Rows {
			widths[i] = max(widths[i], width(row[i]))
		}
	}
	heads, rules := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for i, c := range t.Columns {
		heads[i], rules[i] = c.Name, strings.Repeat("-", widths[i])
		if c.Number {
			rules[i] = rules[i][1:] + ":"
		}
	}
	for _, row := range slices.Concat([][]string{heads, rules}, t.Rows) {
		for i, cell := range row {
			fill := strings.Repeat(" ", widths[i]-width(cell))
			if t.Columns[i].Number {
				fmt.Fprintf(w, "| %s%s ", fill, escape(cell))
			} else {
				fmt.Fprintf(w, "| %s%s ", escape(cell), fill)
			}
		}
		fmt.Fprintln(w, "|")
	}
}

// A bar inside a cell, as in {1|0}, would end it.
func escape(cell string) string { return strings.ReplaceAll(cell, "|", `\|`) }

func width(cell string) int { return len([]rune(escape(cell))) }

// code formats text as code.
func code(text string) string { return "`" + text + "`" }

// nothing fills a cell without a value.
const nothing = "–"

// short writes small numbers with two decimals and others without.
func short(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.2f", x)
	}
	return text.Thousands(uint64(math.Round(x)))
}

func seconds(d time.Duration) string { return short(d.Seconds()) + " s" }

// row names a board of one row.
func row(points int) string { return fmt.Sprintf("1×%d", points) }

// cost is the number of positions of a search, for a table.
func (x search) cost() string {
	if x.over {
		return "more than " + text.Thousands(x.positions)
	}
	return text.Thousands(x.positions)
}

func (x search) time() string {
	if x.over {
		return nothing
	}
	return seconds(x.elapsed)
}
