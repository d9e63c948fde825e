package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tengen/game"
	"tengen/gtp"
	"tengen/internal/wholefile"
	"tengen/sgf"
)

func (s *Session) registerRecords() {
	s.handle("loadsgf", 1, -1, "FILE [MOVE]", s.loadsgf)
	s.handle("printsgf", 0, -1, "[FILE]", s.printsgf)
}

// loadsgf loads the main line of the first game up to, but without, a move. The
// name of the file may contain spaces: a number at the end is the move only if no
// file has that name.
func (s *Session) loadsgf(ctx context.Context, c gtp.Command) (string, error) {
	name, before := c.Text, 0
	if _, err := os.Stat(name); err != nil && len(c.Args) > 1 {
		if n, err := strconv.Atoi(c.Args[len(c.Args)-1]); err == nil {
			if n < 1 {
				return "", syntax(fmt.Errorf("move %d: moves count from 1", n))
			}
			name, before = strings.TrimSpace(strings.TrimSuffix(name, c.Args[len(c.Args)-1])), n
		}
	}
	record, err := game.OpenRecord(name)
	if err == nil {
		err = s.load(ctx, record, before)
	}
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	return "", nil
}

// load replays a record by the rules of the present game. If it cannot be
// replayed, nothing changes.
func (s *Session) load(ctx context.Context, record *sgf.Game, before int) error {
	rules := s.game.Rules()
	if named := game.Recorded(record); named != rules && named == (game.NoGo{}) {
		return fmt.Errorf("the record is of %s, the game is %s", named, rules.Name())
	}
	if before > 0 {
		n := before - 1 - record.Earlier
		if n < 0 {
			return fmt.Errorf("move %d comes before stones that are set up: the record can be entered from move %d on", before, record.Earlier+1)
		}
		record.Moves = record.Moves[:min(n, len(record.Moves))]
	}
	g, err := game.Replay(rules, record)
	if err != nil {
		return err
	}
	if err := s.change(ctx, rules, record.Size); err != nil {
		return err
	}
	s.game = g
	return nil
}

// record is the game, with the notes on its moves as comments.
func (s *Session) record() *sgf.Game {
	record := s.game.Record()
	earlier := len(s.game.Moves()) - len(record.Moves) // they are set up
	for i := range record.Moves {
		record.Moves[i].Comment = s.notes[earlier+i+1]
	}
	return record
}

func (s *Session) printsgf(_ context.Context, c gtp.Command) (string, error) {
	var text bytes.Buffer
	if err := game.WriteRecord(&text, s.record()); err != nil || c.Text == "" {
		return text.String(), err
	}
	if err := s.options.Disk.Check("record", c.Text, isRecord); err != nil {
		return "", fmt.Errorf("cannot save file: %w", err)
	}
	if err := s.options.Disk.Write(c.Text, text.Bytes()); err != nil {
		return "", fmt.Errorf("cannot save file: %w", err)
	}
	return "", nil
}

// isRecord checks that a file is a game record, which a new record may replace.
func isRecord(name string) error {
	file, err := wholefile.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = sgf.Read(file)
	return err
}
