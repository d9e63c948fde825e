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

	"tengen/internal/pages"
	"tengen/internal/report"
	"tengen/internal/wholefile"
)

// papers makes docs/data/experiments.csv and docs/data/papers.csv of a project from folders of
// tengen reproduce. Of every experiment it takes the complete report of the first folder that
// has one. If none has, the rows of the experiment stay as they are.
func papers(dir string, folders []string) error {
	dir = filepath.Join(dir, "docs", "data")
	before, err := pages.ReadData(dir)
	if err != nil {
		return err
	}
	experiments := [][]string{
		{"# format: code", "text", "number", "number", "number", "number", "number", "duration", "code"},
		{"experiment", "figure", "points", "equal", "better", "differs", "new", "time", "command"},
	}
	figures := [][]string{
		{"# format: number", "code", "text", "text", "text", "text", "text"},
		{"row", "experiment", "what", "published", "ours", "verdict", "why"},
	}
	var commits []string
	if f := before["experiments"]; f != nil {
		commits = f.Commits
	}
	for _, name := range report.Names() {
		r, err := stored(name, folders)
		experiment, compared := keptRows(before, name)
		if err == nil {
			if experiment, err = experimentRow(r); err == nil {
				compared = comparedRows(r)
			}
			if m := revision.FindStringSubmatch(r.Program); m != nil && !slices.Contains(commits, m[1]) {
				commits = append(commits, m[1])
			}
		} else if errors.Is(err, errNoReport) && experiment != nil {
			err = nil
		}
		if err != nil {
			return err
		}
		experiments = append(experiments, experiment)
		for _, row := range compared {
			row[0] = strconv.Itoa(len(figures) - 1)
			figures = append(figures, row)
		}
	}
	for name, rows := range map[string][][]string{"experiments.csv": experiments, "papers.csv": figures} {
		var b bytes.Buffer
		fmt.Fprintf(&b, "# commit: %s\n# command: tengen reproduce --scale quick; the experiments with --scale paper have it in their command\n", strings.Join(commits, ", "))
		out := csv.NewWriter(&b)
		if err := out.WriteAll(rows); err != nil {
			return err
		}
		if err := (wholefile.Disk{}).Write(filepath.Join(dir, name), b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// keptRows are the rows of an experiment that docs/data has.
func keptRows(before pages.Data, name string) (experiment []string, figures [][]string) {
	list, compared := before["experiments"], before["papers"]
	if list == nil || compared == nil {
		return nil, nil
	}
	for _, row := range list.Rows {
		if row[0] == name {
			experiment = row
		}
	}
	for _, row := range compared.Rows {
		if row[1] == name {
			figures = append(figures, row)
		}
	}
	return experiment, figures
}

var errNoReport = errors.New("no folder has a complete report")

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
	return report.Report{}, fmt.Errorf("%w of %s", errNoReport, name)
}

var (
	revision = regexp.MustCompile(`\(([0-9a-f]{7,})`)
	largest  = regexp.MustCompile(` --max (\d+)`)
)

// experimentRow sums up an experiment.
func experimentRow(r report.Report) ([]string, error) {
	if len(r.Differences) > 0 {
		return nil, fmt.Errorf("%s differs from the paper without a reason: %s", r.Name, r.Differences[0])
	}
	points := largest.FindStringSubmatch(r.Command)
	if points == nil {
		return nil, fmt.Errorf("%s: its command names no board", r.Name)
	}
	count := func(v report.Verdict) string { return strconv.Itoa(r.Count(v)) }
	return []string{
		r.Name, r.Source, points[1], count(report.Equal), count(report.Better), count(report.Differs), count(report.New),
		strconv.FormatFloat(r.Seconds, 'f', 1, 64), r.Command,
	}, nil
}

// comparedRows has a row for each figure, without its number.
func comparedRows(r report.Report) (rows [][]string) {
	for _, c := range r.Compared {
		rows = append(rows, []string{"", r.Name, c.What, c.Published, c.Ours, string(c.Verdict), c.Why})
	}
	return rows
}
