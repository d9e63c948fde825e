// Package pages makes tables of the documentation from stored outputs, the files of
// docs/data. Its tests hold the documentation: tables are those of the data, programs shown
// on a page run and print what the page says, and what a page points to is there.
package pages

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"

	"tengen/internal/text"
)

// File is a file of docs/data: lines of comment that say where it comes from and how its
// columns are written, a line of column names, and rows, whose first cell names them.
type File struct {
	Name    string   // without .csv
	Commits []string // of the programs that made it
	Columns []string
	Rows    [][]string

	formats []string
}

// Data are all files of docs/data by name.
type Data map[string]*File

// ReadData reads the files of a folder.
func ReadData(dir string) (Data, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		return nil, err
	}
	data := Data{}
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := parse(string(content))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f.Name = strings.TrimSuffix(filepath.Base(name), ".csv")
		data[f.Name] = f
	}
	return data, nil
}

// head are the lines that every file begins with.
var head = regexp.MustCompile(`^# commit: ([0-9a-f]{7,}(?:, [0-9a-f]{7,})*)\n# command: .+\n# format: (.+)\n`)

func parse(content string) (*File, error) {
	m := head.FindStringSubmatch(content)
	if m == nil {
		return nil, errors.New("it does not begin with lines for commit, command and format")
	}
	records, err := csv.NewReader(strings.NewReader(content[len(m[0]):])).ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) < 2 {
		return nil, errors.New("it has no row")
	}
	f := &File{Commits: strings.Split(m[1], ", "), Columns: records[0], Rows: records[1:], formats: strings.Split(m[2], ",")}
	if len(f.formats) != len(f.Columns) {
		return nil, fmt.Errorf("%d formats for %d columns", len(f.formats), len(f.Columns))
	}
	for i, name := range f.Columns {
		if slices.Contains(f.Columns[:i], name) {
			return nil, fmt.Errorf("two columns are named %q", name)
		}
	}
	seen := map[string]bool{}
	for _, row := range f.Rows {
		if seen[row[0]] {
			return nil, fmt.Errorf("two rows are named %q", row[0])
		}
		seen[row[0]] = true
		for i := range row {
			if _, err := f.cell(row, i); err != nil {
				return nil, fmt.Errorf("row %q, column %q: %w", row[0], f.Columns[i], err)
			}
		}
	}
	return f, nil
}

// Row is the row of a name, by column.
func (f *File) Row(name string) (map[string]string, bool) {
	for _, row := range f.Rows {
		if row[0] == name {
			cells := map[string]string{}
			for i, column := range f.Columns {
				cells[column] = row[i]
			}
			return cells, true
		}
	}
	return nil, false
}

func (f *File) cell(row []string, i int) (string, error) {
	format, column, _ := strings.Cut(f.formats[i], " of ")
	if column == "" {
		return write(format, row[i])
	}
	at := slices.Index(f.Columns, column)
	if at < 0 {
		return "", fmt.Errorf("there is no column %q", column)
	}
	part, err := strconv.ParseFloat(row[i], 64)
	if err != nil {
		return "", err
	}
	whole, err := strconv.ParseFloat(row[at], 64)
	if err != nil {
		return "", err
	}
	written, err := write(format, row[i])
	return fmt.Sprintf("%s (%.1f %%)", written, 100*part/whole), err
}

var (
	size    = regexp.MustCompile(`\b(\d+)x(\d+)\b`)
	decimal = regexp.MustCompile(`^(-?)(\d+)(\.\d+)?$`)
)

