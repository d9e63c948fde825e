package match

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
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

// record writes a game as game-0001.sgf and so on.
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
	name := filepath.Join(m.options.Records, fmt.Sprintf("game-%04d.sgf", g.Number))
	if err := wholefile.Write(name, text.Bytes()); err != nil {
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
