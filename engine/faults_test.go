package engine

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/internal/longtest"
	"tengen/internal/solver/retro"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
	"tengen/nogo"
	"tengen/weiqi"
)

// Whatever happens to the disk while the engine writes, the old file is there or the new
// one, and the next run comes to its end.
func TestInterruptedWriters(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 2, Cols: 3}
	small := Limits{Memory: 64 << 20, Threads: 1}
	solve := func(request Request) error {
		request.Position, request.Limits = nogo.NewPosition(size), small
		_, err := Solve(t.Context(), request)
		return err
	}
	checkpoint := func(disk wholefile.Disk, dir string) error {
		return solve(Request{Checkpoint: filepath.Join(dir, "checkpoint"), files: disk})
	}
	certificate := func(disk wholefile.Disk, dir string) error {
		return solve(Request{Certificate: filepath.Join(dir, "certificate"), files: disk})
	}
	table := func(disk wholefile.Disk, dir string) error {
		_, _, err := BuildTable(t.Context(), TableRequest{Size: size, Path: filepath.Join(dir, "table"), Limits: small, files: disk})
		return err
	}
	strips := func(disk wholefile.Disk, dir string) error {
		_, _, err := BuildStrips(t.Context(), StripsRequest{Max: 4, Simplest: 3, Path: filepath.Join(dir, "strips"), Limits: Limits{Threads: 1}, files: disk})
		return err
	}
	// A checkpoint tells the time that it took, and is whole if its sum is right.
	whole := func(_ string, a, _ []byte) bool {
		body := len(a) - sha256.Size
		if body < 0 {
			return false
		}
		sum := sha256.Sum256(a[:body])
		return bytes.Equal(sum[:], a[body:])
	}
	old := faulty.Files(t, checkpoint)
	for _, w := range []faulty.Writer{
		{Name: "certificate", Write: certificate},
		{Name: "certificate over another", Write: certificate, Before: faulty.Files(t, func(disk wholefile.Disk, dir string) error {
			_, err := Solve(t.Context(), Request{Position: nogo.NewPosition(board.Size{Rows: 2, Cols: 2}), Limits: small, Certificate: filepath.Join(dir, "certificate"), files: disk})
			return err
		})},
		{Name: "checkpoint", Write: checkpoint, Same: whole, Warns: true, Cleans: true},
		{Name: "checkpoint over another", Write: checkpoint, Same: whole, Warns: true, Cleans: true, Before: old},
		{Name: "table", Write: table, Cleans: true, Grows: "table.ckpt"},
		{Name: "database of strips", Write: strips, Grows: "strips.partial"},
	} {
		faulty.Interrupt(t, w)
	}
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
		request := GoRequest{Position: weiqi.NewPosition(size), Limits: Limits{Memory: 64 << 20, Threads: 1}, files: disk}
		result, err := SolveGo(t.Context(), request)
		if err == nil && (!result.Known || result.Score != 3) {
			t.Errorf("the score is %d, known: %v", result.Score, result.Known)
		}
		if err != nil {
			t.Errorf("no answer: %v", err)
		}
		return err
	}})
}
