package tui

import (
	"bytes"
	"testing"

	"tengen/game"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

// A game that was saved before stays, so every run makes a file of its own; all of them
// hold the whole game.
func TestInterruptedRecord(t *testing.T) {
	m := newTest(t, game.NoGo{}, "3x3")
	r := m.recording()
	var text bytes.Buffer
	if err := game.WriteRecord(&text, r.record); err != nil {
		t.Fatal(err)
	}
	faulty.Interrupt(t, faulty.Writer{
		Name: "record of the board",
		Same: func(_ string, a, _ []byte) bool { return bytes.Equal(a, text.Bytes()) },
		Write: func(disk wholefile.Disk, dir string) error {
			_, err := r.save(disk, dir)
			return err
		},
	})
}
