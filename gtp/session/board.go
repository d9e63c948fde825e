package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/gtp"
	"tengen/nogo"
)

func (s *Session) registerBoard() {
	s.handle("boardsize", 1, 2, "SIZE", s.boardsize)
	s.handle("rectangular_boardsize", 2, 2, "COLUMNS ROWS", s.boardsize)
	s.handle("clear_board", 0, 0, "", s.clearBoard)
	s.handle("komi", 1, 1, "KOMI", s.komi)
	s.handle("play", 2, 2, "COLOR VERTEX", s.play)
	s.handle("undo", 0, 0, "", s.undo)
	s.handle("showboard", 0, 0, "", s.showboard)
	s.handle("final_score", 0, 0, "", s.finalScore)
	s.handle("final_status_list", 1, 1, "alive|seki|dead", s.finalStatusList)
	s.handle("set_free_handicap", 1, -1, "VERTEX...", s.setFreeHandicap)
	s.handle("tengen-game", 0, 1, "[nogo]", s.chooseGame)
}

// boardsize takes one side of a square, or columns and rows.
func (s *Session) boardsize(_ context.Context, c gtp.Command) (string, error) {
	cols, err := parseInt(c.Args[0], "size")
	if err != nil {
		return "", err
	}
	rows := cols
	if len(c.Args) == 2 {
		if rows, err = parseInt(c.Args[1], "size"); err != nil {
			return "", err
		}
	}
	size, err := board.NewSize(rows, cols)
	if err == nil {
		err = s.resize(size)
	}
	if err != nil {
		return "", fmt.Errorf("unacceptable size: %w", err)
	}
	return "", nil
}

func (s *Session) clearBoard(context.Context, gtp.Command) (string, error) {
	s.restart(nogo.NewPosition(s.game.size()), board.Black)
	return "", nil
}

// komi is taken and forgotten: nothing is counted in NoGo.
func (s *Session) komi(_ context.Context, c gtp.Command) (string, error) {
	if _, err := strconv.ParseFloat(c.Args[0], 64); err != nil {
		return "", syntax(fmt.Errorf("komi %q is not a number", c.Args[0]))
	}
	return "", nil
}

func (s *Session) play(_ context.Context, c gtp.Command) (string, error) {
	m, err := s.parseMove(c.Args[0], c.Args[1])
	if err != nil {
		return "", err
	}
	if err := s.put(m); err != nil {
		return "", fmt.Errorf("illegal move: %w", err)
	}
	return "", nil
}

// put makes a move of the other side.
func (s *Session) put(m move) error {
	if err := s.inTurn(m.colour); err != nil {
		return err
	}
	return s.game.play(m)
}

// inTurn holds a colour to its turn if that is wanted. Either may begin.
func (s *Session) inTurn(c board.Colour) error {
	begins := s.game.now() == nogo.NewPosition(s.game.size())
	if s.options.Turns && c != s.game.toPlay() && !begins {
		return fmt.Errorf("it is the turn of %s", s.game.toPlay())
	}
	return nil
}

func (s *Session) parseMove(colour, vertex string) (move, error) {
	c, err := parseColour(colour)
	if err != nil {
		return move{}, err
	}
	if strings.EqualFold(vertex, "pass") {
		return move{}, errNoPass
	}
	p, err := s.game.size().ParsePoint(vertex)
	if err != nil {
		return move{}, fmt.Errorf("invalid coordinate: %w", err)
	}
	return move{c, p}, nil
}

func (s *Session) undo(context.Context, gtp.Command) (string, error) {
	if !s.game.undo() {
		return "", errors.New("cannot undo: no move has been played")
	}
	return "", nil
}

func (s *Session) showboard(context.Context, gtp.Command) (string, error) {
	now := s.game.now()
	text := "\n" + now.Size.Diagram(now.Stones)
	if w := s.game.winner(); w != board.Empty {
		return text + fmt.Sprintf("%s to play has no legal move: %s has won", w.Opponent(), w), nil
	}
	return text + fmt.Sprintf("%s to play, move %d", s.game.toPlay(), len(s.game.moves)+1), nil
}

// finalScore calls the win of a game that is over a lead of one point, the only form the
// protocol has.
func (s *Session) finalScore(context.Context, gtp.Command) (string, error) {
	switch s.game.winner() {
	case board.Black:
		return "B+1", nil
	case board.White:
		return "W+1", nil
	}
	legal := s.game.now().Legal(s.game.toPlay()).Len()
	return "", fmt.Errorf("cannot score: the game is not over, %s to play has %d legal moves", s.game.toPlay(), legal)
}

// finalStatusList: nothing ever dies in NoGo.
func (s *Session) finalStatusList(_ context.Context, c gtp.Command) (string, error) {
	switch c.Args[0] {
	case "alive":
		now := s.game.now()
		return names(now.Size, now.Stones[board.Black].Union(now.Stones[board.White])), nil
	case "seki", "dead":
		return "", nil
	}
	return "", syntax(fmt.Errorf("%q is none of alive, seki and dead", c.Args[0]))
}

// setFreeHandicap puts black stones on the empty board, White to play.
func (s *Session) setFreeHandicap(_ context.Context, c gtp.Command) (string, error) {
	if len(s.game.moves) > 0 || s.game.now() != nogo.NewPosition(s.game.size()) {
		return "", errors.New("board not empty")
	}
	g := newGame(s.game.now(), board.Black)
	for _, vertex := range c.Args {
		m, err := s.parseMove("b", vertex)
		if err == nil {
			err = g.play(m)
		}
		if err != nil {
			return "", fmt.Errorf("bad vertex list: %w", err)
		}
	}
	s.restart(g.now(), board.White)
	return "", nil
}

// chooseGame tells the game, or agrees to it.
func (s *Session) chooseGame(_ context.Context, c gtp.Command) (string, error) {
	if len(c.Args) == 0 {
		return "nogo", nil
	}
	if !strings.EqualFold(c.Args[0], "nogo") {
		return "", fmt.Errorf("there is no game %q here: only nogo", c.Args[0])
	}
	return "", nil
}
