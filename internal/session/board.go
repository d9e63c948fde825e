package session

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"

	"tengen/board"
	"tengen/game"
	"tengen/gtp"
	"tengen/sgf"
)

func (s *Session) registerBoard() {
	s.handle("boardsize", 1, 2, "SIZE, or COLUMNS ROWS", s.boardsize)
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

// boardsize takes one side of a square, or columns and rows. For two numbers the
// answer says which is which, because other commands have the rows first.
func (s *Session) boardsize(ctx context.Context, c gtp.Command) (string, error) {
	if size, err := board.ParseSize(c.Args[0]); err == nil && len(c.Args) == 1 {
		return "", syntax(fmt.Errorf("size %q: give columns and rows as two numbers, %s %d %d for %d rows and %d columns",
			c.Args[0], c.Name, size.Cols, size.Rows, size.Rows, size.Cols))
	}
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
		err = s.change(ctx, s.game.Rules(), size)
	}
	if err != nil {
		return "", fmt.Errorf("unacceptable size: %w", err)
	}
	if c.Name == "boardsize" && rows != cols {
		return fmt.Sprintf("%d columns, %d rows", cols, rows), nil
	}
	return "", nil
}

func (s *Session) clearBoard(context.Context, gtp.Command) (string, error) {
	s.restart(s.game.Rules(), game.NewPosition(s.size()))
	return "", nil
}

// setKomi sets the komi, which counts in the score of Go. NoGo has no score. The
// player of Go plays for the best score with any komi.
func (s *Session) setKomi(_ context.Context, c gtp.Command) (string, error) {
	komi, err := strconv.ParseFloat(c.Args[0], 64)
	if err != nil || math.IsNaN(komi) || math.IsInf(komi, 0) {
		return "", syntax(fmt.Errorf("komi %q is not a number", c.Args[0]))
	}
	s.game.Komi = komi
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

// put plays a move of the other side.
func (s *Session) put(m game.Move) error {
	if err := s.inTurn(m.Colour); err != nil {
		return err
	}
	return s.game.PlayAs(m.Colour, m.Point)
}

// inTurn refuses a move out of turn if the options say so. Either side may begin.
func (s *Session) inTurn(c board.Colour) error {
	if s.options.Turns && c != s.toPlay() && !s.untouched() {
		return fmt.Errorf("it is the turn of %s", s.toPlay())
	}
	return nil
}

// untouched reports whether the board is empty and no move has been played.
func (s *Session) untouched() bool {
	return len(s.game.Moves()) == 0 && s.game.Position().Stones == board.Stones{}
}

func (s *Session) parseMove(colour, vertex string) (game.Move, error) {
	c, err := parseColour(colour)
	if err != nil {
		return game.Move{}, err
	}
	p, err := game.ParseMove(s.size(), vertex)
	if err != nil {
		return game.Move{}, fmt.Errorf("invalid coordinate: %w", err)
	}
	return game.Move{Colour: c, Point: p}, nil
}

func (s *Session) undo(context.Context, gtp.Command) (string, error) {
	if !s.game.Undo() {
		return "", errors.New("cannot undo: no move has been played")
	}
	delete(s.notes, len(s.game.Moves())+1)
	return "", nil
}

// showboard prints the board and, below it, the state of the game.
func (s *Session) showboard(context.Context, gtp.Command) (string, error) {
	now := s.game.Position()
	text := "\n" + now.Size.Diagram(now.Stones)
	if end, over := s.over(); over {
		return text + end.String(), nil
	}
	text += fmt.Sprintf("%s to play", now.ToPlay)
	if now.Passes > 0 {
		text += fmt.Sprintf(", %s has passed", now.ToPlay.Opponent())
	}
	if now.Ko != board.NoPoint {
		text += fmt.Sprintf(", ko at %s", now.Size.Name(now.Ko))
	}
	return text + fmt.Sprintf(", move %d", len(s.game.Moves())+1), nil
}

// finalScore reports a win without points as a lead of one, because the protocol has
// no other form.
func (s *Session) finalScore(context.Context, gtp.Command) (string, error) {
	end, over := s.over()
	switch {
	case !over:
		return "", fmt.Errorf("cannot score: the game is not over, %s", s.toCome())
	case !s.game.Rules().Scored():
		return string(sgf.Win(end.Winner.Colour(), "1")), nil
	}
	return string(end.Result()), nil
}

// toCome says what is missing for the game to end.
func (s *Session) toCome() string {
	if s.game.Rules().Passes() {
		return "two passes in a row end it"
	}
	if n := s.game.Legal(s.toPlay()).Len(); n > 1 {
		return fmt.Sprintf("%s to play has %d legal moves", s.toPlay(), n)
	}
	return fmt.Sprintf("%s to play has a legal move", s.toPlay())
}

// finalStatusList: no stone ever dies in NoGo, and in Go every stone on the board
// counts.
func (s *Session) finalStatusList(_ context.Context, c gtp.Command) (string, error) {
	switch c.Args[0] {
	case "alive":
		now := s.game.Position()
		return names(now.Size, now.Stones[board.Black].Union(now.Stones[board.White])), nil
	case "seki", "dead":
		return "", nil
	}
	return "", syntax(fmt.Errorf("%q is none of alive, seki and dead", c.Args[0]))
}

// setFreeHandicap puts black stones on the empty board, White to play.
func (s *Session) setFreeHandicap(_ context.Context, c gtp.Command) (string, error) {
	if !s.untouched() {
		return "", errors.New("board not empty")
	}
	g := game.New(s.game.Rules(), s.game.Position())
	for _, vertex := range c.Args {
		m, err := s.parseMove("b", vertex)
		if err == nil && m.Point == game.Pass {
			err = errors.New("a pass is no stone")
		}
		if err == nil {
			err = g.PlayAs(m.Colour, m.Point)
		}
		if err != nil {
			return "", fmt.Errorf("bad vertex list: %w", err)
		}
	}
	s.restart(g.Rules(), g.At(board.White))
	return "", nil
}

// chooseGame returns the name of the game, or begins another game on a board of the
// same size.
func (s *Session) chooseGame(ctx context.Context, c gtp.Command) (string, error) {
	if len(c.Args) == 0 {
		return s.game.Rules().Name(), nil
	}
	r, err := game.ParseRules(c.Args[0])
	if err != nil || r == s.game.Rules() {
		return "", err
	}
	if err := s.change(ctx, r, s.size()); err != nil {
		return "", fmt.Errorf("unacceptable size: %w; choose another board first", err)
	}
	return "", nil
}
