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

// prepareRecords checks, before the match, that game records can be written.
func prepareRecords(o Options) error {
	if err := sgf.CheckSize(o.Size); err != nil {
		return err
	}
	return os.MkdirAll(o.Records, 0o755)
}

// path is the file of the record of a game: game-0001.sgf and so on.
func (m *referee) path(number int) string {
	return filepath.Join(m.options.Records, fmt.Sprintf("game-%04d.sgf", number))
}

// findMissing lists the games of the log without a record. The record of another game
// is an error: it would be lost, or taken for a game of this match.
func (m *referee) findMissing() ([]int, error) {
	var missing []int
	numbers := m.options.Schedule()
	for _, g := range m.log.Games {
		if !slices.Contains(numbers, g.Number) {
			numbers = append(numbers, g.Number)
		}
	}
	for _, number := range numbers {
		_, err := os.Lstat(m.path(number))
		g, played := m.log.find(number)
		switch {
		case errors.Is(err, fs.ErrNotExist) && played:
			missing = append(missing, number)
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !played || !m.recorded(g):
			return nil, fmt.Errorf("%s is the record of another game: take another directory, or resume the match that it belongs to", m.path(number))
		}
	}
	return missing, nil
}

// recorded reports whether the existing record of a game has the moves of the game.
func (m *referee) recorded(g Record) bool {
	found, err := game.OpenRecord(m.path(g.Number))
	if err != nil {
		return false
	}
	want, err := m.sgf(g)
	return err == nil && found.Size == want.Size && slices.Equal(found.Moves, want.Moves)
}

// recordMissing writes the missing records. It is called after a game, or at the end
// of a match without games to play: the names of the programs are known only after
// they were started.
func (m *referee) recordMissing() error {
	for ; len(m.missing) > 0; m.missing = m.missing[1:] {
		g, _ := m.log.find(m.missing[0])
		if err := m.record(g); err != nil {
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
	record := played.Record()
	record.Black, record.White = m.name(g, g.Black), m.name(g, g.Black.other())
	record.Round, record.Result, record.Comment = strconv.Itoa(g.Number), g.Result, g.Reason
	return record, nil
}

// name is the name of a side in a record.
func (m *referee) name(g Record, side Side) string {
	name := m.labels()[m.options.Players(g.Number)[side]]
	if m.options.Names != nil {
		return name
	}
	return fmt.Sprintf("%s (%s)", name, side)
}
