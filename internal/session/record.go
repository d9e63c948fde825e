package session

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"

	"tengen/gtp"
	"tengen/sgf"
	"tengen/weiqi"
)

func (s *Session) registerRecords() {
	s.handle("loadsgf", 1, -1, "FILE [MOVE]", s.loadsgf)
	s.handle("printsgf", 0, -1, "[FILE]", s.printsgf)
}

// loadsgf takes the main line of the first game up to, but without, a move. The name of
// the file may hold spaces: a number at the end is the move only if no file has that name.
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
	record, err := readRecord(name)
	if err == nil {
		err = s.load(ctx, record, before)
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

// load replays a record by the rules of the game that is on; what cannot be played
// leaves everything as it was.
func (s *Session) load(ctx context.Context, record *sgf.Game, before int) error {
	if record.IsNoGo() && s.game.game() != NoGo {
		return fmt.Errorf("the record is of NoGo, the game is %s", s.game.game())
	}
	if before > 0 {
		n := before - 1 - record.Earlier
		if n < 0 {
			return fmt.Errorf("move %d comes before stones that are set up: the record can be entered from move %d on", before, record.Earlier+1)
		}
		record.Moves = record.Moves[:min(n, len(record.Moves))]
	}
	g, err := replay(s.game.rules, record)
	if err != nil {
		return err
	}
	if err := s.change(ctx, s.game.rules, record.Size); err != nil {
		return err
	}
	s.game, s.komi = g, record.Komi
	return nil
}

// replay wants moves in turn.
func replay(r rules, record *sgf.Game) (game, error) {
	start := weiqi.NewPosition(record.Size)
	start.Stones, start.ToPlay = record.Setup, record.ToPlay
	if err := r.check(start); err != nil {
		return game{}, fmt.Errorf("the stones set up: %w", err)
	}
	g := newGame(r, start)
	for i, m := range record.Moves {
		err := g.play(move{m.Colour, m.Point})
		switch {
		case m.Point == weiqi.Pass && !r.passable():
			err = errNoPass
		case m.Colour != g.positions[i].ToPlay:
			err = fmt.Errorf("%s plays %s, but it is the turn of %s", m.Colour, vertex(record.Size, m.Point), m.Colour.Opponent())
		}
		if err != nil {
			return game{}, fmt.Errorf("move %d: %w", record.Earlier+i+1, err)
		}
	}
	return g, nil
}

func (s *Session) printsgf(_ context.Context, c gtp.Command) (string, error) {
	text, err := s.record()
	if err != nil || c.Text == "" {
		return text, err
	}
	if err := s.options.Disk.Write(c.Text, []byte(text)); err != nil {
		return "", fmt.Errorf("cannot save file: %w", err)
	}
	return "", nil
}

// record is the game as SGF. A setup that no record can tell by moves in turn, such as
// two stones of a colour in a row, is told by the stones on the board.
func (s *Session) record() (string, error) {
	first := s.game.positions[0]
	g := &sgf.Game{Size: first.Size, Rules: s.game.label(), Komi: s.komi, Setup: first.Stones, ToPlay: first.ToPlay}
	for i, m := range s.game.moves {
		if before := s.game.positions[i]; m.colour != before.ToPlay {
			g.Setup, g.ToPlay, g.Moves = before.Stones, m.colour, nil
		}
		g.Moves = append(g.Moves, sgf.Move{Colour: m.colour, Point: m.point})
	}
	if now := s.game.now(); s.game.over(now) {
		g.Result = s.game.result(now, s.komi)
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
