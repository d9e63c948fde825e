package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tengen/engine/table"
	"tengen/internal/wholefile"
)

// endings are those of the files of a report. The last has all of it, for Stored.
var endings = []string{".md", ".csv", ".svg", ".png", ".json"}

// Write writes the report as NAME.md, NAME.csv, NAME.svg, NAME.png and NAME.json into a
// directory and returns their names. It makes the directory if needed. Each file is written as a whole or not
// at all.
func (r Report) Write(disk wholefile.Disk, dir string) ([]string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make a directory for the reports: %w", err)
	}
	var markdown, data bytes.Buffer
	r.Markdown(&markdown)
	if err := r.Data.CSV(&data); err != nil {
		return nil, err
	}
	whole, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	var written []string
	for i, content := range [][]byte{markdown.Bytes(), data.Bytes(), r.Figure, r.Picture, whole} {
		if len(content) == 0 {
			continue
		}
		path := filepath.Join(dir, r.Name+endings[i])
		if err := disk.Write(path, content); err != nil {
			return written, err
		}
		written = append(written, path)
	}
	return written, nil
}

// Check refuses, before any work, a directory where a report of this name would replace
// files that are not reports. The Markdown file says whether tengen has made it.
func Check(disk wholefile.Disk, dir, name string) error {
	ours := func(string) error {
		text, err := os.ReadFile(filepath.Join(dir, name+".md"))
		if err != nil || !bytes.Contains(text, []byte("\ntengen reproduce "+name)) {
			return errors.New("tengen did not make it; remove it or choose another directory")
		}
		return nil
	}
	for _, ending := range endings {
		if err := disk.Check("report", filepath.Join(dir, name+ending), ours); err != nil {
			return err
		}
	}
	return nil
}

// pageName is the file of the reports as one page.
const pageName = "report.html"

// pageMark tells a page of ours from other files.
const pageMark = "<title>tengen: the papers reproduced</title>"

// CheckPage refuses, before any work, a page that is not ours.
func CheckPage(disk wholefile.Disk, dir string) error {
	return disk.Check("report", filepath.Join(dir, pageName), func(path string) error {
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte(pageMark)) {
			return errors.New("tengen has not made it; remove it or choose another directory")
		}
		return nil
	})
}

// WritePage writes reports as one page into a directory and returns its name.
func WritePage(disk wholefile.Disk, dir, command string, reports []Report) (string, error) {
	path := filepath.Join(dir, pageName)
	return path, disk.Stream(path, func(w io.Writer) error { return HTML(w, command, reports) })
}

// Stored is the report that an earlier run has written, if it is complete and the same
// program would make it again by the same command.
func (e Experiment) Stored(dir string, o Options) (Report, bool) {
	var r Report
	text, err := os.ReadFile(filepath.Join(dir, e.Name+".json"))
	if err != nil || json.Unmarshal(text, &r) != nil || e.settle(&o) != nil {
		return Report{}, false
	}
	return r, r.Incomplete == "" && r.Program == o.Program && r.Command == o.command(e.Name)
}

// keptCost writes the cost of a build beside its table, or reads that of an earlier one.
func keptCost(disk wholefile.Disk, path string, cost *table.Report) (table.Report, error) {
	path += ".json"
	if cost != nil {
		content, err := json.Marshal(cost)
		if err == nil {
			err = disk.Write(path, content)
		}
		return *cost, err
	}
	var kept table.Report
	content, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(content, &kept) != nil {
		return table.Report{}, nil // the table is good without it
	}
	return kept, nil
}
