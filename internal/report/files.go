package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"tengen/internal/wholefile"
)

// Write writes the report as NAME.md, NAME.csv and NAME.svg into a directory and returns
// their names. It makes the directory if needed. Each file is written as a whole or not
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
	var written []string
	for _, file := range []struct {
		ending  string
		content []byte
	}{{".md", markdown.Bytes()}, {".csv", data.Bytes()}, {".svg", r.Figure}} {
		if len(file.content) == 0 {
			continue
		}
		path := filepath.Join(dir, r.Name+file.ending)
		if err := disk.Write(path, file.content); err != nil {
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
	for _, ending := range []string{".md", ".csv", ".svg"} {
		if err := disk.Check("report", filepath.Join(dir, name+ending), ours); err != nil {
			return err
		}
	}
	return nil
}
