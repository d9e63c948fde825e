package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/gtp"
	"tengen/internal/wholefile"
	"tengen/nogo"
	"tengen/sgf"
)

func (s *Session) registerRecords() {
	s.handle("loadsgf", 1, -1, "FILE [MOVE]", s.loadsgf)
	s.handle("printsgf", 0, -1, "[FILE]", s.printsgf)
}

// loadsgf takes the main line of the first game up to, but without, a move. The name of
// the file may hold spaces: a number at the end is the move only if no file has that name.
func (s *Session) loadsgf(_ context.Context, c gtp.Command) (string, error) {
	name, before := c.Text, 0
	if _, err := os.Stat(name); err != nil && len(c.Args) > 1 {
		if n, err := strconv.Atoi(c.Args[len(c.Args)-1]); err == nil {
			if n < 1 {
				return "", syntax(fmt.Errorf("move %d: moves count from 1", n))
			}
			name, before = strings.TrimSpace(strings.TrimSuffix(name, c.Args[len(c.Args)-1])), n
		}
	}
	record, err := readRecord(name)
	if err == nil {
		err = s.load(record, before)
	}
	if err != nil {
		return "", fmt.Errorf("cannot load file: %w", err)
	}
	return "", nil
}

func readRecord(name string) (*sgf.Game, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	games, err := sgf.Read(file)
	if err != nil {
		return nil, err
	}
	return sgf.ReadGame(games[0])
}

// load replays a record; what cannot be played leaves everything as it was.
func (s *Session) load(record *sgf.Game, before int) error {
	if before > 0 && before-1-record.Earlier < len(record.Moves) {
		record.Moves = record.Moves[:max(before-1-record.Earlier, 0)]
	}
	if _, _, err := record.NoGo(); err != nil {
		return err
	}
	g := newGame(nogo.Position{Size: record.Size, Stones: record.Setup}, record.ToPlay)
	for _, m := range record.Moves {
		if err := g.play(move{m.Colour, m.Point}); err != nil {
			return err
		}
	}
	if err := s.resize(record.Size); err != nil {
		return err
	}
	s.game = g
	return nil
}

func (s *Session) printsgf(_ context.Context, c gtp.Command) (string, error) {
	text, err := s.record()
	if err != nil || c.Text == "" {
		return text, err
	}
	if err := wholefile.Write(c.Text, []byte(text)); err != nil {
		return "", fmt.Errorf("cannot save file: %w", err)
	}
	return "", nil
}

// record is the game as SGF. A setup that no record can tell by moves in turn, such as
// two stones of a colour in a row, is told by the stones on the board.
func (s *Session) record() (string, error) {
	g := &sgf.Game{Size: s.game.size(), Rules: "NoGo", Setup: s.game.positions[0].Stones, ToPlay: s.game.first}
	turn := s.game.first
	for i, m := range s.game.moves {
		if m.colour != turn {
			g.Setup, g.ToPlay, g.Moves = s.game.positions[i].Stones, m.colour, nil
		}
		g.Moves = append(g.Moves, sgf.Move{Colour: m.colour, Point: m.point})
		turn = m.colour.Opponent()
	}
	if w := s.game.winner(); w != board.Empty {
		g.Result = sgf.Win(w, sgf.ByResignation)
	}
	root, err := g.Tree()
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := sgf.Write(&b, sgf.Collection{root}); err != nil {
		return "", err
	}
	return b.String(), nil
}
