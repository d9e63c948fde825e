package match

import (
	"path/filepath"
	"testing"

	"tengen/board"
	"tengen/game"
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

func TestInterruptedRecord(t *testing.T) {
	faulty.Interrupt(t, faulty.Writer{
		Name: "record of a match", Before: map[string][]byte{"game-0001.sgf": []byte("old")},
		Write: func(disk wholefile.Disk, dir string) error {
			m := &referee{options: Options{
				Rules: game.NoGo{}, Size: board.Size{Rows: 3, Cols: 3}, Games: 2,
				Programs: make([][]string, 2), Names: []string{"one", "two"}, Records: dir, Disk: disk,
			}}
			return m.record(Record{Number: 1, Moves: []string{"B2", "A1"}, Result: "B+R", Reason: "two resigned"})
		},
	})
}
