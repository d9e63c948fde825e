package match

import (
	"path/filepath"
	"testing"

	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestInterruptedLog(t *testing.T) {
	l := &log{Format: logFormat, Games: []Record{}}
	faulty.Interrupt(t, faulty.Writer{
		Name: "log of a match", Before: map[string][]byte{"log": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error { return l.save(disk, filepath.Join(dir, "log")) },
	})
}
