package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tengen/internal/pages"
	"tengen/internal/report"
	"tengen/internal/wholefile"
)

// The first complete report counts, and the files can be read as all data are.
func TestPapers(t *testing.T) {
	far, near, project := t.TempDir(), t.TempDir(), t.TempDir()
	data := filepath.Join(project, "docs", "data")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	keep := func(dir string, r report.Report) {
		r.Command, r.Program = "tengen reproduce "+r.Name+" --max 9", "tengen v1 (0123456789ab)"
		r.Source, r.Seconds = "Somebody, *A Title*, figure 1", 2.5
		if _, err := r.Write(wholefile.Disk{}, dir); err != nil {
			t.Fatal(err)
		}
	}
	rows := []report.Compared{{What: "a", Published: "1", Ours: "1", Verdict: report.Equal}, {What: "b", Ours: "{1|0}, 2", Verdict: report.Differs, Why: "so"}}
	for i, name := range report.Names() {
		r := report.Report{Name: name, Title: name, Compared: rows}
		keep(near, r)
		if r.Compared = rows[:1]; i == 1 {
			keep(far, r)
		} else if r.Incomplete = "stopped"; i == 2 {
			keep(far, r)
		}
	}
	if err := papers(project, []string{far, near}); err != nil {
		t.Fatal(err)
	}
	read, err := pages.ReadData(data)
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range read["experiments"].Rows {
		want := "1 0 1 0"
		if i == 1 {
			want = "1 0 0 0"
		}
		if got := strings.Join(row[3:7], " "); got != want || row[2] != "9" || row[7] != "2.5" {
			t.Errorf("%q has %s, want %s", row, got, want)
		}
	}
	if n := len(read["papers"].Rows); n != 2*len(report.Names())-1 {
		t.Errorf("%d figures", n)
	}
	before, err := os.ReadFile(filepath.Join(data, "papers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	keep(far, report.Report{Name: report.Names()[0], Title: "x", Compared: rows[1:]})
	if err := papers(project, []string{far}); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(filepath.Join(data, "papers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(after), "\n") != strings.Count(string(before), "\n")-1 {
		t.Errorf("one report with a figure less made of\n%s\nthis:\n%s", before, after)
	}
	keep(near, report.Report{Name: report.Names()[5], Title: "x", Differences: []string{"a is 1, and 2 in the paper"}})
	if err := papers(project, []string{near}); err == nil || !strings.Contains(err.Error(), "without a reason") {
		t.Errorf("a difference: %v", err)
	}
	if err := os.Remove(filepath.Join(data, "papers.csv")); err != nil {
		t.Fatal(err)
	}
	if err := papers(project, []string{far}); err == nil {
		t.Error("made from two reports")
	}
}
