package main

import (
	"path/filepath"
	"testing"

	"tengen/internal/longtest"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

func TestInterruptedWeights(t *testing.T) {
	longtest.Alone(t)
	l := newLearner()
	faulty.Interrupt(t, faulty.Writer{
		Name: "weights of the appraisal", Before: map[string][]byte{"weights": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error { return l.save(disk, filepath.Join(dir, "weights")) },
	})
}
