package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"time"
)

// Data is for programs: one rectangular table of plain values. A cell is a
// string, a bool, an int, a uint64 or a float64, or nil if it is empty.
type Data struct {
	Columns []string
	Rows    [][]any
}

func (d *Data) add(cells ...any) { d.Rows = append(d.Rows, cells) }

// CSV writes a line of column names and then the data.
func (d Data) CSV(w io.Writer) error {
	out := csv.NewWriter(w)
	if err := out.Write(d.Columns); err != nil {
		return err
	}
	for _, row := range d.Rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = plain(cell)
		}
		if err := out.Write(cells); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func plain(cell any) string {
	switch cell := cell.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(cell, 'f', -1, 64)
	}
	return fmt.Sprint(cell)
}

// milliseconds is a time in seconds, rounded to milliseconds.
func milliseconds(d time.Duration) float64 { return math.Round(d.Seconds()*1e3) / 1e3 }
