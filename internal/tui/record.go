package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tengen/board"
	"tengen/game"
	"tengen/internal/wholefile"
	"tengen/sgf"
)

// recording is a game at the time when it is saved.
type recording struct {
	record *sgf.Game
	stem   string // of the file name: game, size and time
}

func (m *model) recording() recording {
	played := m.clock()
	r := m.game.Record()
	var names [2]string
	names[m.human], names[m.human.Opponent()] = "human", m.caller.opponent.String()
	r.Black, r.White, r.Date = names[board.Black], names[board.White], played.Format(time.DateOnly)
	return recording{r, fmt.Sprintf("%s-%s-%s", m.game.Rules().Name(), r.Size, played.Format("20060102-150405"))}
}

// save writes the record into a directory and returns the name of the file.
func (r recording) save(disk wholefile.Disk, dir string) (string, error) {
	var text bytes.Buffer
	if err := game.WriteRecord(&text, r.record); err != nil {
		return "", err
	}
	name, err := unused(filepath.Join(dir, r.stem))
	if err != nil {
		return "", err
	}
	return name, disk.Write(name, text.Bytes())
}

// unused is a name that no file has yet.
func unused(stem string) (string, error) {
	name := stem + ".sgf"
	for n := 2; n < 100; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d.sgf", stem, n)
	}
	return "", fmt.Errorf("all names that begin with %s are taken", stem)
}
