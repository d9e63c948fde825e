package tui

import (
	"bytes"
	"testing"

	"tengen/game"
	"tengen/internal/wholefile"
	"tengen/internal/wholefile/faulty"
)

// A saved game is never overwritten, so every run makes a new file. Each file
// holds the whole game.
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
