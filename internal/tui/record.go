package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tengen/board"
	"tengen/internal/wholefile"
	"tengen/sgf"
)

// recording is a game as it stands when it is saved.
type recording struct {
	game
	rules  Rules
	names  [2]string
	played time.Time
}

func (m *model) recording() recording {
	r := recording{game: m.game, rules: m.rules, played: m.clock()}
	r.names[m.human], r.names[m.human.Opponent()] = "human", m.seat.opponent.String()
	return r
}

// save writes a record into a directory under a name that tells game, size and time,
// and returns the name.
func (r recording) save(disk wholefile.Disk, dir string) (string, error) {
	text, err := r.text()
	if err != nil {
		return "", err
	}
	stem := fmt.Sprintf("%s-%s-%s", strings.ToLower(r.rules.String()), r.now().Size, r.played.Format("20060102-150405"))
	name, err := unused(filepath.Join(dir, stem))
	if err != nil {
		return "", err
	}
	return name, disk.Write(name, text)
}

// unused is a name that no file has.
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

// text is the game as SGF.
func (r recording) text() ([]byte, error) {
	start := r.positions[0]
	g := sgf.Game{
		Size: start.Size, Rules: r.rules.recorded(), Setup: start.Stones, ToPlay: start.ToPlay,
		Black: r.names[board.Black], White: r.names[board.White], Date: r.played.Format(time.DateOnly),
	}
	for i, move := range r.moves {
		g.Moves = append(g.Moves, sgf.Move{Colour: r.positions[i].ToPlay, Point: move})
	}
	if end, over := r.rules.End(r.positions); over {
		g.Result = end.Result
	}
	root, err := g.Tree()
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := sgf.Write(&text, sgf.Collection{root}); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
