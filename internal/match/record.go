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
	"strings"

	"tengen/game"
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
	found, err := game.OpenRecord(m.path(g.Number))
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
	record, err := m.sgf(g)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := game.WriteRecord(&text, record); err != nil {
		return err
	}
	if err := m.options.Disk.Write(m.path(g.Number), text.Bytes()); err != nil {
		return fmt.Errorf("the game cannot be recorded: %w", err)
	}
	return nil
}

// sgf replays a game for its record.
func (m *referee) sgf(g Record) (*sgf.Game, error) {
	played := m.options.begin()
	moves, err := game.ParseMoves(m.options.Size, strings.Join(g.Moves, " "))
	if err == nil {
		err = played.PlayAll(moves)
	}
	if err != nil {
		return nil, fmt.Errorf("game %d of the match: %w", g.Number, err)
	}
	names := m.labels()
	record := played.Record()
	record.Black = fmt.Sprintf("%s (%s)", names[g.Black], g.Black)
	record.White = fmt.Sprintf("%s (%s)", names[g.Black.other()], g.Black.other())
	record.Round, record.Result, record.Comment = strconv.Itoa(g.Number), g.Result, g.Reason
	return record, nil
}
