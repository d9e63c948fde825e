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
	n := new(network)
	faulty.Interrupt(t, faulty.Writer{
		Name: "weights of the ordering", Before: map[string][]byte{"weights": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error { return n.save(disk, filepath.Join(dir, "weights")) },
	})
}