// write writes a cell for readers. An empty cell stays empty.
func write(format, cell string) (string, error) {
	kind, unit, _ := strings.Cut(format, " ")
	if unit != "" {
		unit = " " + unit
	}
	switch kind {
	case "text", "right":
		return cell, nil
	case "capital":
		return text.Capital(cell), nil
	case "scores":
		return strings.ReplaceAll(cell, "-", "−"), nil
	case "board":
		return size.ReplaceAllString(cell, "$1×$2"), nil
	}
	if cell == "" {
		return "", nil
	}
	if kind == "code" {
		return "`" + cell + "`", nil
	}
	if cell == "–" { // not tried
		return cell, nil
	}
	cell, note, _ := strings.Cut(cell, " ") // a sign that a note below the table explains
	if note != "" {
		note = " " + note
	}
	cell, over := strings.CutPrefix(cell, ">")
	m := decimal.FindStringSubmatch(cell)
	if m == nil {
		return "", fmt.Errorf("%q is no plain number", cell)
	}
	whole, err := strconv.ParseInt(m[2], 10, 64)
	if err != nil {
		return "", err
	}
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return "", err
	}
	sign := strings.Replace(m[1], "-", "−", 1)
	switch kind {
	case "number":
		if over {
			sign = "more than " + sign
		}
		return sign + humanize.Comma(whole) + m[3] + unit + note, nil
	case "signed":
		if x > 0 {
			sign = "+"
		}
		return sign + humanize.Comma(whole), nil
	case "whole":
		return sign + humanize.Comma(int64(math.Round(math.Abs(x)))) + unit, nil
	case "bytes": // 24 KiB
		return humanize.IBytes(uint64(whole)), nil
	case "duration": // in seconds
		if whole < 100 {
			return cell + " s" + note, nil
		}
		return fmt.Sprintf("%d min %d s", whole/60, whole%60) + note, nil
	case "halves": // minutes, of seconds
		halves := int(math.Round(x / 30))
		return humanize.Comma(int64(halves/2)) + strings.Repeat("½", halves%2) + unit, nil
	}
	return "", fmt.Errorf("there is no format %q", format)
}

// Markdown is the file as a table. References in its cells are resolved.
func (d Data) Markdown(f *File) (string, error) {
	var b strings.Builder
	line := func(cells []string) { b.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	var heading []string
	for _, name := range f.Columns {
		heading = append(heading, size.ReplaceAllString(name, "$1×$2"))
	}
	line(heading)
	b.WriteString("|")
	for _, format := range f.formats {
		switch strings.Fields(format)[0] {
		case "text", "board", "code", "scores":
			b.WriteString("---|")
		default:
			b.WriteString("---:|")
		}
	}
	b.WriteString("\n")
	for _, row := range f.Rows {
		cells := make([]string, len(row))
		for i := range row {
			written, err := f.cell(row, i)
			if err == nil {
				written, err = d.Resolve(written)
			}
			if err != nil {
				return "", fmt.Errorf("%s.csv, row %q: %w", f.Name, row[0], err)
			}
			cells[i] = strings.ReplaceAll(written, "|", `\|`)
		}
		line(cells)
	}
	return b.String(), nil
}

// reference is {FILE/ROW/COLUMN} or {FILE/ROW/COLUMN/FORMAT}.
var reference = regexp.MustCompile(`\{([^{}/]+)/([^{}/]+)/([^{}/]+)(?:/([^{}/]+))?\}`)

// Resolve puts cells of other files in the place of references to them.
func (d Data) Resolve(cell string) (string, error) {
	var wrong error
	resolved := reference.ReplaceAllStringFunc(cell, func(all string) string {
		m := reference.FindStringSubmatch(all)
		f := d[m[1]]
		if f == nil {
			wrong = fmt.Errorf("%s: there is no such file", all)
			return all
		}
		cells, ok := f.Row(m[2])
		i := slices.Index(f.Columns, m[3])
		if !ok || i < 0 {
			wrong = fmt.Errorf("%s: there is no such cell", all)
			return all
		}
		format := m[4]
		if format == "" {
			format = f.formats[i]
		}
		written, err := write(format, cells[m[3]])
		if err != nil {
			wrong = fmt.Errorf("%s: %w", all, err)
		}
		return written
	})
	return resolved, wrong
}

// table is the place of a generated table on a page.
var table = regexp.MustCompile(`(?s)(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->\n)`)

// Fill makes the tables of a page from the data.
func (d Data) Fill(page string) (string, error) {
	var wrong error
	filled := table.ReplaceAllStringFunc(page, func(all string) string {
		m := table.FindStringSubmatch(all)
		f := d[m[2]]
		if f == nil {
			wrong = fmt.Errorf("there is no %s.csv", m[2])
			return all
		}
		made, err := d.Markdown(f)
		if err != nil {
			wrong = err
		}
		return m[1] + made + m[3]
	})
	return filled, wrong
}
