package report

import (
	"path/filepath"
	"testing"

	"tengen/engine/table"
	"tengen/internal/longtest"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestInterruptedReport(t *testing.T) {
	longtest.Alone(t)
	r := run(t, "linear-openings", Options{Max: 4})
	faulty.Interrupt(t, faulty.Writer{
		Name:   "report",
		Before: map[string][]byte{"linear-openings.md": []byte("old"), "linear-openings.svg": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error {
			_, err := r.Write(disk, dir)
			return err
		},
	})
}

func TestInterruptedCost(t *testing.T) {
	longtest.Alone(t)
	faulty.Interrupt(t, faulty.Writer{
		Name:   "cost of a table",
		Before: map[string][]byte{"go.table.json": []byte("{}")},
		Write: func(disk wholefile.Disk, dir string) error {
			_, err := keptCost(disk, filepath.Join(dir, "go.table"), &table.Report{Sweeps: 7})
			return err
		},
	})
}
