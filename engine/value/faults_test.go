package value

import (
	"path/filepath"
	"testing"

	"tengen/engine/job"
	"tengen/internal/longtest"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

// Whatever happens to the disk while a database is written, the old file is there or the
// new one, and the next run comes to its end.
func TestInterruptedStrips(t *testing.T) {
	longtest.Alone(t)
	faulty.Interrupt(t, faulty.Writer{Name: "database of strips", Grows: "strips.partial", Write: func(disk wholefile.Disk, dir string) error {
		_, _, err := BuildStrips(t.Context(), StripsRequest{Max: 4, Simplest: 3, Path: filepath.Join(dir, "strips"), Limits: job.Limits{Threads: 1}, files: disk})
		return err
	}})
}
