package match

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"tengen/board"
	"tengen/internal/wholefile"
	"tengen/sgf"
)

// prepareRecords finds out before the match whether its games can be recorded.
func prepareRecords(o Options) error {
	if err := sgf.CheckSize(o.Size); err != nil {
		return err
	}
	return os.MkdirAll(o.Records, 0o755)
}

// path is where the record of a game belongs: game-0001.sgf and so on.
func (m *referee) path(number int) string {
	return filepath.Join(m.options.Records, fmt.Sprintf("game-%04d.sgf", number))
}

// findMissing lists the games of the log without a record. Records of other games are
// in the way, since they would be lost or taken for games of this match.
func (m *referee) findMissing() ([]int, error) {
	var missing []int
	for number := 1; number <= max(m.options.Games, len(m.log.Games)); number++ {
		_, err := os.Lstat(m.path(number))
		played := number <= len(m.log.Games)
		switch {
		case errors.Is(err, fs.ErrNotExist) && played:
			missing = append(missing, number)
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !played || !m.recorded(m.log.Games[number-1]):
			return nil, fmt.Errorf("%s is the record of another game: take another directory, or resume the match that it belongs to", m.path(number))
		}
	}
	return missing, nil
}

// recorded reports whether the record of a game that is there has its moves.
func (m *referee) recorded(g Record) bool {
	file, err := os.Open(m.path(g.Number))
	if err != nil {
		return false
	}
	defer file.Close()
	games, err := sgf.Read(file)
	if err != nil || len(games) == 0 {
		return false
	}
	found, err := sgf.ReadGame(games[0])
	if err != nil {
		return false
	}
	want, err := m.sgf(g)
	return err == nil && found.Size == want.Size && slices.Equal(found.Moves, want.Moves)
}

// recordMissing waits for the end of a game, or of a match that had none to play, as
// programs must have been started to be called by their names.
func (m *referee) recordMissing() error {
	for ; len(m.missing) > 0; m.missing = m.missing[1:] {
		if err := m.record(m.log.Games[m.missing[0]-1]); err != nil {
			return err
		}
	}
	return nil
}

// record writes a game.
func (m *referee) record(g Record) error {
	game, err := m.sgf(g)
	if err != nil {
		return err
	}
	root, err := game.Tree()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := sgf.Write(&text, sgf.Collection{root}); err != nil {
		return err
	}
	if err := wholefile.Write(m.path(g.Number), text.Bytes()); err != nil {
		return fmt.Errorf("the game cannot be recorded: %w", err)
	}
	return nil
}

func (m *referee) sgf(g Record) (*sgf.Game, error) {
	names := m.labels()
	record := &sgf.Game{
		Size:    m.options.Size,
		Rules:   m.options.Rules.label(),
		Komi:    m.options.Rules.Komi,
		Black:   fmt.Sprintf("%s (%s)", names[g.Black], g.Black),
		White:   fmt.Sprintf("%s (%s)", names[g.Black.other()], g.Black.other()),
		Round:   strconv.Itoa(g.Number),
		Result:  g.Result,
		Comment: g.Reason,
	}
	colour := board.Black
	for _, name := range g.Moves {
		p, err := parseVertex(m.options.Size, name)
		if err != nil {
			return nil, err
		}
		record.Moves = append(record.Moves, sgf.Move{Colour: colour, Point: p})
		colour = colour.Opponent()
	}
	return record, nil
}
