package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"tengen/board"
	"tengen/gtp"
	"tengen/weiqi"
)

func (s *Session) registerBoard() {
	s.handle("boardsize", 1, 2, "SIZE", s.boardsize)
	s.handle("rectangular_boardsize", 2, 2, "COLUMNS ROWS", s.boardsize)
	s.handle("clear_board", 0, 0, "", s.clearBoard)
	s.handle("komi", 1, 1, "KOMI", s.setKomi)
	s.handle("play", 2, 2, "COLOR VERTEX", s.play)
	s.handle("undo", 0, 0, "", s.undo)
	s.handle("showboard", 0, 0, "", s.showboard)
	s.handle("final_score", 0, 0, "", s.finalScore)
	s.handle("final_status_list", 1, 1, "alive|seki|dead", s.finalStatusList)
	s.handle("set_free_handicap", 1, -1, "VERTEX...", s.setFreeHandicap)
	s.handle("tengen-game", 0, 1, "[nogo|go]", s.chooseGame)
}

// boardsize takes one side of a square, or columns and rows.
func (s *Session) boardsize(ctx context.Context, c gtp.Command) (string, error) {
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
		err = s.change(ctx, s.game.rules, size)
	}
	if err != nil {
		return "", fmt.Errorf("unacceptable size: %w", err)
	}
	return "", nil
}

func (s *Session) clearBoard(context.Context, gtp.Command) (string, error) {
	s.restart(weiqi.NewPosition(s.game.size()))
	return "", nil
}

// setKomi: komi counts in the score of Go. Nothing is counted in NoGo, and the player of Go
// plays for the best score whatever the komi is.
func (s *Session) setKomi(_ context.Context, c gtp.Command) (string, error) {
	komi, err := strconv.ParseFloat(c.Args[0], 64)
	if err != nil || math.IsNaN(komi) || math.IsInf(komi, 0) {
		return "", syntax(fmt.Errorf("komi %q is not a number", c.Args[0]))
	}
	s.komi = komi
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
	if s.options.Turns && c != s.game.toPlay() && !s.game.untouched() {
		return fmt.Errorf("it is the turn of %s", s.game.toPlay())
	}
	return nil
}

func (s *Session) parseMove(colour, vertex string) (move, error) {
	c, err := parseColour(colour)
	if err != nil {
		return move{}, err
	}
	if strings.EqualFold(vertex, pass) {
		if !s.game.passable() {
			return move{}, errNoPass
		}
		return move{c, weiqi.Pass}, nil
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
	text := "\n" + now.Size.Diagram(now.Stones) + s.game.status(now, s.komi)
	if s.game.over(now) {
		return text, nil
	}
	return text + fmt.Sprintf(", move %d", len(s.game.moves)+1), nil
}

func (s *Session) finalScore(context.Context, gtp.Command) (string, error) {
	text, err := s.game.score(s.game.now(), s.komi)
	if err != nil {
		return "", fmt.Errorf("cannot score: %w", err)
	}
	return text, nil
}

// finalStatusList: nothing ever dies in NoGo, and in Go what is on the board counts.
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
	if !s.game.untouched() {
		return "", errors.New("board not empty")
	}
	g := newGame(s.game.rules, s.game.now())
	for _, vertex := range c.Args {
		m, err := s.parseMove("b", vertex)
		if err == nil && m.point == weiqi.Pass {
			err = errors.New("a pass is no stone")
		}
		if err == nil {
			err = g.play(m)
		}
		if err != nil {
			return "", fmt.Errorf("bad vertex list: %w", err)
		}
	}
	s.restart(g.at(board.White))
	return "", nil
}

// chooseGame tells the game, or begins another one on a board of the same size.
func (s *Session) chooseGame(ctx context.Context, c gtp.Command) (string, error) {
	if len(c.Args) == 0 {
		return string(s.game.game()), nil
	}
	r, err := rulesOf(Game(c.Args[0]))
	if err != nil || r == s.game.rules {
		return "", err
	}
	if err := s.change(ctx, r, s.game.size()); err != nil {
		return "", fmt.Errorf("unacceptable size: %w; choose another board first", err)
	}
	return "", nil
}
