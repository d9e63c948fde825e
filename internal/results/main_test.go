package main

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"tengen/internal/longtest"
	"tengen/internal/pages"
)

// The rows of docs/data/nogo.csv are what is found today, all but the times.
func TestRowsOfTheData(t *testing.T) {
	longtest.Alone(t)
	data, err := pages.ReadData("../../docs/data")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	most := 16
	if longtest.On() {
		most = 22
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, 1, most, 1<<30, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	reader := csv.NewReader(&out)
	reader.Comment = '#'
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows[1:] {
		stored := data["nogo"].Rows[i]
		row[3] = stored[3] // the time
		if got, want := strings.Join(row, ","), strings.Join(stored, ","); got != want {
			t.Errorf("it is\n%s\nand docs/data/nogo.csv has\n%s", got, want)
		}
	}
}
