package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tengen/internal/report"
	"tengen/internal/wholefile"
)

// papers makes docs/data/experiments.csv and docs/data/papers.csv of a project from folders of
// tengen reproduce. Of every experiment it takes the complete report of the first folder that
// has one.
func papers(dir string, folders []string) error {
	var reports []report.Report
	for _, name := range report.Names() {
		r, err := stored(name, folders)
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	list, err := experimentRows(reports)
	if err != nil {
		return err
	}
	for name, rows := range map[string][][]string{"experiments.csv": list, "papers.csv": comparedRows(reports)} {
		var b bytes.Buffer
		fmt.Fprintf(&b, "# commit: %s\n# command: tengen reproduce --scale quick; the experiments with --scale paper have it in their command\n", strings.Join(commits(reports), ", "))
		out := csv.NewWriter(&b)
		if err := out.WriteAll(rows); err != nil {
			return err
		}
		if err := (wholefile.Disk{}).Write(filepath.Join(dir, "docs", "data", name), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// stored is the first complete report of an experiment.
func stored(name string, folders []string) (report.Report, error) {
	for _, folder := range folders {
		content, err := os.ReadFile(filepath.Join(folder, name+".json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var r report.Report
		if err == nil {
			err = json.Unmarshal(content, &r)
		}
		if err != nil {
			return r, err
		}
		if r.Incomplete == "" {
			return r, nil
		}
	}
	return report.Report{}, fmt.Errorf("no folder has a complete report of %s", name)
}

var (
	revision = regexp.MustCompile(`\(([0-9a-f]{7,})`)
	largest  = regexp.MustCompile(` --max (\d+)`)
)

func commits(reports []report.Report) (list []string) {
	for _, r := range reports {
		if m := revision.FindStringSubmatch(r.Program); m != nil && !slices.Contains(list, m[1]) {
			list = append(list, m[1])
		}
	}
	return list
}

// experimentRows has a row for each experiment. The first is the line of formats.
func experimentRows(reports []report.Report) ([][]string, error) {
	rows := [][]string{
		{"# format: code", "text", "number", "number", "number", "number", "number", "duration", "code"},
		{"experiment", "figure", "points", "equal", "better", "differs", "new", "time", "command"},
	}
	for _, r := range reports {
		if len(r.Differences) > 0 {
			return nil, fmt.Errorf("%s differs from the paper without a reason: %s", r.Name, r.Differences[0])
		}
		points := largest.FindStringSubmatch(r.Command)
		if points == nil {
			return nil, fmt.Errorf("%s: its command names no board", r.Name)
		}
		count := func(v report.Verdict) string { return strconv.Itoa(r.Count(v)) }
		rows = append(rows, []string{
			r.Name, r.Source, points[1], count(report.Equal), count(report.Better), count(report.Differs), count(report.New),
			strconv.FormatFloat(r.Seconds, 'f', 1, 64), r.Command,
		})
	}
	return rows, nil
}

// comparedRows has a row for each figure.
func comparedRows(reports []report.Report) [][]string {
	rows := [][]string{
		{"# format: number", "code", "text", "text", "text", "text", "text"},
		{"row", "experiment", "what", "published", "ours", "verdict", "why"},
	}
	for _, r := range reports {
		for _, c := range r.Compared {
			rows = append(rows, []string{strconv.Itoa(len(rows) - 1), r.Name, c.What, c.Published, c.Ours, string(c.Verdict), c.Why})
		}
	}
	return rows
}
