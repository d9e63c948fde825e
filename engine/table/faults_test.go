package table

import (
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
	"tengen/weiqi"
)

// Whatever happens to the disk while a table is written, the old file is there or the new
// one, and the next run comes to its end.
func TestInterruptedTable(t *testing.T) {
	longtest.Alone(t)
	faulty.Interrupt(t, faulty.Writer{Name: "table", Cleans: true, Grows: "table.ckpt", Write: func(disk wholefile.Disk, dir string) error {
		_, _, err := Build(t.Context(), Request{
			Size: board.Size{Rows: 2, Cols: 3}, Path: filepath.Join(dir, "table"), Limits: job.Limits{Memory: 64 << 20, Threads: 1}, files: disk,
		})
		return err
	}})
}

// A table that is saved on its way is found whole, or is finished from what was saved.
func TestInterruptedSaves(t *testing.T) {
	longtest.Alone(t)
	faulty.Interrupt(t, faulty.Writer{Name: "table with saves", Grows: "table.ckpt", Write: func(disk wholefile.Disk, dir string) error {
		path := filepath.Join(dir, "table")
		_, err := retro.Build(t.Context(), path, retro.Options{
			Size: board.Size{Rows: 1, Cols: 4}, Threads: 1, Checkpoint: checkpointOf(path), Every: 1, Disk: disk,
		})
		return err
	}})
}

// The cache is no reason not to answer, whatever goes wrong with it.
func TestInterruptedCache(t *testing.T) {
	longtest.Alone(t)
	size := board.Size{Rows: 1, Cols: 3}
	faulty.Interrupt(t, faulty.Writer{Name: "table in the cache", Warns: true, Cleans: true, Grows: "tengen/go-1x3.table.ckpt", Write: func(disk wholefile.Disk, dir string) error {
		t.Setenv("XDG_CACHE_HOME", dir)
		opened, err := Open(t.Context(), Wanted{Size: size, Path: job.Cache, Limits: job.Limits{Memory: 64 << 20, Threads: 1}, files: disk})
		if err != nil {
			t.Errorf("no answer: %v", err)
			return err
		}
		defer opened.Close()
		if a, err := Probe(opened.Table, weiqi.NewPosition(size), EndlessDrawn); err != nil || a.Score != 3 {
			t.Errorf("the score is %d: %v", a.Score, err)
		}
		return nil
	}})
}
