package solve

import (
	"bytes"
	"crypto/sha256"
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/engine/job"
	"tengen/internal/longtest"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
	"tengen/nogo"
	"tengen/weiqi"
)

// Whatever happens to the disk while an answer is written, the old file is there or the new
// one, and the next run comes to its end.
func TestInterruptedWriters(t *testing.T) {
	longtest.Alone(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	size := board.Size{Rows: 2, Cols: 3}
	small := job.Limits{Memory: 64 << 20, Threads: 1}
	solve := func(request Request) error {
		request.Position, request.Limits = nogo.NewPosition(size), small
		_, err := NoGo(t.Context(), request)
		return err
	}
	checkpoint := func(disk wholefile.Disk, dir string) error {
		return solve(Request{Checkpoint: filepath.Join(dir, "checkpoint"), files: disk})
	}
	certificate := func(disk wholefile.Disk, dir string) error {
		return solve(Request{Certificate: filepath.Join(dir, "certificate"), files: disk})
	}
	nine := 9
	goCertificate := func(disk wholefile.Disk, dir string) error {
		request := GoRequest{Position: weiqi.NewPosition(board.Size{Rows: 3, Cols: 3}), Limits: small, files: disk}
		request.AtLeast, request.Certificate = &nine, filepath.Join(dir, "certificate")
		_, err := Go(t.Context(), request)
		return err
	}
	three := 3
	superkoCertificate := func(disk wholefile.Disk, dir string) error {
		request := GoRequest{Position: weiqi.NewPosition(board.Size{Rows: 1, Cols: 3}), Rules: weiqi.Rules{Ko: weiqi.Positional}, Limits: small, files: disk}
		request.AtLeast, request.Certificate = &three, filepath.Join(dir, "certificate")
		_, err := Go(t.Context(), request)
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
			_, err := NoGo(t.Context(), Request{Position: nogo.NewPosition(board.Size{Rows: 2, Cols: 2}), Limits: small, Certificate: filepath.Join(dir, "certificate"), files: disk})
			return err
		})},
		{Name: "certificate of Go", Write: goCertificate},
		{Name: "certificate under superko", Write: superkoCertificate},
		{Name: "checkpoint", Write: checkpoint, Same: whole, Warns: true, Cleans: true},
		{Name: "checkpoint over another", Write: checkpoint, Same: whole, Warns: true, Cleans: true, Before: old},
	} {
		faulty.Interrupt(t, w)
	}
}
